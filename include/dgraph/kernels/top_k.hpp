#pragma once
// CPU kernels of ops/top_k.hpp.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(TopKV2);
DGRAPH_KERNEL(TopK);
DGRAPH_KERNEL(InTopK);
DGRAPH_KERNEL(InTopKV2);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/top_k.ipp>
#endif
