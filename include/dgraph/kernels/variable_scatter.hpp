#pragma once
// CPU kernels of ops/variable_scatter.hpp: rows and slices of variables, one after another.

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

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/variable_scatter.ipp>
#endif
