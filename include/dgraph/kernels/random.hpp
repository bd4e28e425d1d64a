#pragma once
// CPU kernels of ops/random.hpp: Philox streams that give TensorFlow's numbers for the same seeds.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(RandomUniform);
DGRAPH_KERNEL(RandomUniformInt);
DGRAPH_KERNEL(RandomStandardNormal);
DGRAPH_KERNEL(TruncatedNormal);
DGRAPH_KERNEL(RandomShuffle);
DGRAPH_KERNEL(Multinomial);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/random.ipp>
#endif
