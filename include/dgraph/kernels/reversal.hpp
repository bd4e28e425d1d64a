#pragma once
// CPU kernels of ops/reversal.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ReverseV2);
DGRAPH_KERNEL(ReverseSequence);
DGRAPH_KERNEL(Roll);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/reversal.ipp>
#endif
