#pragma once
// CPU kernels of ops/matrix_solvers.hpp: own blocked factorisations, no LAPACK.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Cholesky);
DGRAPH_KERNEL(CholeskyGrad);
DGRAPH_KERNEL(MatrixDeterminant);
DGRAPH_KERNEL(LogMatrixDeterminant);
DGRAPH_KERNEL(MatrixInverse);
DGRAPH_KERNEL(MatrixSolve);
DGRAPH_KERNEL(MatrixTriangularSolve);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/matrix_solvers.ipp>
#endif
