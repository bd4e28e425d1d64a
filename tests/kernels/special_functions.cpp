#include <dgraph/kernels/special_functions.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <numbers>

using namespace dgraph::detail;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void near(double got, double want) {
  INFO(got << " instead of " << want);
  CHECK(std::abs(got - want) <= 1e-13 * std::abs(want));
}

}  // namespace

// Values of 17 digits by mpmath.
TEST_CASE("special functions have known values") {
  near(erfinv(0.5), 0.47693627620446987);
  near(erfinv(-0.999999999), -4.320005388105362);
  near(erfinv(1 - 0x1p-53), 5.8635847487551679);
  near(digamma(1), -std::numbers::egamma);
  near(digamma(-0.5), 0.036489973978576520);
  near(polygamma(1, 1), std::numbers::pi * std::numbers::pi / 6);
  near(polygamma(3, 0.25), 1538.7821440091884);
  near(hurwitz_zeta(3, 1), 1.2020569031595943);
  near(igamma(1, 2), 1 - std::exp(-2.0));
  near(igammac(0.5, 4), std::erfc(2.0));
  near(betainc(2, 3, 0.5), 0.6875);
}

TEST_CASE("special functions at the ends of their domains") {
  CHECK(erfinv(1) == kInfinity);
  CHECK(std::isnan(erfinv(1.5)));
  CHECK(log_gamma(-1) == kInfinity);
  CHECK(std::isnan(digamma(-2)));
  CHECK(std::isnan(polygamma(0.5, 1)));
  CHECK(hurwitz_zeta(1, 3) == kInfinity);
  CHECK(hurwitz_zeta(2, -3) == kInfinity);
  CHECK(hurwitz_zeta(kInfinity, 2) == 0);
  // No loop goes over the terms below 0 one by one.
  CHECK(std::isfinite(hurwitz_zeta(2, -1e15 + 0.5)));
  CHECK(igamma(2, 0) == 0);
  CHECK(igammac(2, kInfinity) == 0);
  CHECK(std::isnan(igamma(-1, 1)));
  CHECK(betainc(2, 3, 1) == 1);
  CHECK(std::isnan(betainc(0, 1, 0.5)));
}

TEST_CASE("the derivative of the incomplete gamma function by its parameter") {
  for (const auto& [a, x] : {std::pair{2.0, 1.0}, {2.0, 5.0}, {30.0, 28.0}, {0.5, 3.0}}) {
    const double h = 1e-5;
    INFO("a " << a << ", x " << x);
    CHECK(igamma_grad_a(a, x) ==
          dgraph::test::Approx((igamma(a + h, x) - igamma(a - h, x)) / (2 * h)).epsilon(1e-7));
  }
}
