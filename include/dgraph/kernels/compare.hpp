#pragma once
// CPU kernels of ops/compare.hpp: comparisons, logic and Select.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Equal);
DGRAPH_KERNEL(NotEqual);
DGRAPH_KERNEL(Greater);
DGRAPH_KERNEL(GreaterEqual);
DGRAPH_KERNEL(Less);
DGRAPH_KERNEL(LessEqual);
DGRAPH_KERNEL(ApproximateEqual);
DGRAPH_KERNEL(LogicalAnd);
DGRAPH_KERNEL(LogicalOr);
DGRAPH_KERNEL(LogicalNot);
DGRAPH_KERNEL(Select);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/compare.ipp>
#endif
