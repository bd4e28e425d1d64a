#pragma once
// CPU kernels of ops/bitwise.hpp: the bits of integers.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(BitwiseAnd);
DGRAPH_KERNEL(BitwiseOr);
DGRAPH_KERNEL(BitwiseXor);
DGRAPH_KERNEL(Invert);
DGRAPH_KERNEL(LeftShift);
DGRAPH_KERNEL(RightShift);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/bitwise.ipp>
#endif
