#pragma once
// CPU kernels of ops/partition.hpp. They only move elements.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(DynamicPartition);
DGRAPH_KERNEL(DynamicStitch);
DGRAPH_KERNEL(ParallelDynamicStitch);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/partition.ipp>
#endif
