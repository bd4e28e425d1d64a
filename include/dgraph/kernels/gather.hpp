#pragma once
// CPU kernels of ops/gather.hpp: rows by index.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Gather);
DGRAPH_KERNEL(GatherV2);
DGRAPH_KERNEL(OneHot);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/gather.ipp>
#endif
