#pragma once
// CPU kernel of Cast, and the conversion itself for other kernels.

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Cast);

/// The elements as another dtype, both plain. Complex to real drops the imaginary part, anything but zero is true, floats
/// round to nearest even into half and bfloat16. A float that an integer cannot hold gives its nearest bound, NaN 0.
Tensor cast_tensor(const Tensor& from, DType to);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/cast.ipp>
#endif
