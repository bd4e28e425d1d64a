#pragma once
// Kernels of ops/random.hpp: Philox streams that give the numbers of TensorFlow for the same seeds.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(RandomUniform)
DGRAPH_KERNEL(RandomUniformInt)
DGRAPH_KERNEL(RandomStandardNormal)
DGRAPH_KERNEL(TruncatedNormal)
DGRAPH_KERNEL(RandomShuffle)
DGRAPH_KERNEL(StatelessRandomUniform)
DGRAPH_KERNEL(StatelessRandomUniformInt)
DGRAPH_KERNEL(StatelessRandomUniformFullInt)
DGRAPH_KERNEL(StatelessRandomNormal)
DGRAPH_KERNEL(StatelessTruncatedNormal)

}  // namespace dgraph
