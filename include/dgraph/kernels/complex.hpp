#pragma once
// CPU kernels of ops/complex.hpp: complex numbers.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Conj);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/complex.ipp>
#endif
