#pragma once
// Kernels of ops/array.hpp: shapes, movement of data, indexing. What only moves data is compiled once for each element size.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Identity)
DGRAPH_KERNEL(IdentityN)
DGRAPH_KERNEL(StopGradient)
DGRAPH_KERNEL(Shape)
DGRAPH_KERNEL(ShapeN)
DGRAPH_KERNEL(Size)
DGRAPH_KERNEL(Rank)
DGRAPH_KERNEL(Reshape)
DGRAPH_KERNEL(ExpandDims)
DGRAPH_KERNEL(Squeeze)
DGRAPH_KERNEL(ZerosLike)
DGRAPH_KERNEL(OnesLike)
DGRAPH_KERNEL(Fill)
DGRAPH_KERNEL(Range)
DGRAPH_KERNEL(InvertPermutation)
DGRAPH_KERNEL(BroadcastArgs)
DGRAPH_KERNEL(BroadcastGradientArgs)
DGRAPH_KERNEL(ConcatOffset)
DGRAPH_KERNEL(Transpose)
DGRAPH_KERNEL(ConcatV2)
DGRAPH_KERNEL(Pack)
DGRAPH_KERNEL(Unpack)
DGRAPH_KERNEL(Split)
DGRAPH_KERNEL(SplitV)
DGRAPH_KERNEL(Slice)
DGRAPH_KERNEL(StridedSlice)
DGRAPH_KERNEL(StridedSliceGrad)
DGRAPH_KERNEL(BroadcastTo)
DGRAPH_KERNEL(Tile)
DGRAPH_KERNEL(Pad)
DGRAPH_KERNEL(PadV2)
DGRAPH_KERNEL(Gather)
DGRAPH_KERNEL(GatherV2)
DGRAPH_KERNEL(OneHot)
DGRAPH_KERNEL(UnsortedSegmentSum)

}  // namespace dgraph
