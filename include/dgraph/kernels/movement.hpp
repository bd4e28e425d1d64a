#pragma once
// CPU kernels of ops/movement.hpp: transposing, joining, cutting and repeating. They only move
// elements, so each is compiled once.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Transpose);
DGRAPH_KERNEL(InvertPermutation);
DGRAPH_KERNEL(ConcatV2);
DGRAPH_KERNEL(ConcatOffset);
DGRAPH_KERNEL(Pack);
DGRAPH_KERNEL(Unpack);
DGRAPH_KERNEL(Split);
DGRAPH_KERNEL(SplitV);
DGRAPH_KERNEL(Slice);
DGRAPH_KERNEL(StridedSlice);
DGRAPH_KERNEL(StridedSliceGrad);
DGRAPH_KERNEL(Tile);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/movement.ipp>
#endif
