#pragma once
#include <dgraph/kernels/accumulate.hpp>

#include <complex>

#include <dgraph/kernels/simd.hpp>

namespace dgraph::detail {

template <class T>
struct AddRows {
  DGRAPH_INLINE static void run(std::byte* out_bytes, const std::byte* a_bytes,
                                const std::byte* b_bytes, std::int64_t n) {
    T* out = reinterpret_cast<T*>(out_bytes);
    const T *a = reinterpret_cast<const T*>(a_bytes), *b = reinterpret_cast<const T*>(b_bytes);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(a[i] + b[i]);
  }
};

template <class T>
struct SubtractRows {
  DGRAPH_INLINE static void run(std::byte* out_bytes, const std::byte* a_bytes,
                                const std::byte* b_bytes, std::int64_t n) {
    T* out = reinterpret_cast<T*>(out_bytes);
    const T *a = reinterpret_cast<const T*>(a_bytes), *b = reinterpret_cast<const T*>(b_bytes);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(a[i] - b[i]);
  }
};

template <class T>
struct ScaledDifferenceRows {
  DGRAPH_INLINE static void run(std::byte* out_bytes, const std::byte* a_bytes,
                                const std::byte* scale_bytes, const std::byte* b_bytes,
                                std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    T* out = reinterpret_cast<T*>(out_bytes);
    const T *a = reinterpret_cast<const T*>(a_bytes), *b = reinterpret_cast<const T*>(b_bytes);
    const T scale = *reinterpret_cast<const T*>(scale_bytes);
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (sizeof(T) == 2 && std::is_integral_v<T>)
        out[i] = static_cast<T>(a[i] - std::uint32_t{scale} * b[i]);
      else
        out[i] = static_cast<T>(a[i] - static_cast<T>(scale * b[i]));
    }
  }
};

template <template <class> class Body>
RowSum RowSum::choose(DType dtype) noexcept {
  switch (dtype) {
    case DType::Int8:
    case DType::UInt8:
      return {simd_up_to_avx2<Body<std::uint8_t>>(), 1};
    case DType::Int16:
    case DType::UInt16:
      return {simd_up_to_avx2<Body<std::uint16_t>>(), 1};
    case DType::Int32:
    case DType::UInt32:
      return {simd_up_to_avx2<Body<std::uint32_t>>(), 1};
    case DType::Int64:
    case DType::UInt64:
      return {simd_up_to_avx2<Body<std::uint64_t>>(), 1};
    case DType::Float16:
      return {simd_baseline<Body<half>>(), 1};
    case DType::BFloat16:
      return {simd_baseline<Body<bfloat16>>(), 1};
    case DType::Float32:
      return {simd_up_to_avx2<Body<float>>(), 1};
    case DType::Float64:
      return {simd_up_to_avx2<Body<double>>(), 1};
    case DType::Complex64:
      return {simd_up_to_avx2<Body<float>>(), 2};
    case DType::Complex128:
      return {simd_up_to_avx2<Body<double>>(), 2};
    default:
      return {};
  }
}

DGRAPH_DECL RowSum RowSum::add(DType dtype) noexcept { return choose<AddRows>(dtype); }
DGRAPH_DECL RowSum RowSum::subtract(DType dtype) noexcept { return choose<SubtractRows>(dtype); }

DGRAPH_DECL ScaledDifference scaled_difference(DType dtype) noexcept {
  switch (dtype) {
    case DType::Int8:
    case DType::UInt8:
      return simd_baseline<ScaledDifferenceRows<std::uint8_t>>();
    case DType::Int16:
    case DType::UInt16:
      return simd_baseline<ScaledDifferenceRows<std::uint16_t>>();
    case DType::Int32:
    case DType::UInt32:
      return simd_baseline<ScaledDifferenceRows<std::uint32_t>>();
    case DType::Int64:
    case DType::UInt64:
      return simd_baseline<ScaledDifferenceRows<std::uint64_t>>();
    case DType::Float16:
      return simd_baseline<ScaledDifferenceRows<half>>();
    case DType::BFloat16:
      return simd_baseline<ScaledDifferenceRows<bfloat16>>();
    case DType::Float32:
      return simd_up_to_avx2<ScaledDifferenceRows<float>>();
    case DType::Float64:
      return simd_up_to_avx2<ScaledDifferenceRows<double>>();
    case DType::Complex64:
      return simd_baseline<ScaledDifferenceRows<std::complex<float>>>();
    case DType::Complex128:
      return simd_baseline<ScaledDifferenceRows<std::complex<double>>>();
    default:
      return nullptr;
  }
}

}  // namespace dgraph::detail
