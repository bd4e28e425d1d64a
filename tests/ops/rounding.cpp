#include <dgraph/ops/rounding.hpp>

#include <limits>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Floats = std::vector<float>;
using Bools = std::vector<bool>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
}  // namespace

TEST_CASE("rounding, halves to the even neighbour") {
  Building b;
  const auto x = constant<float>({-1.5f, 0.5f, 2.5f, 8388609.f});
  CHECK(evaluate<float>(dgraph::round(x)) == Floats{-2, 0, 2, 8388609.f});
  CHECK(evaluate<float>(dgraph::rint(x)) == Floats{-2, 0, 2, 8388609.f});
  CHECK(evaluate<float>(dgraph::floor(x)) == Floats{-2, 0, 2, 8388609.f});
  CHECK(evaluate<float>(dgraph::ceil(x)) == Floats{-1, 1, 3, 8388609.f});
  CHECK(evaluate<int>(dgraph::round(constant<int>({3, -7}))) == std::vector<int>{3, -7});
  CHECK_FALSE(static_cast<bool>(gradients(dgraph::floor(x), x)));
}

TEST_CASE("what is no finite number") {
  Building b;
  const auto x = constant<float>({1, kNan, kInfinity, -kInfinity, 3.4e38f});
  const auto flags = [](const Output& y) {
    const auto values = evaluate(y);
    return Bools(values.data<bool>(), values.data<bool>() + values.elements());
  };
  CHECK(flags(is_nan(x)) == Bools{false, true, false, false, false});
  CHECK(flags(is_inf(x)) == Bools{false, false, true, true, false});
  CHECK(flags(is_finite(x)) == Bools{true, false, false, false, true});
}

TEST_CASE("bounds keep NaN, and take the gradient of what they replace") {
  Building b;
  const auto x = constant<float>({-3, 0, 1, 5, kNan}), low = constant(-1.f), high = constant(1.f);
  const auto y = clip_by_value(x, low, high);
  const Floats values = evaluate<float>(y);
  CHECK(Floats(values.begin(), values.end() - 1) == Floats{-1, 0, 1, 1});
  CHECK(std::isnan(values.back()));
  const auto [dx, dlow, dhigh] = gradients(y, std::tuple(x, low, high));
  CHECK(evaluate<float>(dx) == Floats{0, 1, 1, 0, 1});
  CHECK(evaluate<float>(dlow) == Floats{1});
  CHECK(evaluate<float>(dhigh) == Floats{1});
  CHECK_THROWS_WITH(clip_by_value(x, constant<float>({1, 2}), 3.f), contains("a bound must be"));
}
