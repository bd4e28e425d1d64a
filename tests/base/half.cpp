#include <dgraph/base/half.hpp>

#include "support/catch.hpp"

using dgraph::bfloat16;
using dgraph::half;

namespace {

// A second way to round: the nearest of all halves by distance, ties to the one with an even last bit.
std::uint16_t nearest_half(double value) {
  std::uint16_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double here = static_cast<float>(half::from_bits(static_cast<std::uint16_t>(bits)));
    const double d = std::fabs(here - value);
    if (d < distance || (d == distance && (bits & 1) == 0)) {
      best = static_cast<std::uint16_t>(bits);
      distance = d;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("every half survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const half x = half::from_bits(static_cast<std::uint16_t>(bits));
    const float f = x;
    if (std::isnan(f)) continue;
    if (half(f).bits != bits) FAIL("bits " << bits << " became " << half(f).bits);
  }
  SUCCEED();
}

TEST_CASE("every bfloat16 survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bfloat16 x = bfloat16::from_bits(static_cast<std::uint16_t>(bits));
    const float f = x;
    if (std::isnan(f)) continue;
    if (bfloat16(f).bits != bits) FAIL("bits " << bits << " became " << bfloat16(f).bits);
  }
  SUCCEED();
}

TEST_CASE("floats round to the nearest half, ties to even") {
  for (float value : {0.1f, 1.0f / 3, 2049.f, 2051.f, 65503.f, 1e-5f, 3e-8f, 5.9604645e-8f, 2.9802322e-8f, 4.4703484e-8f,
                      6.1e-5f, 1023.75f})
    CHECK(half(value).bits == nearest_half(value));
}

TEST_CASE("values beyond the range are infinite, NaN stays NaN") {
  CHECK(half(65519.f).bits == 0x7bff);
  CHECK(half(65520.f).bits == 0x7c00);
  CHECK(half(-1e30f).bits == 0xfc00);
  CHECK(std::isnan(static_cast<float>(half(std::nanf("")))));
  CHECK(std::isnan(static_cast<float>(bfloat16(std::nanf("")))));
  CHECK(std::isinf(static_cast<float>(bfloat16(3.4e38f))));
  CHECK(half(-0.0f).bits == 0x8000);
}

TEST_CASE("bfloat16 rounds to nearest, ties to even") {
  CHECK(bfloat16(1.0f + 0x1p-8f).bits == 0x3f80);   // half way, down to even
  CHECK(bfloat16(1.0f + 0x3p-8f).bits == 0x3f82);   // half way, up to even
  CHECK(bfloat16(1.0f + 0x1.1p-8f).bits == 0x3f81);
}

TEST_CASE("arithmetic rounds after each operation") {
  const half one(1), tiny(0x1p-11f);
  CHECK(static_cast<float>(one + tiny) == 1.0f);
  CHECK(static_cast<float>(half(0.1f) * half(10)) == 1.0f);
  CHECK(static_cast<float>(-half(2)) == -2.0f);
  CHECK(half(1) < half(2));
  half x(3);
  x += half(1);
  x /= half(2);
  CHECK(static_cast<float>(x) == 2.0f);
}

TEST_CASE("limits") {
  CHECK(static_cast<float>(std::numeric_limits<half>::max()) == 65504.f);
  CHECK(static_cast<float>(std::numeric_limits<half>::lowest()) == -65504.f);
  CHECK(static_cast<float>(std::numeric_limits<half>::epsilon()) == 0x1p-10f);
  CHECK(static_cast<float>(std::numeric_limits<bfloat16>::epsilon()) == 0x1p-7f);
  CHECK(std::isinf(static_cast<float>(std::numeric_limits<bfloat16>::infinity())));
}
