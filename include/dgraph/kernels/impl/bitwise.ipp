#pragma once
#include <dgraph/kernels/bitwise.hpp>

#include <limits>
#include <memory>

#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

// Integers of every size are strings of bytes here: `param` is the size of one.
template <class F>
struct BitsLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n,
                                         const void* param) {
    const auto* const a = static_cast<const std::uint8_t*>(in[0]);
    const auto* const b = static_cast<const std::uint8_t*>(in[1] ? in[1] : in[0]);
    auto* const y = static_cast<std::uint8_t*>(out);
    const std::int64_t bytes = n * *static_cast<const std::int64_t*>(param);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < bytes; ++i) y[i] = static_cast<std::uint8_t>(F::of(a[i], b[i]));
    return kNoFault;
  }
};
struct BitAndF {
  DGRAPH_INLINE static int of(int a, int b) { return a & b; }
};
struct BitOrF {
  DGRAPH_INLINE static int of(int a, int b) { return a | b; }
};
struct BitXorF {
  DGRAPH_INLINE static int of(int a, int b) { return a ^ b; }
};
struct BitNotF {
  DGRAPH_INLINE static int of(int a, int) { return ~a; }
};
template <class F>
Kernel bits_kernel(const KernelRequest& request) {
  const DType dtype = request.input_dtypes[0];
  if (!is_integer(dtype)) no_kernel_for(request, dtype);
  ElementwiseSpec spec;
  spec.ns_each = memory_ns(dtype);
  spec.loop = simd_up_to_avx2<BitsLoop<F>>();
  spec.param = std::make_shared<const std::int64_t>(static_cast<std::int64_t>(dtype_size(dtype)));
  return elementwise_kernel(std::move(spec));
}

/// A shift that the language defines: below 0 by nothing, by the width or more by all bits but one.
template <class T>
DGRAPH_INLINE int shift_of(T by) {
  constexpr T most = std::numeric_limits<std::make_unsigned_t<T>>::digits - 1;
  if (by > most) return static_cast<int>(most);
  return by < T(0) ? 0 : static_cast<int>(by);
}
struct LeftShiftF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T by) {
    return static_cast<T>(static_cast<std::uint64_t>(x) << shift_of(by));
  }
};
struct RightShiftF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T by) {
    return static_cast<T>(x >> shift_of(by));
  }
};

// The sign decides what comes in.
template <class F>
Kernel shift_kernel(const KernelRequest& request) {
  return elementwise_kernel(
      pick_loop<BinaryLoop, F, Width::Baseline, SignedInts, UnsignedInts>(request, 0.8));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::BitwiseAnd>::make(const KernelRequest& r) {
  return detail::bits_kernel<detail::BitAndF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::BitwiseOr>::make(const KernelRequest& r) {
  return detail::bits_kernel<detail::BitOrF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::BitwiseXor>::make(const KernelRequest& r) {
  return detail::bits_kernel<detail::BitXorF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Invert>::make(const KernelRequest& r) {
  return detail::bits_kernel<detail::BitNotF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::LeftShift>::make(const KernelRequest& r) {
  return detail::shift_kernel<detail::LeftShiftF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::RightShift>::make(const KernelRequest& r) {
  return detail::shift_kernel<detail::RightShiftF>(r);
}

}  // namespace dgraph
