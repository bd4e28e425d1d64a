#pragma once
// CPU kernels of ops/cumulative.hpp: running sums and products, counts of values.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Cumsum);
DGRAPH_KERNEL(Cumprod);
DGRAPH_KERNEL(Bincount);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/cumulative.ipp>
#endif
