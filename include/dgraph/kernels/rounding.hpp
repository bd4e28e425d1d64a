#pragma once
// CPU kernels of ops/rounding.hpp: whole numbers, bounds, and tests for NaN and infinities.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Ceil);
DGRAPH_KERNEL(Floor);
DGRAPH_KERNEL(Rint);
DGRAPH_KERNEL(Round);
DGRAPH_KERNEL(IsFinite);
DGRAPH_KERNEL(IsInf);
DGRAPH_KERNEL(IsNan);
DGRAPH_KERNEL(ClipByValue);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/rounding.ipp>
#endif
