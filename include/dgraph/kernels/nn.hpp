#pragma once
// Kernels of ops/nn.hpp: biases, softmax and its losses.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(BiasAdd)
DGRAPH_KERNEL(BiasAddGrad)
DGRAPH_KERNEL(Softmax)
DGRAPH_KERNEL(LogSoftmax)
DGRAPH_KERNEL(SoftmaxCrossEntropyWithLogits)
DGRAPH_KERNEL(SparseSoftmaxCrossEntropyWithLogits)
DGRAPH_KERNEL(L2Loss)

}  // namespace dgraph
