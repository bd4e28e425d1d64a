#pragma once
// CPU kernels of ops/gather.hpp: rows by index.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Gather);
DGRAPH_KERNEL(GatherV2);
DGRAPH_KERNEL(OneHot);

namespace detail {

/// Slices of input 0 along the axis, at the places that input 1 names, as output 0; the first batch_dims dimensions, not more
/// than the axis, agree. InvalidArgument for an index out of range.
void gather_along(KernelContext& c, std::size_t axis, std::size_t batch_dims);

}  // namespace detail

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/gather.ipp>
#endif
