#pragma once
// CPU kernels of ops/reduction.hpp: sums and the like over any axes, ArgMax and ArgMin.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Sum);
DGRAPH_KERNEL(Mean);
DGRAPH_KERNEL(Prod);
DGRAPH_KERNEL(Max);
DGRAPH_KERNEL(Min);
DGRAPH_KERNEL(EuclideanNorm);
DGRAPH_KERNEL(All);
DGRAPH_KERNEL(Any);
DGRAPH_KERNEL(ArgMax);
DGRAPH_KERNEL(ArgMin);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/reduction.ipp>
#endif
