#pragma once
// CPU kernels of ops/selection.hpp: SelectV2, Where.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(SelectV2);
DGRAPH_KERNEL(Where);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/selection.ipp>
#endif
