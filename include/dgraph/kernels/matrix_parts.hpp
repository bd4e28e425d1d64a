#pragma once
// CPU kernels of ops/matrix_parts.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(MatrixBandPart);
DGRAPH_KERNEL(MatrixDiag);
DGRAPH_KERNEL(MatrixDiagPart);
DGRAPH_KERNEL(MatrixSetDiag);
DGRAPH_KERNEL(Diag);
DGRAPH_KERNEL(DiagPart);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/matrix_parts.ipp>
#endif
