#pragma once
#include <dgraph/kernels/bitwise.hpp>

#include <limits>

#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

struct BitAndF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOrF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXorF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct BitNotF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return static_cast<T>(~x);
  }
};
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

template <class F>
Kernel bits_kernel(const KernelRequest& request) {
  return elementwise_kernel(
      pick_wrapping_loop<BinaryLoop, F, Width::Auto, SignedInts, UnsignedInts>(request));
}
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
  return detail::elementwise_kernel(
      detail::pick_wrapping_loop<detail::UnaryLoop, detail::BitNotF, detail::Width::Auto,
                                 detail::SignedInts, detail::UnsignedInts>(r));
}
DGRAPH_DECL Kernel Kernels<ops::LeftShift>::make(const KernelRequest& r) {
  return detail::shift_kernel<detail::LeftShiftF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::RightShift>::make(const KernelRequest& r) {
  return detail::shift_kernel<detail::RightShiftF>(r);
}

}  // namespace dgraph
