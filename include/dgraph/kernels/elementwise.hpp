#pragma once
// Elementwise kernels: one small loop for each (function, dtype); shapes, broadcasting, memory and threads are shared code.

#include <complex>
#include <cstdint>
#include <type_traits>

#include <dgraph/base/dtype.hpp>
#include <dgraph/kernels/declare.hpp>
#include <dgraph/kernels/simd.hpp>
#include <dgraph/kernels/walker.hpp>

namespace dgraph::detail {

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_complex_element = false;
template <class T>
inline constexpr bool is_complex_element<std::complex<T>> = true;

/// Element access in loops: small floats compute as float, everything else as itself.
template <class T>
struct Value {
  using type = T;
  DGRAPH_INLINE static T load(T x) { return x; }
  DGRAPH_INLINE static T store(T x) { return x; }
};
/// Without branches, so that loops vectorise.
template <>
struct Value<half> {
  using type = float;
  DGRAPH_INLINE static float load(half x) {
    const std::uint32_t magnitude = static_cast<std::uint32_t>(x.bits & 0x7fffu) << 13;
    // Exact also for subnormals; infinities and NaN need the rest of the exponent.
    const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    const std::uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
    return std::bit_cast<float>(scaled | special | static_cast<std::uint32_t>(x.bits & 0x8000u) << 16);
  }
  DGRAPH_INLINE static half store(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const std::uint32_t normal = (magnitude + 0xc8000fffu + (magnitude >> 13 & 1u)) >> 13;
    // Adding 0.5 leaves the value in units of 2^-24 in the lowest bits, rounded to even.
    const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    const std::uint32_t large = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const std::uint32_t finite = magnitude < 0x38800000u ? small : normal;
    const std::uint32_t value = magnitude >= 0x47800000u ? large : finite;
    half out;
    out.bits = static_cast<std::uint16_t>(value | (bits >> 16 & 0x8000u));
    return out;
  }
};
template <>
struct Value<bfloat16> {
  using type = float;
  DGRAPH_INLINE static float load(bfloat16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
  }
  DGRAPH_INLINE static bfloat16 store(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    bfloat16 out;
    out.bits = static_cast<std::uint16_t>(nan ? (bits >> 16 | 0x40u) : rounded);
    return out;
  }
};

/// Conversion of whole arrays.
void widen(const half* from, float* to, std::int64_t n);
void widen(const bfloat16* from, float* to, std::int64_t n);
void narrow(const float* from, half* to, std::int64_t n);
void narrow(const float* from, bfloat16* to, std::int64_t n);

/// The unsigned type in which wrapping arithmetic of an integer is the same; other types as they are.
template <class T, bool = std::is_integral_v<T> && !std::is_same_v<T, bool>>
struct Wrapping {
  using type = T;
};
template <class T>
struct Wrapping<T, true> {
  using type = std::make_unsigned_t<T>;
};

/// Loops over F::of(x, ...): F is a function object whose static, DGRAPH_INLINE `of` takes values of `Value<T>::type`.
/// R is the dtype of the result.
template <class F, class T, class R = T>
struct UnaryLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const T* const x = static_cast<const T*>(in[0]);
    R* const y = static_cast<R*>(out);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) y[i] = Value<R>::store(F::of(Value<T>::load(x[i])));
    return kNoFault;
  }
};
template <class F, class T, class R = T>
struct BinaryLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const T* const a = static_cast<const T*>(in[0]);
    const T* const b = static_cast<const T*>(in[1]);
    R* const y = static_cast<R*>(out);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) y[i] = Value<R>::store(F::of(Value<T>::load(a[i]), Value<T>::load(b[i])));
    return kNoFault;
  }
};
/// The same with faults: `of(a, b, std::uint32_t& faults)`.
template <class F, class T, class R = T>
struct FaultyBinaryLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n, const void*) {
    const T* const a = static_cast<const T*>(in[0]);
    const T* const b = static_cast<const T*>(in[1]);
    R* const y = static_cast<R*>(out);
    std::uint32_t faults = kNoFault;
    for (std::int64_t i = 0; i < n; ++i) y[i] = F::of(a[i], b[i], faults);
    return faults;
  }
};

/// How wide a loop is compiled.
enum class Width : std::uint8_t {
  Auto,      ///< up to AVX2 for elements of 32 and 64 bits, baseline for others
  Best,      ///< every level for elements of 32 bits: bound by arithmetic
  Baseline,  ///< calls of the C library, or rare
};

template <class Body, class T, Width W>
ElementLoop bind_loop() {
  if constexpr (W == Width::Best && sizeof(T) == 4) return simd_best<Body>();
  else if constexpr (W == Width::Baseline || is_complex_element<T> || sizeof(T) < 4) return simd_baseline<Body>();
  else return simd_up_to_avx2<Body>();
}

/// The elements of a binary or unary kernel's loop, and what an element costs.
struct ElementwiseSpec {
  ElementLoop loop = nullptr;
  double ns_each = 0;
  std::shared_ptr<const void> param;  ///< passed to the loop
};

/// The spec of a kernel on `small` (float16 or bfloat16) made of a loop on float32: blocks are converted there and, unless
/// the result is bool, back. Rounds once at the end, as a loop of its own would, and costs no compile time.
ElementwiseSpec through_float(ElementwiseSpec spec, DType small, bool bool_result = false);

/// Runs any elementwise kernel of one to three inputs whose config is an ElementwiseSpec: broadcasts, takes an input's
/// memory where it can, splits over threads. Strings come as arrays of `const std::string*`.
void run_elementwise(KernelContext& context);
/// The same, but a kernel whose inputs must all have the first one's shape (the gradients of unary ops).
void run_same_shape(KernelContext& context);

Kernel elementwise_kernel(ElementwiseSpec spec);
Kernel same_shape_kernel(ElementwiseSpec spec);

/// An element's cost from its bytes, where memory is what it costs.
constexpr double memory_ns(DType dtype) noexcept { return 0.08 * static_cast<double>(dtype_size(dtype)); }

template <class... Ts>
struct Types {};

using RealFloats = Types<float, double, half, bfloat16>;
using Complexes = Types<std::complex<float>, std::complex<double>>;
using Floats = Types<float, double, half, bfloat16, std::complex<float>, std::complex<double>>;
using SignedInts = Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using UnsignedInts = Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

/// Calls `f.operator()<T>()` for the T of that dtype and returns true; false where it is not in the lists.
template <class... Ts, class F>
bool for_dtype(DType dtype, F& f, Types<Ts...>) {
  return ((dtype == dtype_of<Ts> && (f.template operator()<Ts>(), true)) || ...);
}
template <class... Lists, class F>
void dispatch(const KernelRequest& request, DType dtype, F f) {
  if (!(for_dtype(dtype, f, Lists{}) || ...)) no_kernel_for(request, dtype);
}

/// The loop of T, of which small floats have none of their own.
template <template <class, class, class> class Loop, class F, class T, class R, Width W>
void bind_spec(ElementwiseSpec& spec) {
  if constexpr (is_small_float<T>) {
    constexpr bool bool_result = std::is_same_v<R, bool>;
    spec.loop = bind_loop<Loop<F, float, std::conditional_t<bool_result, bool, float>>, float, W>();
    spec = through_float(std::move(spec), dtype_of<T>, bool_result);
  } else {
    spec.loop = bind_loop<Loop<F, T, R>, T, W>();
  }
}
inline double element_ns(DType dtype, double given) {
  return given > 0 ? given : memory_ns(dtype) * (is_complex(dtype) ? 4 : 1);
}

/// The loop Loop<F, T, T> for the T of the first input, one of the lists'.
template <template <class, class, class> class Loop, class F, Width W, class... Lists>
ElementwiseSpec pick_loop(const KernelRequest& request, double ns_each = 0) {
  ElementwiseSpec spec;
  spec.ns_each = element_ns(request.input_dtypes[0], ns_each);
  dispatch<Lists...>(request, request.input_dtypes[0], [&spec]<class T>() {
    // Unsigned integers are rare where they do not stand for signed ones.
    bind_spec<Loop, F, T, T, std::is_unsigned_v<T> ? Width::Baseline : W>(spec);
  });
  return spec;
}
/// The same in wrapping arithmetic: signed and unsigned integers share a loop.
template <template <class, class, class> class Loop, class F, Width W, class... Lists>
ElementwiseSpec pick_wrapping_loop(const KernelRequest& request, double ns_each = 0) {
  ElementwiseSpec spec;
  spec.ns_each = element_ns(request.input_dtypes[0], ns_each);
  dispatch<Lists...>(request, request.input_dtypes[0], [&spec]<class T>() {
    using U = typename Wrapping<T>::type;
    bind_spec<Loop, F, U, U, W>(spec);
  });
  return spec;
}
/// Loop<F, T, bool>.
template <template <class, class, class> class Loop, class F, class... Lists>
ElementwiseSpec pick_predicate(const KernelRequest& request) {
  ElementwiseSpec spec;
  spec.ns_each = element_ns(request.input_dtypes[0], 0);
  dispatch<Lists...>(request, request.input_dtypes[0],
                     [&spec]<class T>() { bind_spec<Loop, F, T, bool, Width::Auto>(spec); });
  return spec;
}

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/elementwise.ipp>
#endif
