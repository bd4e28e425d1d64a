#pragma once
// CPU kernel of Cast, and the conversion itself for other kernels.

#include <array>
#include <cstddef>
#include <cstdint>

#include <dgraph/kernels/declare.hpp>

namespace dgraph {

DGRAPH_KERNEL(Cast);

/// The elements as another dtype, both plain. Complex to real drops the imaginary part, anything but zero is true, floats
/// round to nearest even into half and bfloat16. A float that an integer cannot hold gives its nearest bound, NaN 0.
Tensor cast_tensor(const Tensor& from, DType to);

namespace detail {

using CastLoop = void (*)(const void* from, void* to, std::int64_t n);

/// The loops that convert one plain dtype to another, run one after the other over a block; none where they are the same.
struct CastChain {
  std::array<CastLoop, 3> loops{};
  std::size_t count = 0;
  std::int64_t from_size = 0, to_size = 0;

  void add(CastLoop loop) { loops[count++] = loop; }
  /// Converts `n` elements; does nothing where the chain is empty.
  void run(const void* from, void* to, std::int64_t n) const;
};
CastChain make_cast_chain(DType from, DType to);

}  // namespace detail

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/cast.ipp>
#endif
