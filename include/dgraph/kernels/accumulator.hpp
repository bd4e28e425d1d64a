#pragma once
// CPU kernels of ops/accumulator.hpp. Those that wait hold no thread.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ConditionalAccumulator);
DGRAPH_KERNEL(ResourceConditionalAccumulator);
DGRAPH_KERNEL(AccumulatorApplyGradient);
DGRAPH_KERNEL(ResourceAccumulatorApplyGradient);
DGRAPH_KERNEL(AccumulatorNumAccumulated);
DGRAPH_KERNEL(ResourceAccumulatorNumAccumulated);
DGRAPH_KERNEL(AccumulatorSetGlobalStep);
DGRAPH_KERNEL(ResourceAccumulatorSetGlobalStep);
DGRAPH_KERNEL(AccumulatorTakeGradient);
DGRAPH_KERNEL(ResourceAccumulatorTakeGradient);
DGRAPH_KERNEL(SparseConditionalAccumulator);
DGRAPH_KERNEL(SparseAccumulatorApplyGradient);
DGRAPH_KERNEL(SparseAccumulatorTakeGradient);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/accumulator.ipp>
#endif
