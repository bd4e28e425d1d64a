#pragma once
#include <dgraph/kernels/rounding.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/math.hpp>

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

// The loops of Minimum and Maximum, one after the other, block by block. Both let NaN through.
struct ClipConfig {
  ElementwiseSpec least, most;
  std::int64_t size;
};
DGRAPH_DECL std::uint32_t clip_loop(const void* const* in, void* out, std::int64_t n,
                                    const void* param) {
  const ClipConfig& config = *static_cast<const ClipConfig*>(param);
  constexpr std::int64_t kBlock = 1024;
  alignas(64) std::byte capped[kBlock * 8];
  for (std::int64_t at = 0; at < n; at += kBlock) {
    const std::int64_t count = std::min(kBlock, n - at);
    const auto part = [&](std::size_t k) {
      return static_cast<const std::byte*>(in[k]) + at * config.size;
    };
    const void* const first[kMaxOperands] = {part(0), part(2)};
    config.least.loop(first, capped, count, config.least.param.get());
    const void* const second[kMaxOperands] = {capped, part(1)};
    config.most.loop(second, static_cast<std::byte*>(out) + at * config.size, count,
                     config.most.param.get());
  }
  return kNoFault;
}

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
  const auto spec_of = [](const Kernel& kernel) {
    return *static_cast<const ElementwiseSpec*>(kernel.config.get());
  };
  ElementwiseSpec spec;
  spec.ns_each = 2 * memory_ns(dtype);
  spec.loop = &clip_loop;
  spec.param = std::make_shared<const ClipConfig>(
      ClipConfig{spec_of(Kernels<ops::Minimum>::make(r)), spec_of(Kernels<ops::Maximum>::make(r)),
                 static_cast<std::int64_t>(dtype_size(dtype))});
  Kernel kernel = elementwise_kernel(std::move(spec));
  kernel.run = &run_clip;
  return kernel;
}

}  // namespace dgraph
