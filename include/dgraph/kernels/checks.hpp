#pragma once
// CPU kernels of ops/checks.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(CheckNumerics);
DGRAPH_KERNEL(EnsureShape);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/checks.ipp>
#endif
