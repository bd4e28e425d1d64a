#pragma once
// CPU kernels of ops/linalg.hpp: matrix products.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(MatMul);
DGRAPH_KERNEL(BatchMatMul);
DGRAPH_KERNEL(BatchMatMulV2);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/linalg.ipp>
#endif
