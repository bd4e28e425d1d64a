#pragma once
// CPU kernels of what ops/resource_access.hpp reads of a variable by its handle.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(ResourceGather);
DGRAPH_KERNEL(VariableShape);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/resource_access.ipp>
#endif
