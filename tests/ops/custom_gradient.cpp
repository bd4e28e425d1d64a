#include <dgraph/ops/custom_gradient.hpp>

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
}  // namespace

TEST_CASE("a gradient of one's own, which second derivatives go through") {
  Building b;
  const auto x = constant<float>({0, 100});
  const auto y = custom_gradient(
      [](const Op<float>& v) {
        const auto e = dgraph::exp(v);
        return std::pair(dgraph::log(1.f + e),
                         [e](const Op<float>& dy) { return dy * (1.f - 1.f / (1.f + e)); });
      },
      x);
  CHECK(evaluate<float>(y)[0] == test::Approx(0.693147));
  // The ops' own would be NaN at 100.
  const auto dy = gradients(y, x);
  CHECK(evaluate<float>(dy) == Floats{0.5f, 1});
  CHECK(evaluate<float>(gradients(dy, x))[0] == test::Approx(0.25));
}

TEST_CASE("a gradient for each of several operands, which need not be true") {
  Building b;
  const auto x = constant<float>({1, 2}), w = constant<float>({3, 4});
  const auto y = custom_gradient(
      [](const Op<float>& a, const Op<float>& c) {
        return std::pair(a * c,
                         [](const Op<float>& dy) { return std::tuple(dy * 10.f, dy * 20.f); });
      },
      x, w);
  CHECK(evaluate<float>(y) == Floats{3, 8});
  const auto [dx, dw] = gradients(y * 2.f, std::tuple(x, w));
  CHECK(evaluate<float>(dx) == Floats{20, 20});
  CHECK(evaluate<float>(dw) == Floats{40, 40});
}

TEST_CASE("a custom gradient of another shape is refused") {
  Building b;
  const auto x = constant<float>({1, 2});
  const auto y = custom_gradient(
      [](const Op<float>& v) {
        return std::pair(v * 2.f, [](const Op<float>& dy) { return reduce_sum(dy); });
      },
      x);
  CHECK_THROWS_WITH(gradients(y, x), contains("custom gradient") && contains("[2]"));
}
