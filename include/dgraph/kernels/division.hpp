#pragma once
// CPU kernels of ops/division.hpp: quotients, remainders and products with a rule of their own for zero.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Inv);
DGRAPH_KERNEL(InvGrad);
DGRAPH_KERNEL(TruncateDiv);
DGRAPH_KERNEL(TruncateMod);
DGRAPH_KERNEL(Mod);
DGRAPH_KERNEL(DivNoNan);
DGRAPH_KERNEL(MulNoNan);
DGRAPH_KERNEL(Xdivy);
DGRAPH_KERNEL(Xlogy);
DGRAPH_KERNEL(Xlog1py);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/division.ipp>
#endif
