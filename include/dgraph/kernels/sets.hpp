#pragma once
// CPU kernels of ops/sets.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Unique);
DGRAPH_KERNEL(UniqueV2);
DGRAPH_KERNEL(UniqueWithCounts);
DGRAPH_KERNEL(UniqueWithCountsV2);
DGRAPH_KERNEL(ListDiff);
DGRAPH_KERNEL(LowerBound);
DGRAPH_KERNEL(UpperBound);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/sets.ipp>
#endif
