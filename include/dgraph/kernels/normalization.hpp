#pragma once
// CPU kernels of ops/normalization.hpp: moments of channels, local response normalisation.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(FusedBatchNorm);
DGRAPH_KERNEL(FusedBatchNormV2);
DGRAPH_KERNEL(FusedBatchNormV3);
DGRAPH_KERNEL(FusedBatchNormGrad);
DGRAPH_KERNEL(FusedBatchNormGradV2);
DGRAPH_KERNEL(FusedBatchNormGradV3);
DGRAPH_KERNEL(LRN);
DGRAPH_KERNEL(LRNGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/normalization.ipp>
#endif
