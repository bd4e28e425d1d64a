#pragma once
// CPU kernels of ops/padding.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Pad);
DGRAPH_KERNEL(PadV2);
DGRAPH_KERNEL(MirrorPad);
DGRAPH_KERNEL(MirrorPadGrad);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/padding.ipp>
#endif
