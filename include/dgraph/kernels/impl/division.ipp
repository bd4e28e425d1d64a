#pragma once
#include <dgraph/kernels/division.hpp>

#include <cmath>

#include <dgraph/kernels/functions.hpp>
#include <dgraph/kernels/math.hpp>

namespace dgraph {
namespace detail {

struct TruncateDivF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return std::trunc(a / b);
  }
};
struct TruncateModF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return std::fmod(a, b);
  }
};
struct IntTruncateModF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b, std::uint32_t& faults) {
    if (b == 0) {
      faults |= kDivisionByZero;
      return 0;
    }
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
// Zero by zero, whatever x is.
struct DivNoNanF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T y) {
    return y == T(0) ? T(0) : x / y;
  }
};
struct MulNoNanF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T y) {
    return y == T(0) ? T(0) : MulF::of(x, y);
  }
};
// Zero of zero, whatever y is.
struct XdivyF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T y) {
    return x == T(0) ? T(0) : x / y;
  }
};
struct XlogyF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T y) {
    return x == T(0) ? T(0) : MulF::of(x, LogF::of(y));
  }
};
struct Xlog1pyF {
  template <class T>
  DGRAPH_INLINE static T of(T x, T y) {
    return x == T(0) ? T(0) : MulF::of(x, Log1pF::of(y));
  }
};

template <class F>
Kernel guarded_kernel(const KernelRequest& request, double ns_each) {
  return elementwise_kernel(pick_loop<BinaryLoop, F, Width::Baseline, Floats>(request, ns_each));
}
template <class F, class IntF>
Kernel truncating_kernel(const KernelRequest& request) {
  if (is_integer(request.input_dtypes[0]))
    return elementwise_kernel(
        pick_loop<FaultyBinaryLoop, IntF, Width::Baseline, SignedInts, UnsignedInts>(request, 3));
  return elementwise_kernel(pick_loop<BinaryLoop, F, Width::Baseline, RealFloats>(request, 8));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Inv>::make(const KernelRequest& r) {
  return Kernels<ops::Reciprocal>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::InvGrad>::make(const KernelRequest& r) {
  return Kernels<ops::ReciprocalGrad>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::TruncateDiv>::make(const KernelRequest& r) {
  return is_integer(r.input_dtypes[0])
             ? Kernels<ops::Div>::make(r)
             : detail::elementwise_kernel(
                   detail::pick_loop<detail::BinaryLoop, detail::TruncateDivF,
                                     detail::Width::Baseline, detail::RealFloats>(r, 4));
}
DGRAPH_DECL Kernel Kernels<ops::TruncateMod>::make(const KernelRequest& r) {
  return detail::truncating_kernel<detail::TruncateModF, detail::IntTruncateModF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Mod>::make(const KernelRequest& r) {
  return Kernels<ops::TruncateMod>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::DivNoNan>::make(const KernelRequest& r) {
  return detail::guarded_kernel<detail::DivNoNanF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::MulNoNan>::make(const KernelRequest& r) {
  return detail::guarded_kernel<detail::MulNoNanF>(r, 0.5);
}
DGRAPH_DECL Kernel Kernels<ops::Xdivy>::make(const KernelRequest& r) {
  return detail::guarded_kernel<detail::XdivyF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::Xlogy>::make(const KernelRequest& r) {
  return detail::guarded_kernel<detail::XlogyF>(r, 5);
}
DGRAPH_DECL Kernel Kernels<ops::Xlog1py>::make(const KernelRequest& r) {
  return detail::guarded_kernel<detail::Xlog1pyF>(r, 5);
}

}  // namespace dgraph
