#pragma once
// CPU kernels of ops/variable_scatter.hpp, and of the same on handles in ops/resource_access.hpp: rows and slices of variables, one after another.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ScatterUpdate);
DGRAPH_KERNEL(ScatterAdd);
DGRAPH_KERNEL(ScatterSub);
DGRAPH_KERNEL(ScatterMul);
DGRAPH_KERNEL(ScatterDiv);
DGRAPH_KERNEL(ScatterMin);
DGRAPH_KERNEL(ScatterMax);
DGRAPH_KERNEL(ScatterNdUpdate);
DGRAPH_KERNEL(ScatterNdAdd);
DGRAPH_KERNEL(ScatterNdSub);
DGRAPH_KERNEL(ScatterNdMin);
DGRAPH_KERNEL(ScatterNdMax);

DGRAPH_KERNEL(ResourceScatterUpdate);
DGRAPH_KERNEL(ResourceScatterAdd);
DGRAPH_KERNEL(ResourceScatterSub);
DGRAPH_KERNEL(ResourceScatterMul);
DGRAPH_KERNEL(ResourceScatterDiv);
DGRAPH_KERNEL(ResourceScatterMin);
DGRAPH_KERNEL(ResourceScatterMax);
DGRAPH_KERNEL(ResourceScatterNdUpdate);
DGRAPH_KERNEL(ResourceScatterNdAdd);
DGRAPH_KERNEL(ResourceScatterNdSub);
DGRAPH_KERNEL(ResourceScatterNdMin);
DGRAPH_KERNEL(ResourceScatterNdMax);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/variable_scatter.ipp>
#endif
