#pragma once
// CPU kernels of ops/stateless_random.hpp: TensorFlow's numbers for the same seeds.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(StatelessRandomUniform);
DGRAPH_KERNEL(StatelessRandomNormal);
DGRAPH_KERNEL(StatelessTruncatedNormal);
DGRAPH_KERNEL(StatelessRandomUniformInt);
DGRAPH_KERNEL(StatelessRandomUniformFullInt);
DGRAPH_KERNEL(StatelessMultinomial);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/stateless_random.ipp>
#endif
