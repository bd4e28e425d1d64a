#pragma once
// CPU kernels of ops/gather_nd.hpp: slices by index vectors.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(GatherNd);
DGRAPH_KERNEL(ScatterNd);
DGRAPH_KERNEL(TensorScatterUpdate);
DGRAPH_KERNEL(TensorScatterAdd);
DGRAPH_KERNEL(TensorScatterSub);
DGRAPH_KERNEL(TensorScatterMin);
DGRAPH_KERNEL(TensorScatterMax);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/gather_nd.ipp>
#endif
