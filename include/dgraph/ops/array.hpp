#pragma once
// The array family: shapes, movement of elements, slices by index, sets, blocks of space.

#include <dgraph/ops/checks.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/gather_nd.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/padding.hpp>
#include <dgraph/ops/partition.hpp>
#include <dgraph/ops/reversal.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/sets.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/space.hpp>
#include <dgraph/ops/sparse.hpp>
#include <dgraph/ops/sparse_segment.hpp>

namespace dgraph {

using ArrayOps = OpSet<ShapeOps, MovementOps, PaddingOps, ReversalOps, SpaceOps, GatherOps, GatherNdOps, PartitionOps,
                       SetOps, CheckOps, SegmentOps, SparseSegmentOps, SparseOps>;

}  // namespace dgraph
