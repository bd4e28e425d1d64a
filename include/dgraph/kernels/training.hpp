#pragma once
// CPU kernels of ops/training.hpp: a small loop for each optimizer and float type.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ApplyProximalGradientDescent);
DGRAPH_KERNEL(SparseApplyProximalGradientDescent);
DGRAPH_KERNEL(ApplyAdadelta);
DGRAPH_KERNEL(SparseApplyAdadelta);
DGRAPH_KERNEL(ApplyAdagrad);
DGRAPH_KERNEL(SparseApplyAdagrad);
DGRAPH_KERNEL(ApplyAdagradV2);
DGRAPH_KERNEL(SparseApplyAdagradV2);
DGRAPH_KERNEL(ApplyAdagradDA);
DGRAPH_KERNEL(SparseApplyAdagradDA);
DGRAPH_KERNEL(ApplyProximalAdagrad);
DGRAPH_KERNEL(SparseApplyProximalAdagrad);
DGRAPH_KERNEL(ApplyFtrl);
DGRAPH_KERNEL(SparseApplyFtrl);
DGRAPH_KERNEL(ApplyFtrlV2);
DGRAPH_KERNEL(SparseApplyFtrlV2);
DGRAPH_KERNEL(ApplyMomentum);
DGRAPH_KERNEL(SparseApplyMomentum);
DGRAPH_KERNEL(ApplyRMSProp);
DGRAPH_KERNEL(SparseApplyRMSProp);
DGRAPH_KERNEL(ApplyCenteredRMSProp);
DGRAPH_KERNEL(SparseApplyCenteredRMSProp);
DGRAPH_KERNEL(ApplyAdam);
DGRAPH_KERNEL(ApplyAdaMax);
DGRAPH_KERNEL(ApplyAddSign);
DGRAPH_KERNEL(ApplyPowerSign);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/training.ipp>
#endif
