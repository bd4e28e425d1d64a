#pragma once
// The functions of one element that elementwise kernels and reductions loop over. Small floats come as float.

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/vector_math.hpp>

namespace dgraph::detail {

// Integers come as unsigned where the arithmetic wraps; small ones are promoted to int, which is cut again.
struct AddF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct SubF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct MulF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    DGRAPH_NO_CONTRACTION
    if constexpr (is_complex_element<T>)
      return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else if constexpr (std::is_integral_v<T>)
      // uint16 promotes to int, whose product could overflow.
      return static_cast<T>(std::uint64_t{a} * std::uint64_t{b});
    else
      return a * b;
  }
};
template <>
DGRAPH_INLINE std::uint32_t MulF::of(std::uint32_t a, std::uint32_t b) {
  return a * b;
}
struct DivF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return a / b;
  }
};
// NaN goes through: whichever operand it is.
struct MaxF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T larger = a < b ? b : a;
      return b != b ? b : larger;
    } else {
      return a < b ? b : a;
    }
  }
};
struct MinF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T smaller = b < a ? b : a;
      return b != b ? b : smaller;
    } else {
      return b < a ? b : a;
    }
  }
};
struct SquaredDifferenceF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    const T d = SubF::of(a, b);
    if constexpr (is_complex_element<T>)
      return MulF::of(d, std::conj(d));
    else
      return MulF::of(d, d);
  }
};
struct PowF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return std::pow(a, b);
  }
};
struct FloorDivF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    return std::floor(a / b);
  }
};
struct FloorModF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b) {
    const T rest = std::fmod(a, b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? rest + b : rest;
  }
};

/// a / b of integers towards zero; b == 0 is a fault, the least number / -1 wraps.
template <class T>
DGRAPH_INLINE T safe_divide(T a, T b, std::uint32_t& faults) {
  if (b == 0) {
    faults |= kDivisionByZero;
    return 0;
  }
  if constexpr (std::is_signed_v<T>) {
    using U = std::make_unsigned_t<T>;
    if (b == T(-1)) return static_cast<T>(static_cast<U>(U{0} - static_cast<U>(a)));
  }
  return static_cast<T>(a / b);
}
struct IntDivF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b, std::uint32_t& faults) {
    return safe_divide(a, b, faults);
  }
};
struct IntFloorDivF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b, std::uint32_t& faults) {
    const T q = safe_divide(a, b, faults);
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return q;
      const bool inexact = static_cast<T>(q * b) != a;
      return inexact && (a < 0) != (b < 0) ? static_cast<T>(q - 1) : q;
    } else {
      return q;
    }
  }
};
struct IntFloorModF {
  template <class T>
  DGRAPH_INLINE static T of(T a, T b, std::uint32_t& faults) {
    if (b == 0) {
      faults |= kDivisionByZero;
      return 0;
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return 0;
      const T rest = static_cast<T>(a % b);
      return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
    } else {
      return static_cast<T>(a % b);
    }
  }
};
struct IntPowF {
  template <class T>
  DGRAPH_INLINE static T of(T base, T exponent, std::uint32_t& faults) {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) {
        faults |= kNegativePower;
        return 0;
      }
    }
    std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
    for (auto e = static_cast<std::uint64_t>(exponent); e; e >>= 1) {
      if (e & 1) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
};

struct NegF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(T{0} - x);
    else return -x;
  }
};
struct AbsF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      return abs_of(x);
    } else {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(x < 0 ? static_cast<U>(U{0} - static_cast<U>(x)) : static_cast<U>(x));
    }
  }
};
struct SignF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) {
      const auto size = std::abs(x);
      return size == 0 ? T(0) : x / size;
    } else {
      const T sign = static_cast<T>(static_cast<T>(x > T(0)) - static_cast<T>(x < T(0)));
      // NaN stays.
      return x != x ? x : sign;
    }
  }
};
struct SquareF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return MulF::of(x, x);
  }
};
struct ReciprocalF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return T(1) / x;
  }
};
struct SqrtF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) return std::sqrt(x);
    else return root_of(x);
  }
};
struct RsqrtF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return T(1) / SqrtF::of(x);
  }
};
struct ExpF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) return std::exp(x);
    else return exp_of(x);
  }
};
struct LogF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) return std::log(x);
    else return log_of(x);
  }
};
struct Log1pF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) {
      using R = typename T::value_type;
      // |1 + x|^2 - 1 without forming 1 + x, exact for small x.
      const R a = x.real(), b = x.imag();
      const R excess = a * (R(2) + a) + b * b;
      const R size = std::abs(a) < R(0.5) && std::abs(b) < R(0.5) ? std::log1p(excess) / 2
                                                                    : std::log(std::abs(T(R(1) + a, b)));
      return T(size, std::atan2(b, R(1) + a));
    } else {
      return log1p_of(x);
    }
  }
};
struct TanhF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) return std::tanh(x);
    else return tanh_of(x);
  }
};
struct SigmoidF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    if constexpr (is_complex_element<T>) return T(1) / (T(1) + std::exp(-x));
    else return sigmoid_of(x);
  }
};
struct ReluF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    // NaN stays: it is not below zero.
    return x < T(0) ? T(0) : x;
  }
};

// Gradients: y is the op's result, dy the gradient of it. For complex numbers the derivative is conjugated.
template <class T>
DGRAPH_INLINE T conjugate(T x) {
  if constexpr (is_complex_element<T>) return std::conj(x);
  else return x;
}
struct TanhGradF {
  template <class T>
  DGRAPH_INLINE static T of(T y, T dy) {
    DGRAPH_NO_CONTRACTION
    const T c = conjugate(y);
    return MulF::of(dy, T(1) - MulF::of(c, c));
  }
};
struct SigmoidGradF {
  template <class T>
  DGRAPH_INLINE static T of(T y, T dy) {
    DGRAPH_NO_CONTRACTION
    const T c = conjugate(y);
    return MulF::of(MulF::of(dy, c), T(1) - c);
  }
};
struct SqrtGradF {
  template <class T>
  DGRAPH_INLINE static T of(T y, T dy) {
    return MulF::of(dy, T(0.5)) / conjugate(y);
  }
};
struct RsqrtGradF {
  template <class T>
  DGRAPH_INLINE static T of(T y, T dy) {
    const T c = conjugate(y);
    return MulF::of(MulF::of(dy, T(-0.5)), MulF::of(MulF::of(c, c), c));
  }
};
struct ReciprocalGradF {
  template <class T>
  DGRAPH_INLINE static T of(T y, T dy) {
    const T c = conjugate(y);
    return MulF::of(-dy, MulF::of(c, c));
  }
};
/// Arguments as in the op: dy, then the features.
struct ReluGradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T x) {
    return x > T(0) ? dy : T(0);
  }
};

}  // namespace dgraph::detail
