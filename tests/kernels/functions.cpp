#include <dgraph/kernels/functions.hpp>

#include "support/catch.hpp"

#include <limits>

using namespace dgraph::detail;

TEST_CASE("the larger and the smaller of two, NaN first") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(MaxF::of(1.0, 2.0) == 2.0);
  CHECK(MinF::of(1.0, 2.0) == 1.0);
  CHECK(std::isnan(MaxF::of(nan, 1.0)));
  CHECK(std::isnan(MaxF::of(1.0, nan)));
  CHECK(std::isnan(MinF::of(nan, 1.0)));
  CHECK(std::isnan(MinF::of(1.0, nan)));
  CHECK(MaxF::of(std::uint8_t{200}, std::uint8_t{100}) == 200);
}

TEST_CASE("products of 16 bits do not overflow on the way") {
  CHECK(MulF::of(std::uint16_t{65535}, std::uint16_t{65535}) == 1);
  CHECK(MulF::of(std::uint64_t{1} << 63, std::uint64_t{2}) == 0);
}

TEST_CASE("faults are gathered, not raised") {
  std::uint32_t faults = kNoFault;
  CHECK(safe_divide(-7, 2, faults) == -3);
  CHECK(faults == kNoFault);
  CHECK(safe_divide(std::numeric_limits<int>::min(), -1, faults) == std::numeric_limits<int>::min());
  CHECK(faults == kNoFault);
  CHECK(safe_divide(1, 0, faults) == 0);
  CHECK(faults == kDivisionByZero);
  IntPowF::of(2, -1, faults);
  CHECK(faults == (kDivisionByZero | kNegativePower));
}
