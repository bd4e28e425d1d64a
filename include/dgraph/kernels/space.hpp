#pragma once
// CPU kernels of ops/space.hpp. They only move elements.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(SpaceToBatchND);
DGRAPH_KERNEL(BatchToSpaceND);
DGRAPH_KERNEL(SpaceToDepth);
DGRAPH_KERNEL(DepthToSpace);
DGRAPH_KERNEL(ExtractImagePatches);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/space.ipp>
#endif
