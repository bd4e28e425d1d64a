#include <dgraph/ops/statistics.hpp>

#include <limits>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Floats = std::vector<float>;
}  // namespace

TEST_CASE("the logarithm of a sum of exponentials does not overflow") {
  Building b;
  const auto x = constant<float>({{1000, 1000}, {-1000, -1000}});
  const Floats y = evaluate<float>(reduce_logsumexp(x, 1));
  CHECK(y[0] == test::Approx(1000.693147));
  CHECK(y[1] == test::Approx(-999.306853));
  CHECK(reduce_logsumexp(x, 1, true).shape().to_string() == "[2,1]");
  const float none = -std::numeric_limits<float>::infinity();
  CHECK(evaluate<float>(reduce_logsumexp(constant<float>({none, none})))[0] == none);
  check_gradients(
      [](const std::vector<Output>& in) { return reduce_logsumexp(Op<double>(in[0]), {0}); },
      {doubles(Shape{2, 3}, {1, -2, 0.5, 3, 1, -1})});
}

TEST_CASE("mean, variance and standard deviation") {
  Building b;
  const auto x = constant<float>({{1, 3}, {2, 6}});
  CHECK(evaluate<float>(reduce_variance(x, 1)) == Floats{1, 4});
  CHECK(evaluate<float>(reduce_std(x, 1)) == Floats{1, 2});
  const auto [mean, variance] = moments(x, {0}, true);
  CHECK(mean.shape().to_string() == "[1,2]");
  CHECK(evaluate<float>(mean) == Floats{1.5f, 4.5f});
  CHECK(evaluate<float>(variance) == Floats{0.25f, 2.25f});
  // Squares of 300 are beyond float16.
  const auto wide =
      moments(constant<half>({half(-300.f), half(300.f), half(-100.f), half(100.f)})).first;
  CHECK(static_cast<float>(evaluate<half>(wide)[0]) == 0);
  check_gradients(
      [](const std::vector<Output>& in) { return moments(Op<double>(in[0]), {1}).second; },
      {doubles(Shape{2, 3}, {1, -2, 0.5, 3, 1, -1})});
  check_second_gradients(
      [](const std::vector<Output>& in) { return moments(Op<double>(in[0]), {1}).second; },
      {doubles(Shape{2, 3}, {1, -2, 0.5, 3, 1, -1})}, 1e-5);
  check_gradients([](const std::vector<Output>& in) { return reduce_std(Op<double>(in[0]), {1}); },
                  {doubles(Shape{2, 3}, {1, -2, 0.5, 3, 1, -1})});
}
