#pragma once
#include <dgraph/kernels/compare.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

struct EqualF {
  template <class T>
  DGRAPH_INLINE static bool of(T a, T b) {
    return a == b;
  }
};
struct LessF {
  template <class T>
  DGRAPH_INLINE static bool of(T a, T b) {
    return a < b;
  }
};
struct LessEqualF {
  template <class T>
  DGRAPH_INLINE static bool of(T a, T b) {
    return a <= b;
  }
};
struct AndF {
  DGRAPH_INLINE static std::uint8_t of(std::uint8_t a, std::uint8_t b) { return a & b; }
};
struct OrF {
  DGRAPH_INLINE static std::uint8_t of(std::uint8_t a, std::uint8_t b) { return a | b; }
};
struct NotF {
  DGRAPH_INLINE static std::uint8_t of(std::uint8_t x) { return x ^ 1; }
};

// a > b is b < a, and so on: half of the comparisons are made of the other half.
struct ComparisonConfig {
  ElementwiseSpec of;
  bool swap, negate;
};
DGRAPH_DECL std::uint32_t compare_differently(const void* const* in, void* out, std::int64_t n, const void* param) {
  const ComparisonConfig& config = *static_cast<const ComparisonConfig*>(param);
  const void* const swapped[kMaxOperands] = {in[1], in[0]};
  config.of.loop(config.swap ? swapped : in, out, n, config.of.param.get());
  if (config.negate)
    for (std::int64_t i = 0; i < n; ++i) static_cast<std::uint8_t*>(out)[i] ^= 1;
  return kNoFault;
}
DGRAPH_DECL ElementwiseSpec compared_differently(ElementwiseSpec of, bool swap, bool negate) {
  ElementwiseSpec spec;
  spec.loop = &compare_differently;
  spec.ns_each = of.ns_each;
  spec.param = std::make_shared<const ComparisonConfig>(ComparisonConfig{std::move(of), swap, negate});
  return spec;
}

template <class F>
ElementwiseSpec order_spec(const KernelRequest& request) {
  return pick_predicate<BinaryLoop, F, RealFloats, SignedInts, UnsignedInts>(request);
}

DGRAPH_DECL std::uint32_t equal_strings(const void* const* in, void* out, std::int64_t n, const void*) {
  const auto* a = static_cast<const std::string* const*>(in[0]);
  const auto* b = static_cast<const std::string* const*>(in[1]);
  auto* y = static_cast<bool*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = *a[i] == *b[i];
  return kNoFault;
}

// Gives `Want` wherever the shapes do not fit, if the attribute asks for that instead of an error.
template <bool Want>
void run_equal(KernelContext& context) {
  const Shape &a = context.input(0).shape(), &b = context.input(1).shape();
  for (std::size_t back = 1; back <= std::min(a.rank(), b.rank()); ++back) {
    const std::int64_t x = a[a.rank() - back], y = b[b.rank() - back];
    if (x == y || x == 1 || y == 1) continue;
    context.set_output(0, Tensor::scalar(!Want));
    return;
  }
  run_elementwise(context);
}

DGRAPH_DECL ElementwiseSpec equality_spec(const KernelRequest& request) {
  const DType dtype = request.input_dtypes[0];
  ElementwiseSpec spec;
  if (dtype == DType::String) {
    spec.loop = &equal_strings;
    spec.ns_each = 10;
  } else if (is_integer(dtype) || dtype == DType::Bool) {
    // Equal bits are equal integers.
    spec.ns_each = memory_ns(dtype);
    switch (dtype_size(dtype)) {
      case 1: bind_spec<BinaryLoop, EqualF, std::uint8_t, bool, Width::Auto>(spec); break;
      case 2: bind_spec<BinaryLoop, EqualF, std::uint16_t, bool, Width::Auto>(spec); break;
      case 4: bind_spec<BinaryLoop, EqualF, std::uint32_t, bool, Width::Auto>(spec); break;
      default: bind_spec<BinaryLoop, EqualF, std::uint64_t, bool, Width::Auto>(spec);
    }
  } else {
    spec = pick_predicate<BinaryLoop, EqualF, Floats>(request);
  }
  return spec;
}

template <bool Want>
Kernel equality_kernel(const KernelRequest& request) {
  ElementwiseSpec spec = equality_spec(request);
  Kernel kernel = elementwise_kernel(Want ? std::move(spec) : compared_differently(std::move(spec), false, true));
  if (!request.attr<bool>("incompatible_shape_error")) kernel.run = &run_equal<Want>;
  return kernel;
}

// Integers are compared as int64 or uint64, to which `widen` brings them.
struct ApproximateConfig {
  CastChain widen;
  double tolerance;
};
template <class T>
std::uint32_t approximate_loop(const void* const* in, void* out, std::int64_t n, const void* param) {
  const ApproximateConfig& config = *static_cast<const ApproximateConfig*>(param);
  bool* const y = static_cast<bool*>(out);
  const T tolerance = static_cast<T>(config.tolerance);
  constexpr std::int64_t kBlock = 512;
  T blocks[2][kBlock];
  for (std::int64_t at = 0; at < n; at += kBlock) {
    const std::int64_t count = std::min(kBlock, n - at);
    const T* sides[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const std::byte* const from = static_cast<const std::byte*>(in[k]) + at * config.widen.from_size;
      config.widen.run(from, blocks[k], count);
      sides[k] = config.widen.count ? blocks[k] : reinterpret_cast<const T*>(from);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const T a = sides[0][i], b = sides[1][i];
      if constexpr (std::is_integral_v<T>) {
        const auto apart = static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
        y[at + i] = apart < static_cast<std::uint64_t>(tolerance);
      } else {
        y[at + i] = std::abs(a - b) < tolerance;
      }
    }
  }
  return kNoFault;
}

// Bools are bytes of 0 or 1.
template <template <class, class, class> class Loop, class F>
Kernel logic_kernel() {
  ElementwiseSpec spec;
  spec.ns_each = memory_ns(DType::Bool);
  spec.loop = simd_baseline<Loop<F, std::uint8_t, std::uint8_t>>();
  return elementwise_kernel(std::move(spec));
}

template <class Unit>
struct SelectLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const auto* const condition = static_cast<const std::uint8_t*>(in[0]);
    const Unit* const a = static_cast<const Unit*>(in[1]);
    const Unit* const b = static_cast<const Unit*>(in[2]);
    Unit* const y = static_cast<Unit*>(out);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) y[i] = condition[i] ? a[i] : b[i];
    return kNoFault;
  }
};
// 16 bytes, copied one word after the other.
struct SelectPairLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const auto* const condition = static_cast<const std::uint8_t*>(in[0]);
    const auto* const a = static_cast<const std::complex<double>*>(in[1]);
    const auto* const b = static_cast<const std::complex<double>*>(in[2]);
    auto* const y = static_cast<std::complex<double>*>(out);
    for (std::int64_t i = 0; i < n; ++i) y[i] = condition[i] ? a[i] : b[i];
    return kNoFault;
  }
};
DGRAPH_DECL std::uint32_t select_strings(const void* const* in, void* out, std::int64_t n, const void*) {
  const auto* condition = static_cast<const std::uint8_t*>(in[0]);
  const auto* a = static_cast<const std::string* const*>(in[1]);
  const auto* b = static_cast<const std::string* const*>(in[2]);
  auto* y = static_cast<std::string*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = condition[i] ? *a[i] : *b[i];
  return kNoFault;
}

DGRAPH_DECL ElementwiseSpec select_spec(const KernelRequest& request) {
  const DType dtype = request.output_dtypes[0];
  ElementwiseSpec spec;
  spec.ns_each = memory_ns(dtype);
  if (dtype == DType::String) {
    spec.loop = &select_strings;
    spec.ns_each = 20;
    return spec;
  }
  switch (dtype_size(dtype)) {
    case 1: spec.loop = simd_baseline<SelectLoop<std::uint8_t>>(); break;
    case 2: spec.loop = simd_baseline<SelectLoop<std::uint16_t>>(); break;
    case 4: spec.loop = simd_up_to_avx2<SelectLoop<std::uint32_t>>(); break;
    case 8: spec.loop = simd_up_to_avx2<SelectLoop<std::uint64_t>>(); break;
    case 16: spec.loop = simd_baseline<SelectPairLoop>(); break;
    default: no_kernel_for(request, dtype);
  }
  return spec;
}

// A scalar condition picks a tensor, a vector picks rows, a condition of the same shape picks elements.
DGRAPH_DECL void run_select(KernelContext& context) {
  const Shape condition = context.input(0).shape();
  const Shape shape = context.input(1).shape();
  if (!(shape == context.input(2).shape()))
    fail(Code::InvalidArgument, "then and else must have the same shape, not ", shape, " and ",
         context.input(2).shape());
  if (condition == shape) return run_elementwise(context);
  if (condition.rank() == 0) {
    const bool first = context.input(0).item<bool>();
    return context.set_output(0, context.take_input(first ? 1 : 2));
  }
  if (condition.rank() != 1 || shape.rank() == 0 || condition[0] != shape[0])
    fail(Code::InvalidArgument, "the condition must be a scalar, a vector of as many elements as there are rows, or of "
         "the shape of the others, not of shape ", condition, " with ", shape);
  Dims rows(shape.rank(), 1);
  rows[0] = condition[0];
  Tensor inputs[3] = {context.take_input(0).reshaped(Shape(std::move(rows))), context.take_input(1), context.take_input(2)};
  Tensor output;
  const DType dtype = inputs[1].dtype();
  KernelContext shaped(inputs, {&output, 1}, {&dtype, 1}, &context.config<ElementwiseSpec>(), nullptr,
                       context.services());
  run_elementwise(shaped);
  context.set_output(0, std::move(output));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Equal>::make(const KernelRequest& r) {
  return detail::equality_kernel<true>(r);
}
DGRAPH_DECL Kernel Kernels<ops::NotEqual>::make(const KernelRequest& r) {
  return detail::equality_kernel<false>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Greater>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(detail::compared_differently(detail::order_spec<detail::LessF>(r), true, false));
}
DGRAPH_DECL Kernel Kernels<ops::GreaterEqual>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(detail::compared_differently(detail::order_spec<detail::LessEqualF>(r), true, false));
}
DGRAPH_DECL Kernel Kernels<ops::Less>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(detail::order_spec<detail::LessF>(r));
}
DGRAPH_DECL Kernel Kernels<ops::LessEqual>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(detail::order_spec<detail::LessEqualF>(r));
}
DGRAPH_DECL Kernel Kernels<ops::ApproximateEqual>::make(const KernelRequest& r) {
  using namespace detail;
  const DType dtype = r.input_dtypes[0];
  const bool small = dtype == DType::Float16 || dtype == DType::BFloat16;
  const DType wide = dtype == DType::UInt64 ? dtype : is_integer(dtype) ? DType::Int64 : small ? DType::Float32 : dtype;
  if (is_complex(dtype)) no_kernel_for(r, dtype);
  // Nothing is closer than less than nothing; beyond 2^62 a tolerance is no longer a matter of integers.
  const double given = r.attr<float>("tolerance");
  const double tolerance = is_integer(dtype) ? std::clamp(given, 0.0, 0x1p62) : given;
  ElementwiseSpec spec;
  spec.ns_each = 1.5;
  ApproximateConfig config{make_cast_chain(small ? wide : dtype, wide), tolerance};
  spec.param = std::make_shared<const ApproximateConfig>(std::move(config));
  switch (wide) {
    case DType::Int64: spec.loop = &approximate_loop<std::int64_t>; break;
    case DType::UInt64: spec.loop = &approximate_loop<std::uint64_t>; break;
    case DType::Float64: spec.loop = &approximate_loop<double>; break;
    default: spec.loop = &approximate_loop<float>;
  }
  return same_shape_kernel(small ? through_float(std::move(spec), dtype, true) : std::move(spec));
}
DGRAPH_DECL Kernel Kernels<ops::LogicalAnd>::make(const KernelRequest&) {
  return detail::logic_kernel<detail::BinaryLoop, detail::AndF>();
}
DGRAPH_DECL Kernel Kernels<ops::LogicalOr>::make(const KernelRequest&) {
  return detail::logic_kernel<detail::BinaryLoop, detail::OrF>();
}
DGRAPH_DECL Kernel Kernels<ops::LogicalNot>::make(const KernelRequest&) {
  return detail::logic_kernel<detail::UnaryLoop, detail::NotF>();
}
DGRAPH_DECL Kernel Kernels<ops::Select>::make(const KernelRequest& r) {
  Kernel kernel = detail::elementwise_kernel(detail::select_spec(r));
  kernel.run = &detail::run_select;
  return kernel;
}

}  // namespace dgraph
