#pragma once
#include <dgraph/kernels/division.hpp>

#include <cmath>
#include <complex>

#include <dgraph/kernels/called.hpp>
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
template <class F>
Kernel guarded_kernel(const KernelRequest& request, double ns_each) {
  return elementwise_kernel(pick_loop<BinaryLoop, F, Width::Baseline, Floats>(request, ns_each));
}

// Zero of zero, whatever y is.
struct XdivyF {
  template <class T>
  static T of(const T& x, const T& y) {
    return x == T(0) ? T(0) : x / y;
  }
};
struct XlogyF {
  template <class T>
  static T of(const T& x, const T& y) {
    return x == T(0) ? T(0) : MulF::of(x, T(std::log(y)));
  }
};
struct Xlog1pyF {
  template <class T>
  static T of(const T& x, const T& y) {
    if (x == T(0)) return T(0);
    if constexpr (is_complex_element<T>)
      return MulF::of(x, Log1pF::of(y));
    else
      return x * std::log1p(y);
  }
};
template <class F>
Kernel zero_wins_kernel(const KernelRequest& request, double ns_each) {
  using C = std::complex<double>;
  const BinaryCall call{[](double x, double y) { return F::of(x, y); },
                        [](const C& x, const C& y) { return F::of(x, y); }};
  return elementwise_kernel(called_spec(request, call, ns_each));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Inv>::make(const KernelRequest& r) {
  return Kernels<ops::Reciprocal>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::InvGrad>::make(const KernelRequest& r) {
  return Kernels<ops::ReciprocalGrad>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::TruncateDiv>::make(const KernelRequest& r) {
  using namespace detail;
  if (is_integer(r.input_dtypes[0])) return Kernels<ops::Div>::make(r);
  return elementwise_kernel(pick_loop<BinaryLoop, TruncateDivF, Width::Baseline, RealFloats>(r, 4));
}
DGRAPH_DECL Kernel Kernels<ops::TruncateMod>::make(const KernelRequest& r) {
  using namespace detail;
  if (is_integer(r.input_dtypes[0]))
    return elementwise_kernel(pick_loop<FaultyBinaryLoop, IntTruncateModF, Width::Baseline,
                                        Types<std::int32_t, std::int64_t>>(r, 3));
  // The remainder of two floats is exact also in double.
  return elementwise_kernel(
      called_spec(r, BinaryCall{[](double x, double y) { return std::fmod(x, y); }}, 10));
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
  return detail::zero_wins_kernel<detail::XdivyF>(r, 3);
}
DGRAPH_DECL Kernel Kernels<ops::Xlogy>::make(const KernelRequest& r) {
  return detail::zero_wins_kernel<detail::XlogyF>(r, 10);
}
DGRAPH_DECL Kernel Kernels<ops::Xlog1py>::make(const KernelRequest& r) {
  return detail::zero_wins_kernel<detail::Xlog1pyF>(r, 12);
}

}  // namespace dgraph
