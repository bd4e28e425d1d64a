#pragma once
// CPU kernels of ops/sparse.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(SparseToDense);
DGRAPH_KERNEL(SparseTensorDenseMatMul);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/sparse.ipp>
#endif
