#pragma once
// CPU kernels of ops/shape.hpp: placeholders, identities, what a shape is and how to change it,
// constants made from shapes.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Placeholder);
DGRAPH_KERNEL(PlaceholderWithDefault);
DGRAPH_KERNEL(Identity);
DGRAPH_KERNEL(IdentityN);
DGRAPH_KERNEL(StopGradient);
DGRAPH_KERNEL(Shape);
DGRAPH_KERNEL(ShapeN);
DGRAPH_KERNEL(Size);
DGRAPH_KERNEL(Rank);
DGRAPH_KERNEL(Reshape);
DGRAPH_KERNEL(ExpandDims);
DGRAPH_KERNEL(Squeeze);
DGRAPH_KERNEL(Fill);
DGRAPH_KERNEL(ZerosLike);
DGRAPH_KERNEL(OnesLike);
DGRAPH_KERNEL(BroadcastTo);
DGRAPH_KERNEL(BroadcastGradientArgs);
DGRAPH_KERNEL(Range);
DGRAPH_KERNEL(LinSpace);
DGRAPH_KERNEL(BroadcastArgs);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/shape.ipp>
#endif
