#pragma once
// CPU kernels of ops/pooling.hpp: the largest or the mean of each window, and what flows back.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(MaxPool);
DGRAPH_KERNEL(MaxPoolGrad);
DGRAPH_KERNEL(MaxPoolGradGrad);
DGRAPH_KERNEL(MaxPoolWithArgmax);
DGRAPH_KERNEL(MaxPoolGradWithArgmax);
DGRAPH_KERNEL(MaxPoolGradGradWithArgmax);
DGRAPH_KERNEL(AvgPool);
DGRAPH_KERNEL(AvgPoolGrad);
DGRAPH_KERNEL(MaxPool3D);
DGRAPH_KERNEL(MaxPool3DGrad);
DGRAPH_KERNEL(MaxPool3DGradGrad);
DGRAPH_KERNEL(AvgPool3D);
DGRAPH_KERNEL(AvgPool3DGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/pooling.ipp>
#endif
