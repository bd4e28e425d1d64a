#pragma once
// exp, log, tanh and their kin for float and double without branches or calls, so that loops over them vectorise; the same
// bits at every SIMD level and on every machine. Errors are at most about 2 ulp. Methods: argument reduction by parts of
// ln 2 (Cody and Waite 1980), Taylor's series of exp, the series of 2 atanh((x - 1) / (x + 1)) for log.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <dgraph/kernels/simd.hpp>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace dgraph::detail {

template <class T>
struct FloatBits;
template <>
struct FloatBits<float> {
  using word = std::uint32_t;
  static constexpr int mantissa = 23;
  static constexpr word bias = 127, sqrt_half = 0x3f3504f3;
  // Adding it leaves the nearest integer in the lowest bits.
  static constexpr float shifter = 0x1.8p23f;
  static constexpr float log2_e = 0x1.715476p+0f, ln2_high = 0x1.62ep-1f, ln2_low = 0x1.0bfbe8p-15f;
  static constexpr float exp_most = 89.0f, exp_least = -104.0f;
  static constexpr float subnormal_scale = 0x1p25f, subnormal_exponent = 25;
};
template <>
struct FloatBits<double> {
  using word = std::uint64_t;
  static constexpr int mantissa = 52;
  static constexpr word bias = 1023, sqrt_half = 0x3fe6a09e667f3bcd;
  static constexpr double shifter = 0x1.8p52;
  static constexpr double log2_e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double exp_most = 710.0, exp_least = -746.0;
  static constexpr double subnormal_scale = 0x1p54, subnormal_exponent = 54;
};

template <class T>
DGRAPH_INLINE typename FloatBits<T>::word bits_of(T x) {
  return std::bit_cast<typename FloatBits<T>::word>(x);
}
template <class T>
DGRAPH_INLINE T abs_of(T x) {
  using B = FloatBits<T>;
  return std::bit_cast<T>(bits_of(x) & ~(typename B::word{1} << (B::mantissa == 23 ? 31 : 63)));
}
template <class T>
DGRAPH_INLINE T copy_sign(T magnitude, T sign) {
  using B = FloatBits<T>;
  constexpr auto mask = typename B::word{1} << (B::mantissa == 23 ? 31 : 63);
  return std::bit_cast<T>((bits_of(magnitude) & ~mask) | (bits_of(sign) & mask));
}
/// `yes` where `condition` holds, else `no`. By bits: a conditional expression becomes a branch in g++'s hands, and the loop
/// around it stays scalar.
template <class T>
DGRAPH_INLINE T pick(bool condition, T yes, T no) {
  using Word = typename FloatBits<T>::word;
  const Word mask = Word{0} - static_cast<Word>(condition);
  return std::bit_cast<T>((bits_of(yes) & mask) | (bits_of(no) & ~mask));
}
DGRAPH_INLINE float root_of(float x) {
#if defined(__clang__) && defined(__SSE2__)
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#else
  return __builtin_sqrtf(x);
#endif
}
DGRAPH_INLINE double root_of(double x) {
#if defined(__clang__) && defined(__SSE2__)
  const __m128d value = _mm_set_sd(x);
  return _mm_cvtsd_f64(_mm_sqrt_sd(value, value));
#else
  return __builtin_sqrt(x);
#endif
}

/// 2^k for a value `shifted` = shifter + k with k in the range of normal exponents.
template <class T>
DGRAPH_INLINE T power_of_two(T shifted) {
  using B = FloatBits<T>;
  return std::bit_cast<T>((bits_of(shifted) + B::bias) << B::mantissa);
}

/// exp(r) - 1 for |r| <= 0.35: Taylor's series to below 1/8 ulp.
template <class T>
DGRAPH_INLINE T expm1_reduced(T r) {
  DGRAPH_NO_CONTRACTION
  T p;
  if constexpr (std::is_same_v<T, float>) {
    p = 1.0f / 5040;
  } else {
    p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
  }
  p = p * r + T(1) / 720;
  p = p * r + T(1) / 120;
  p = p * r + T(1) / 24;
  p = p * r + T(1) / 6;
  p = p * r + T(1) / 2;
  return r + r * r * p;
}

template <class T>
struct ExpParts {
  T k;  ///< a whole number
  T r;  ///< x - k ln 2
};
template <class T>
DGRAPH_INLINE ExpParts<T> reduce_exp(T x) {
  DGRAPH_NO_CONTRACTION
  using B = FloatBits<T>;
  const T k = (x * B::log2_e + B::shifter) - B::shifter;
  return {k, (x - k * B::ln2_high) - k * B::ln2_low};
}

/// exp; 0 and infinity beyond the range, gradual underflow.
template <class T>
DGRAPH_INLINE T exp_of(T x) {
  DGRAPH_NO_CONTRACTION
  using B = FloatBits<T>;
  // Comparisons that leave NaN alone.
  x = pick(x > B::exp_most, B::exp_most, x);
  x = pick(x < B::exp_least, B::exp_least, x);
  const ExpParts<T> parts = reduce_exp(x);
  // In two factors, for 2^k itself may lie outside the normal range.
  const T half_shifted = parts.k * T(0.5) + B::shifter;
  const T rest_shifted = (parts.k - (half_shifted - B::shifter)) + B::shifter;
  return (T(1) + expm1_reduced(parts.r)) * power_of_two(half_shifted) * power_of_two(rest_shifted);
}

/// exp(x) - 1 for x <= 80, without loss near 0.
template <class T>
DGRAPH_INLINE T expm1_bounded(T x) {
  DGRAPH_NO_CONTRACTION
  using B = FloatBits<T>;
  x = pick(x < T(-80), T(-80), x);
  const ExpParts<T> parts = reduce_exp(x);
  const T scale = power_of_two(parts.k + B::shifter);
  return scale * expm1_reduced(parts.r) + (scale - T(1));
}

template <class T>
DGRAPH_INLINE T tanh_of(T x) {
  DGRAPH_NO_CONTRACTION
  T twice = abs_of(x) * T(2);
  twice = pick(twice > T(60), T(60), twice);
  const T e = expm1_bounded(twice);
  return copy_sign(e / (e + T(2)), x);
}

template <class T>
DGRAPH_INLINE T sigmoid_of(T x) {
  DGRAPH_NO_CONTRACTION
  const T e = exp_of(-abs_of(x));
  return pick(x < T(0), e, T(1)) / (T(1) + e);
}

/// log; -infinity for 0, NaN below.
template <class T>
DGRAPH_INLINE T log_of(T x) {
  DGRAPH_NO_CONTRACTION
  using B = FloatBits<T>;
  using Word = typename B::word;
  constexpr Word one = B::bias << B::mantissa;
  const bool small = x < std::numeric_limits<T>::min();
  const T normal = pick(small, x * B::subnormal_scale, x);
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)).
  const Word shifted = bits_of(normal) + (one - B::sqrt_half);
  const T m = std::bit_cast<T>((shifted & ((Word{1} << B::mantissa) - 1)) + B::sqrt_half);
  constexpr T unit = T(Word{1} << B::mantissa);
  constexpr Word unit_bits = (B::bias + B::mantissa) << B::mantissa;
  T k = std::bit_cast<T>((shifted >> B::mantissa & 0x7ff) | unit_bits) - unit - T(B::bias);
  k = k - pick(small, B::subnormal_exponent, T(0));
  const T f = m - T(1);
  const T s = f / (T(2) + f);
  const T z = s * s;
  T p;
  if constexpr (std::is_same_v<T, float>) {
    p = 2.0f / 9;
  } else {
    p = 2.0 / 21;
    p = p * z + 2.0 / 19;
    p = p * z + 2.0 / 17;
    p = p * z + 2.0 / 15;
    p = p * z + 2.0 / 13;
    p = p * z + 2.0 / 11;
    p = p * z + 2.0 / 9;
  }
  p = p * z + T(2) / 7;
  p = p * z + T(2) / 5;
  p = p * z + T(2) / 3;
  // log m = f - s (f - z p): the large term stays exact.
  const T tail = k * B::ln2_low - s * (f - z * p);
  T y = k * B::ln2_high + (f + tail);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  y = pick(x == infinity, infinity, y);
  y = pick(x == T(0), -infinity, y);
  y = pick(x < T(0), std::numeric_limits<T>::quiet_NaN(), y);
  return pick(x != x, x, y);
}

/// log(1 + x) without loss near 0.
template <class T>
DGRAPH_INLINE T log1p_of(T x) {
  DGRAPH_NO_CONTRACTION
  const T u = T(1) + x;
  const T lost = x - (u - T(1));
  const bool finite = (u > T(0)) & (u < std::numeric_limits<T>::infinity());
  const T correction = lost / pick(finite, u, T(1));
  const T y = log_of(u) + pick(finite, correction, T(0));
  return pick(u == T(1), x, y);
}

}  // namespace dgraph::detail
