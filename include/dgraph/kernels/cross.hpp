#pragma once
// CPU kernel of ops/cross.hpp: the cross product.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Cross);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/cross.ipp>
#endif
