#pragma once
// CPU kernels of ops/nn.hpp: biases, softmax and its losses, activations.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(BiasAdd);
DGRAPH_KERNEL(BiasAddGrad);
DGRAPH_KERNEL(Softmax);
DGRAPH_KERNEL(LogSoftmax);
DGRAPH_KERNEL(SoftmaxCrossEntropyWithLogits);
DGRAPH_KERNEL(SparseSoftmaxCrossEntropyWithLogits);
DGRAPH_KERNEL(L2Loss);
DGRAPH_KERNEL(Relu6);
DGRAPH_KERNEL(Relu6Grad);
DGRAPH_KERNEL(Elu);
DGRAPH_KERNEL(EluGrad);
DGRAPH_KERNEL(Selu);
DGRAPH_KERNEL(SeluGrad);
DGRAPH_KERNEL(LeakyRelu);
DGRAPH_KERNEL(LeakyReluGrad);
DGRAPH_KERNEL(Softplus);
DGRAPH_KERNEL(SoftplusGrad);
DGRAPH_KERNEL(Softsign);
DGRAPH_KERNEL(SoftsignGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/activations.ipp>
#include <dgraph/kernels/impl/nn.ipp>
#endif
