#pragma once
#include <dgraph/kernels/rounding.hpp>

#include <cmath>
#include <limits>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

struct CeilF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return std::ceil(x);
  }
};
struct FloorF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return std::floor(x);
  }
};
// Halves go to the even neighbour, as in the rounding mode that nobody changes.
struct RintF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>)
      return T(std::nearbyint(x.real()), std::nearbyint(x.imag()));
    else
      return std::nearbyint(x);
  }
};
struct IsNanF {
  template <class T>
  DGRAPH_INLINE static bool of(T x) {
    return x != x;
  }
};
struct IsInfF {
  template <class T>
  DGRAPH_INLINE static bool of(T x) {
    return x > std::numeric_limits<T>::max() || x < std::numeric_limits<T>::lowest();
  }
};
struct IsFiniteF {
  template <class T>
  DGRAPH_INLINE static bool of(T x) {
    return x <= std::numeric_limits<T>::max() && x >= std::numeric_limits<T>::lowest();
  }
};

template <class F>
Kernel rounding_kernel(const KernelRequest& request) {
  return elementwise_kernel(pick_loop<UnaryLoop, F, Width::Auto, RealFloats>(request, 0.8));
}

// NaN is neither below nor above: it stays.
template <class T>
struct ClipLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n,
                                         const void*) {
    const T *const x = static_cast<const T*>(in[0]), *const low = static_cast<const T*>(in[1]);
    const T* const high = static_cast<const T*>(in[2]);
    T* const y = static_cast<T*>(out);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      const T capped = x[i] > high[i] ? high[i] : x[i];
      y[i] = capped < low[i] ? low[i] : capped;
    }
    return kNoFault;
  }
};

DGRAPH_DECL void run_clip(KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  for (std::size_t k = 1; k < 3; ++k)
    if (context.input(k).rank() != 0 && !(context.input(k).shape() == shape))
      fail(Code::InvalidArgument,
           "clip_value_min and clip_value_max must be scalars or of the shape ", shape,
           " of the input, not ", context.input(k).shape());
  run_elementwise(context);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Ceil>::make(const KernelRequest& r) {
  return detail::rounding_kernel<detail::CeilF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Floor>::make(const KernelRequest& r) {
  return detail::rounding_kernel<detail::FloorF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Rint>::make(const KernelRequest& r) {
  return detail::rounding_kernel<detail::RintF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Round>::make(const KernelRequest& r) {
  if (is_integer(r.input_dtypes[0]))
    return detail::plain_kernel([](KernelContext& c) { c.set_output(0, c.take_input(0)); }, true);
  if (is_complex(r.input_dtypes[0]))
    return detail::elementwise_kernel(
        detail::pick_loop<detail::UnaryLoop, detail::RintF, detail::Width::Baseline,
                          detail::Complexes>(r, 2));
  return Kernels<ops::Rint>::make(r);
}
DGRAPH_DECL Kernel Kernels<ops::IsFinite>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(
      detail::pick_predicate<detail::UnaryLoop, detail::IsFiniteF, detail::RealFloats>(r));
}
DGRAPH_DECL Kernel Kernels<ops::IsInf>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(
      detail::pick_predicate<detail::UnaryLoop, detail::IsInfF, detail::RealFloats>(r));
}
DGRAPH_DECL Kernel Kernels<ops::IsNan>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(
      detail::pick_predicate<detail::UnaryLoop, detail::IsNanF, detail::RealFloats>(r));
}
DGRAPH_DECL Kernel Kernels<ops::ClipByValue>::make(const KernelRequest& r) {
  using namespace detail;
  const DType dtype = r.input_dtypes[0];
  ElementwiseSpec spec;
  spec.ns_each = memory_ns(dtype);
  dispatch<RealFloats, SignedInts, UnsignedInts>(r, dtype, [&spec]<class T>() {
    if constexpr (is_small_float<T>) {
      spec.loop = bind_loop<ClipLoop<float>, float, Width::Auto>();
      spec = through_float(std::move(spec), dtype_of<T>);
    } else {
      spec.loop = bind_loop < ClipLoop<T>, T,
      std::is_integral_v<T> ? Width::Baseline : Width::Auto > ();
    }
  });
  Kernel kernel = elementwise_kernel(std::move(spec));
  kernel.run = &run_clip;
  return kernel;
}

}  // namespace dgraph
