#pragma once
// The array family: shapes, movement of elements, rows by index.

#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {

using ArrayOps = OpSet<ShapeOps, MovementOps, GatherOps>;

}  // namespace dgraph
