#pragma once
// CPU kernels of ops/training.hpp and ops/resource_training.hpp: a small loop for each optimizer and float type.

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

DGRAPH_KERNEL(ResourceApplyProximalGradientDescent);
DGRAPH_KERNEL(ResourceSparseApplyProximalGradientDescent);
DGRAPH_KERNEL(ResourceApplyAdadelta);
DGRAPH_KERNEL(ResourceSparseApplyAdadelta);
DGRAPH_KERNEL(ResourceApplyAdagrad);
DGRAPH_KERNEL(ResourceSparseApplyAdagrad);
DGRAPH_KERNEL(ResourceApplyAdagradV2);
DGRAPH_KERNEL(ResourceSparseApplyAdagradV2);
DGRAPH_KERNEL(ResourceApplyAdagradDA);
DGRAPH_KERNEL(ResourceSparseApplyAdagradDA);
DGRAPH_KERNEL(ResourceApplyProximalAdagrad);
DGRAPH_KERNEL(ResourceSparseApplyProximalAdagrad);
DGRAPH_KERNEL(ResourceApplyFtrl);
DGRAPH_KERNEL(ResourceSparseApplyFtrl);
DGRAPH_KERNEL(ResourceApplyFtrlV2);
DGRAPH_KERNEL(ResourceSparseApplyFtrlV2);
DGRAPH_KERNEL(ResourceApplyMomentum);
DGRAPH_KERNEL(ResourceSparseApplyMomentum);
DGRAPH_KERNEL(ResourceApplyRMSProp);
DGRAPH_KERNEL(ResourceSparseApplyRMSProp);
DGRAPH_KERNEL(ResourceApplyCenteredRMSProp);
DGRAPH_KERNEL(ResourceSparseApplyCenteredRMSProp);
DGRAPH_KERNEL(ResourceApplyAdam);
DGRAPH_KERNEL(ResourceApplyAdaMax);
DGRAPH_KERNEL(ResourceApplyAddSign);
DGRAPH_KERNEL(ResourceApplyPowerSign);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/training.ipp>
#endif
