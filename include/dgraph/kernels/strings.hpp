#pragma once
// CPU kernels of ops/strings.hpp but for those with patterns.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(StringJoin);
DGRAPH_KERNEL(ReduceJoin);
DGRAPH_KERNEL(StringSplit);
DGRAPH_KERNEL(StringSplitV2);
DGRAPH_KERNEL(Substr);
DGRAPH_KERNEL(StringLength);
DGRAPH_KERNEL(StringLower);
DGRAPH_KERNEL(StringUpper);
DGRAPH_KERNEL(StringStrip);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/strings.ipp>
#endif
