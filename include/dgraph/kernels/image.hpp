#pragma once
// CPU kernels of ops/image.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ResizeBilinear);
DGRAPH_KERNEL(ResizeBilinearGrad);
DGRAPH_KERNEL(ResizeNearestNeighbor);
DGRAPH_KERNEL(ResizeNearestNeighborGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/image.ipp>
#endif
