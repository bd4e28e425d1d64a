#pragma once
// CPU kernels of ops/state.hpp: variables, assignments, counting, gradient descent.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(VariableV2);
DGRAPH_KERNEL(Variable);
DGRAPH_KERNEL(IsVariableInitialized);
DGRAPH_KERNEL(Assign);
DGRAPH_KERNEL(AssignAdd);
DGRAPH_KERNEL(AssignSub);
DGRAPH_KERNEL(ApplyGradientDescent);
DGRAPH_KERNEL(CountUpTo);
DGRAPH_KERNEL(VarHandleOp);
DGRAPH_KERNEL(ReadVariableOp);
DGRAPH_KERNEL(VarIsInitializedOp);
DGRAPH_KERNEL(AssignVariableOp);
DGRAPH_KERNEL(AssignAddVariableOp);
DGRAPH_KERNEL(AssignSubVariableOp);
DGRAPH_KERNEL(ResourceApplyGradientDescent);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/state.ipp>
#endif
