#include <dgraph/ops/cumulative.hpp>

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

TEST_CASE("running sums and products along an axis") {
  Building b;
  const auto x = constant<float>({{1, 2, 3}, {4, 5, 6}});
  CHECK(evaluate<float>(cumsum(x)) == Floats{1, 2, 3, 5, 7, 9});
  CHECK(evaluate<float>(cumsum(x, 1)) == Floats{1, 3, 6, 4, 9, 15});
  CHECK(evaluate<float>(cumsum(x, -1, true)) == Floats{0, 1, 3, 0, 4, 9});
  CHECK(evaluate<float>(cumprod(x, 1, false, true)) == Floats{6, 6, 3, 120, 30, 6});
  CHECK(evaluate<float>(cumprod(x, 1, true, true)) == Floats{6, 3, 1, 30, 6, 1});
  CHECK_THROWS_WITH(cumsum(x, 2), contains("axis 2"));
}

TEST_CASE("columns of more than one tile") {
  Building b;
  Tensor x(DType::Int64, Shape{3, 1000});
  for (std::int64_t i = 0; i < x.elements(); ++i) x.mutable_data<std::int64_t>()[i] = i;
  const auto sums = evaluate<std::int64_t>(cumsum(Op<std::int64_t>(constant_output(x))));
  for (std::size_t i = 0; i < 1000; ++i)
    REQUIRE(sums[2000 + i] == static_cast<std::int64_t>(3 * i + 3000));
}

TEST_CASE("the gradient of a running product divides by no zero") {
  Building b;
  const auto x = constant<float>({2, 0, 3});
  CHECK(evaluate<float>(gradients(cumprod(x), x)) == Floats{1, 8, 0});
  const auto two = constant<float>({0, 0, 3});
  CHECK(evaluate<float>(gradients(cumprod(two), two)) == Floats{1, 0, 0});
  const auto one = constant<float>({0});
  CHECK(evaluate<float>(gradients(cumprod(one), one)) == Floats{1});
}

TEST_CASE("counts of values") {
  Building b;
  const auto values = constant<int>({1, 1, 2, 7});
  CHECK(evaluate<float>(bincount<float>(values, 4)) == Floats{0, 2, 1, 0});
  CHECK(bincount(values, 4).shape().to_string() == "[4]");
  REQUIRE_THROWS_WITH(evaluate(bincount(constant<int>({0, -2}), 3)),
                      contains("non-negative") && contains("-2"));
}
