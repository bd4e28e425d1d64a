#include <dgraph/ops/selection.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/operators.hpp>
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
using Longs = std::vector<std::int64_t>;
}  // namespace

TEST_CASE("where chooses element by element, with broadcasting") {
  Building b;
  const auto x = constant<float>({{1, 2}, {3, 4}});
  CHECK(evaluate<float>(where(constant<bool>({true, false}), x, 0.f)) == Floats{1, 0, 3, 0});
  CHECK(evaluate<float>(where(x > 2.f, x, -x)) == Floats{-1, -2, 3, 4});
  CHECK(evaluate<float>(where(constant(true), x, 0.f)) == Floats{1, 2, 3, 4});
  CHECK_THROWS_AS(where(constant<bool>({true, false, true}), x, x), Error);
}

TEST_CASE("where alone gives the positions of what is true") {
  Building b;
  const auto found = where(constant<float>({{0, 1}, {-2, 0}}));
  CHECK(found.shape().to_string() == "[?,2]");
  CHECK(evaluate<std::int64_t>(found) == Longs{0, 1, 1, 0});
  CHECK(evaluate(where(constant(true))).shape() == Shape{1, 0});
  CHECK(evaluate(where(constant(false))).shape() == Shape{0, 0});
}

TEST_CASE("a branch that is not chosen can spoil the gradient, which a second where prevents") {
  Building b;
  const auto x = constant<float>({0, 4});
  const auto naive = where(x > 0.f, dgraph::sqrt(x), 0.f);
  CHECK(std::isnan(evaluate<float>(gradients(naive, x))[0]));
  const auto safe = where(x > 0.f, dgraph::sqrt(where(x > 0.f, x, 1.f)), 0.f);
  CHECK(evaluate<float>(gradients(safe, x)) == Floats{0, 0.25f});
}

TEST_CASE("the gradient of a side that was broadcast is summed") {
  Building b;
  const auto x = constant<float>({{1, 2}, {3, 4}});
  const auto low = constant<float>({10, 20});
  const auto [dx, dlow] = gradients(where(x > 2.f, x, low), std::tuple(x, low));
  CHECK(evaluate<float>(dx) == Floats{0, 0, 1, 1});
  CHECK(evaluate<float>(dlow) == Floats{1, 1});
}

TEST_CASE("a mask picks parts of a value") {
  Building b;
  const auto x = constant<float>({{1, 2}, {3, 4}, {5, 6}});
  const auto rows = boolean_mask(x, constant<bool>({true, false, true}));
  CHECK(rows.shape().to_string() == "[?,2]");
  CHECK(evaluate<float>(rows) == Floats{1, 2, 5, 6});
  CHECK(evaluate<float>(boolean_mask(x, constant<bool>({false, true}), 1)) == Floats{2, 4, 6});
  CHECK(evaluate<float>(boolean_mask(x, x > 2.f)) == Floats{3, 4, 5, 6});
  CHECK(evaluate<float>(gradients(boolean_mask(x, x > 2.f), x)) == Floats{0, 0, 1, 1, 1, 1});
  CHECK_THROWS_WITH(boolean_mask(x, constant<bool>({true, false})), contains("does not fit"));
  CHECK_THROWS_WITH(boolean_mask(x, constant(true)), contains("rank of at least 1"));
}
