#pragma once
#include <dgraph/kernels/math.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <dgraph/kernels/functions.hpp>

namespace dgraph {
namespace detail {

template <class F, Width W, class... Lists>
Kernel unary_kernel(const KernelRequest& request, double ns_each = 0) {
  return elementwise_kernel(pick_loop<UnaryLoop, F, W, Lists...>(request, ns_each));
}
template <class F, class... Lists>
Kernel unary_wrapping_kernel(const KernelRequest& request) {
  return elementwise_kernel(pick_wrapping_loop<UnaryLoop, F, Width::Auto, Lists...>(request));
}
template <class F, class... Lists>
Kernel binary_kernel(const KernelRequest& request, double ns_each = 0) {
  return elementwise_kernel(pick_loop<BinaryLoop, F, Width::Auto, Lists...>(request, ns_each));
}
template <class F, class... Lists>
Kernel binary_wrapping_kernel(const KernelRequest& request) {
  return elementwise_kernel(pick_wrapping_loop<BinaryLoop, F, Width::Auto, Lists...>(request));
}
// A float function for floats and one with faults for integers.
template <class F, Width W, class IntF, class... FloatLists>
Kernel division_kernel(const KernelRequest& request, double float_ns) {
  if (is_integer(request.input_dtypes[0]))
    return elementwise_kernel(
        pick_loop<FaultyBinaryLoop, IntF, Width::Baseline, SignedInts, UnsignedInts>(request, 3));
  return elementwise_kernel(pick_loop<BinaryLoop, F, W, FloatLists...>(request, float_ns));
}
template <class F, class... Lists>
Kernel gradient_kernel(const KernelRequest& request) {
  return same_shape_kernel(pick_loop<BinaryLoop, F, Width::Auto, Lists...>(request));
}

// A square root that g++ vectorises: it keeps std::sqrt, whose errno it believes in, scalar.
template <class T, bool Invert>
struct RootLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const T* const x = static_cast<const T*>(in[0]);
    T* const y = static_cast<T*>(out);
    std::int64_t i = 0;
#if defined(__SSE2__)
    if constexpr (std::is_same_v<T, float>) {
      for (; i + 4 <= n; i += 4) {
        const __m128 root = _mm_sqrt_ps(_mm_loadu_ps(x + i));
        _mm_storeu_ps(y + i, Invert ? _mm_div_ps(_mm_set1_ps(1.0f), root) : root);
      }
    } else {
      for (; i + 2 <= n; i += 2) {
        const __m128d root = _mm_sqrt_pd(_mm_loadu_pd(x + i));
        _mm_storeu_pd(y + i, Invert ? _mm_div_pd(_mm_set1_pd(1.0), root) : root);
      }
    }
#endif
    for (; i < n; ++i) y[i] = Invert ? T(1) / root_of(x[i]) : root_of(x[i]);
    return kNoFault;
  }
};

template <class F, bool Invert>
Kernel root_kernel(const KernelRequest& request) {
  const DType dtype = request.input_dtypes[0];
  if (dtype != DType::Float32 && dtype != DType::Float64)
    return unary_kernel<F, Width::Baseline, Types<half, bfloat16>, Complexes>(request, 5);
  ElementwiseSpec spec;
  spec.ns_each = dtype == DType::Float32 ? 0.5 : 1.2;
  spec.loop = dtype == DType::Float32 ? simd_baseline<RootLoop<float, Invert>>() : simd_baseline<RootLoop<double, Invert>>();
  return elementwise_kernel(std::move(spec));
}

// Transcendental functions: own ones for real numbers, the C library's for complex ones.
template <class F>
Kernel transcendental_kernel(const KernelRequest& request) {
  if (is_complex(request.input_dtypes[0])) return unary_kernel<F, Width::Baseline, Complexes>(request, 60);
  return unary_kernel<F, Width::Best, RealFloats>(request, request.input_dtypes[0] == DType::Float64 ? 2.5 : 0.8);
}

// Strings come as pointers and are joined.
DGRAPH_DECL std::uint32_t join_strings(const void* const* in, void* out, std::int64_t n, const void*) {
  const auto* a = static_cast<const std::string* const*>(in[0]);
  const auto* b = static_cast<const std::string* const*>(in[1]);
  auto* y = static_cast<std::string*>(out);
  for (std::int64_t i = 0; i < n; ++i) y[i] = *a[i] + *b[i];
  return kNoFault;
}

DGRAPH_DECL Kernel add_kernel(const KernelRequest& request) {
  if (request.input_dtypes[0] == DType::String) {
    ElementwiseSpec spec;
    spec.loop = &join_strings;
    spec.ns_each = 40;
    return elementwise_kernel(std::move(spec));
  }
  return binary_wrapping_kernel<AddF, Floats, SignedInts, UnsignedInts>(request);
}

DGRAPH_DECL void run_add_n(KernelContext& context) {
  const ElementwiseSpec& spec = context.config<ElementwiseSpec>();
  const Shape& shape = context.input(0).shape();
  const std::size_t inputs = context.num_inputs();
  for (std::size_t k = 1; k < inputs; ++k)
    if (!(context.input(k).shape() == shape))
      fail(Code::InvalidArgument, "inputs must have the same shape, but input 0 has ", shape, " and input ", k, " has ",
           context.input(k).shape());
  if (inputs == 1) return context.set_output(0, context.input(0));
  Tensor& out = context.forward_or_allocate(0, shape, {0});
  const std::int64_t size = static_cast<std::int64_t>(dtype_size(out.dtype()));
  std::byte* const to = out.mutable_raw();
  context.parallel_for(shape.elements(), spec.ns_each * static_cast<double>(inputs),
                       [&](std::int64_t begin, std::int64_t end) {
                         // In blocks, so that the running sum stays in the cache.
                         constexpr std::int64_t kBlock = 2048;
                         for (std::int64_t at = begin; at < end; at += kBlock) {
                           const std::int64_t n = std::min(kBlock, end - at);
                           const void* in[kMaxOperands] = {context.input(0).raw() + at * size};
                           for (std::size_t k = 1; k < inputs; ++k) {
                             in[1] = context.input(k).raw() + at * size;
                             spec.loop(in, to + at * size, n, spec.param.get());
                             in[0] = to + at * size;
                           }
                         }
                       });
}

}  // namespace detail

using detail::Width;

DGRAPH_DECL Kernel Kernels<ops::Neg>::make(const KernelRequest& r) {
  return detail::unary_wrapping_kernel<detail::NegF, detail::Floats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Abs>::make(const KernelRequest& r) {
  return detail::unary_kernel<detail::AbsF, Width::Auto, detail::RealFloats, detail::SignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Sign>::make(const KernelRequest& r) {
  return detail::unary_kernel<detail::SignF, Width::Auto, detail::Floats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Square>::make(const KernelRequest& r) {
  return detail::unary_wrapping_kernel<detail::SquareF, detail::Floats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Reciprocal>::make(const KernelRequest& r) {
  return detail::unary_kernel<detail::ReciprocalF, Width::Auto, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Sqrt>::make(const KernelRequest& r) {
  return detail::root_kernel<detail::SqrtF, false>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Rsqrt>::make(const KernelRequest& r) {
  return detail::root_kernel<detail::RsqrtF, true>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Exp>::make(const KernelRequest& r) {
  return detail::transcendental_kernel<detail::ExpF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Log>::make(const KernelRequest& r) {
  return detail::transcendental_kernel<detail::LogF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Log1p>::make(const KernelRequest& r) {
  return detail::transcendental_kernel<detail::Log1pF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Tanh>::make(const KernelRequest& r) {
  return detail::transcendental_kernel<detail::TanhF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Sigmoid>::make(const KernelRequest& r) {
  return detail::transcendental_kernel<detail::SigmoidF>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Relu>::make(const KernelRequest& r) {
  return detail::unary_kernel<detail::ReluF, Width::Auto, detail::RealFloats, detail::SignedInts,
                              detail::UnsignedInts>(r);
}

DGRAPH_DECL Kernel Kernels<ops::AddV2>::make(const KernelRequest& r) { return detail::add_kernel(r); }
DGRAPH_DECL Kernel Kernels<ops::Add>::make(const KernelRequest& r) { return detail::add_kernel(r); }
DGRAPH_DECL Kernel Kernels<ops::Sub>::make(const KernelRequest& r) {
  return detail::binary_wrapping_kernel<detail::SubF, detail::Floats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Mul>::make(const KernelRequest& r) {
  return detail::binary_wrapping_kernel<detail::MulF, detail::Floats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::RealDiv>::make(const KernelRequest& r) {
  return detail::division_kernel<detail::DivF, Width::Auto, detail::IntDivF, detail::Floats>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::Div>::make(const KernelRequest& r) {
  return detail::division_kernel<detail::DivF, Width::Auto, detail::IntDivF, detail::Floats>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::FloorDiv>::make(const KernelRequest& r) {
  return detail::division_kernel<detail::FloorDivF, Width::Baseline, detail::IntFloorDivF, detail::RealFloats>(r, 3);
}
DGRAPH_DECL Kernel Kernels<ops::FloorMod>::make(const KernelRequest& r) {
  return detail::division_kernel<detail::FloorModF, Width::Baseline, detail::IntFloorModF, detail::RealFloats>(r, 10);
}
DGRAPH_DECL Kernel Kernels<ops::Maximum>::make(const KernelRequest& r) {
  return detail::binary_kernel<detail::MaxF, detail::RealFloats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Minimum>::make(const KernelRequest& r) {
  return detail::binary_kernel<detail::MinF, detail::RealFloats, detail::SignedInts, detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::Pow>::make(const KernelRequest& r) {
  return detail::division_kernel<detail::PowF, Width::Baseline, detail::IntPowF, detail::Floats>(r, 20);
}
DGRAPH_DECL Kernel Kernels<ops::SquaredDifference>::make(const KernelRequest& r) {
  return detail::binary_wrapping_kernel<detail::SquaredDifferenceF, detail::Floats, detail::SignedInts,
                                        detail::UnsignedInts>(r);
}
DGRAPH_DECL Kernel Kernels<ops::AddN>::make(const KernelRequest& r) {
  Kernel kernel = detail::binary_wrapping_kernel<detail::AddF, detail::Floats, detail::SignedInts,
                                                 detail::UnsignedInts>(r);
  kernel.run = &detail::run_add_n;
  return kernel;
}

DGRAPH_DECL Kernel Kernels<ops::TanhGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::TanhGradF, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::SigmoidGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::SigmoidGradF, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::SqrtGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::SqrtGradF, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::RsqrtGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::RsqrtGradF, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::ReciprocalGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::ReciprocalGradF, detail::Floats>(r);
}
DGRAPH_DECL Kernel Kernels<ops::ReluGrad>::make(const KernelRequest& r) {
  return detail::gradient_kernel<detail::ReluGradF, detail::RealFloats, detail::SignedInts, detail::UnsignedInts>(r);
}

}  // namespace dgraph
