#pragma once
// Copies between strided blocks of memory: what Transpose, Slice, Concat, Tile, Pad, BroadcastTo
// and the like all come down to. Compiled once for each element size and for strings.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <dgraph/base/dtype.hpp>
#include <dgraph/base/shape.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

/// Plain elements of N bytes that are only moved; may alias any other type.
template <class Word, int N>
struct [[gnu::may_alias]] Bits {
  Word words[N];
};

/// Calls `f.template operator()<E>()` with the type that stands for elements of `dtype` when they
/// are only moved.
template <class F>
decltype(auto) with_moved_type(DType dtype, F&& f) {
  switch (dtype_size(dtype)) {
    case 1:
      return f.template operator()<Bits<std::uint8_t, 1>>();
    case 2:
      return f.template operator()<Bits<std::uint16_t, 1>>();
    case 4:
      return f.template operator()<Bits<std::uint32_t, 1>>();
    case 8:
      return f.template operator()<Bits<std::uint32_t, 2>>();
    case 16:
      return f.template operator()<Bits<std::uint32_t, 4>>();
    default:
      if (dtype != DType::String)
        fail(Code::Unimplemented, "elements of ", dtype_name(dtype), " cannot be moved about");
      return f.template operator()<std::string>();
  }
}

/// The strides, in elements, of row-major memory of that shape.
Dims row_major_strides(std::span<const std::int64_t> sizes);

/// to[i · to_strides] = from[i · from_strides] for all index vectors i below `sizes`; strides are
/// in elements and may be 0 or negative on the `from` side. The blocks do not overlap. Large copies
/// are split over the pool.
void copy_strided(const KernelContext& context, DType dtype, const Dims& sizes,
                  const std::byte* from, const Dims& from_strides, std::byte* to,
                  const Dims& to_strides);

/// `count` copies of one element.
void fill_elements(DType dtype, const std::byte* element, std::byte* to, std::int64_t count);

/// `count` elements to memory that does not overlap.
inline void copy_elements(DType dtype, const std::byte* from, std::byte* to, std::int64_t count) {
  if (dtype == DType::String)
    std::copy_n(reinterpret_cast<const std::string*>(from), count,
                reinterpret_cast<std::string*>(to));
  else if (count > 0)
    std::memcpy(to, from, static_cast<std::size_t>(count) * dtype_size(dtype));
}

/// Address of element `offset` of an array.
inline const std::byte* element_at(DType dtype, const std::byte* base,
                                   std::int64_t offset) noexcept {
  return base + offset * static_cast<std::int64_t>(dtype_size(dtype));
}
inline std::byte* element_at(DType dtype, std::byte* base, std::int64_t offset) noexcept {
  return base + offset * static_cast<std::int64_t>(dtype_size(dtype));
}

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/strided.ipp>
#endif
