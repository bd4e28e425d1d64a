#pragma once
// CPU kernels of ops/trigonometric.hpp: circular and hyperbolic functions and their inverses.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Sin);
DGRAPH_KERNEL(Cos);
DGRAPH_KERNEL(Tan);
DGRAPH_KERNEL(Asin);
DGRAPH_KERNEL(Acos);
DGRAPH_KERNEL(Atan);
DGRAPH_KERNEL(Atan2);
DGRAPH_KERNEL(Sinh);
DGRAPH_KERNEL(Cosh);
DGRAPH_KERNEL(Asinh);
DGRAPH_KERNEL(Acosh);
DGRAPH_KERNEL(Atanh);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/trigonometric.ipp>
#endif
