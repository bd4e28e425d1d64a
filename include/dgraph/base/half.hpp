#pragma once
// half (IEEE 754 binary16) and bfloat16 (the upper half of a binary32): two-byte element types that compute in float.

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace dgraph {
namespace detail {

// Round to nearest, ties to even; overflow gives infinity, NaN stays NaN (quiet).
constexpr std::uint16_t float_to_half_bits(float value) noexcept {
  const std::uint32_t f = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (f >> 16) & 0x8000u;
  const std::uint32_t magnitude = f & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Below the smallest normal half: count in units of 2^-24.
    if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t shift = 126u - exponent;
    const std::uint32_t whole = mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
    const std::uint32_t tie = 1u << (shift - 1u);
    return static_cast<std::uint16_t>(sign | (whole + ((rest > tie || (rest == tie && (whole & 1u))) ? 1u : 0u)));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u;
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

constexpr float half_bits_to_float(std::uint16_t h) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 0x1fu;
  const std::uint32_t mantissa = h & 0x3ffu;
  if (exponent == 0x1fu) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

constexpr std::uint16_t float_to_bfloat16_bits(float value) noexcept {
  const std::uint32_t f = std::bit_cast<std::uint32_t>(value);
  if ((f & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((f >> 16) | 0x40u);
  return static_cast<std::uint16_t>((f + 0x7fffu + ((f >> 16) & 1u)) >> 16);
}

constexpr float bfloat16_bits_to_float(std::uint16_t b) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16);
}

}  // namespace detail

#define DGRAPH_DETAIL_SMALL_FLOAT(name, encode, decode)                                              \
  struct name {                                                                                      \
    std::uint16_t bits = 0;                                                                          \
    constexpr name() noexcept = default;                                                             \
    template <class T>                                                                               \
      requires std::is_arithmetic_v<T>                                                               \
    constexpr explicit name(T value) noexcept : bits(detail::encode(static_cast<float>(value))) {}   \
    constexpr operator float() const noexcept { return detail::decode(bits); }                       \
    static constexpr name from_bits(std::uint16_t bits) noexcept {                                   \
      name x;                                                                                        \
      x.bits = bits;                                                                                 \
      return x;                                                                                      \
    }                                                                                                \
    friend constexpr name operator+(name a, name b) noexcept { return name(float(a) + float(b)); }   \
    friend constexpr name operator-(name a, name b) noexcept { return name(float(a) - float(b)); }   \
    friend constexpr name operator*(name a, name b) noexcept { return name(float(a) * float(b)); }   \
    friend constexpr name operator/(name a, name b) noexcept { return name(float(a) / float(b)); }   \
    constexpr name operator-() const noexcept {                                                      \
      return from_bits(static_cast<std::uint16_t>(bits ^ 0x8000u));                                  \
    }                                                                                                \
    constexpr name& operator+=(name b) noexcept { return *this = *this + b; }                        \
    constexpr name& operator-=(name b) noexcept { return *this = *this - b; }                        \
    constexpr name& operator*=(name b) noexcept { return *this = *this * b; }                        \
    constexpr name& operator/=(name b) noexcept { return *this = *this / b; }                        \
    friend constexpr bool operator==(name a, name b) noexcept { return float(a) == float(b); }       \
    friend constexpr std::partial_ordering operator<=>(name a, name b) noexcept {                    \
      return float(a) <=> float(b);                                                                  \
    }                                                                                                \
  };

/// IEEE 754 binary16: 11 bits of precision, largest value 65504. Arithmetic rounds after each operation.
DGRAPH_DETAIL_SMALL_FLOAT(half, float_to_half_bits, half_bits_to_float)
/// The upper 16 bits of a binary32: 8 bits of precision and float's range.
DGRAPH_DETAIL_SMALL_FLOAT(bfloat16, float_to_bfloat16_bits, bfloat16_bits_to_float)
#undef DGRAPH_DETAIL_SMALL_FLOAT

}  // namespace dgraph

template <>
class std::numeric_limits<dgraph::half> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true,
                        has_quiet_NaN = true;
  static constexpr dgraph::half infinity() noexcept { return dgraph::half::from_bits(0x7c00); }
  static constexpr dgraph::half quiet_NaN() noexcept { return dgraph::half::from_bits(0x7e00); }
  static constexpr dgraph::half max() noexcept { return dgraph::half::from_bits(0x7bff); }
  static constexpr dgraph::half lowest() noexcept { return dgraph::half::from_bits(0xfbff); }
  static constexpr dgraph::half min() noexcept { return dgraph::half::from_bits(0x0400); }
  static constexpr dgraph::half epsilon() noexcept { return dgraph::half::from_bits(0x1400); }
};

template <>
class std::numeric_limits<dgraph::bfloat16> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true,
                        has_quiet_NaN = true;
  static constexpr dgraph::bfloat16 infinity() noexcept { return dgraph::bfloat16::from_bits(0x7f80); }
  static constexpr dgraph::bfloat16 quiet_NaN() noexcept { return dgraph::bfloat16::from_bits(0x7fc0); }
  static constexpr dgraph::bfloat16 max() noexcept { return dgraph::bfloat16::from_bits(0x7f7f); }
  static constexpr dgraph::bfloat16 lowest() noexcept { return dgraph::bfloat16::from_bits(0xff7f); }
  static constexpr dgraph::bfloat16 min() noexcept { return dgraph::bfloat16::from_bits(0x0080); }
  static constexpr dgraph::bfloat16 epsilon() noexcept { return dgraph::bfloat16::from_bits(0x3c00); }
};
