#pragma once
// CPU kernels of ops/special.hpp: the error function and its kin, gamma, beta and zeta functions.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Expm1);
DGRAPH_KERNEL(Erf);
DGRAPH_KERNEL(Erfc);
DGRAPH_KERNEL(Erfinv);
DGRAPH_KERNEL(Lgamma);
DGRAPH_KERNEL(Digamma);
DGRAPH_KERNEL(Polygamma);
DGRAPH_KERNEL(Zeta);
DGRAPH_KERNEL(Igamma);
DGRAPH_KERNEL(Igammac);
DGRAPH_KERNEL(IgammaGradA);
DGRAPH_KERNEL(Betainc);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/special.ipp>
#endif
