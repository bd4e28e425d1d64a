#include <dgraph/ops/division.hpp>

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
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
}  // namespace

TEST_CASE("division towards zero and its remainder") {
  Building b;
  const auto x = constant<int>({7, -7, std::numeric_limits<int>::min()}),
             y = constant<int>({2, 2, -1});
  CHECK(evaluate<int>(truncatediv(x, y)) ==
        std::vector<int>{3, -3, std::numeric_limits<int>::min()});
  CHECK(evaluate<int>(truncatemod(x, y)) == std::vector<int>{1, -1, 0});
  CHECK(evaluate<float>(truncatediv(constant<float>({-7.5f}), 2.f)) == Floats{-3});
  REQUIRE_THROWS_WITH(evaluate(truncatemod(x, 0)), contains("division by zero"));
}

TEST_CASE("zero wins over infinity and NaN on the side that the name says") {
  Building b;
  const auto odd = constant<float>({kNan, kInfinity, 2});
  CHECK(evaluate<float>(div_no_nan(odd, 0.f)) == Floats{0, 0, 0});
  CHECK(evaluate<float>(multiply_no_nan(odd, 0.f)) == Floats{0, 0, 0});
  const auto zeros = constant<float>({0, 0, 0});
  CHECK(evaluate<float>(xlogy(zeros, odd)) == Floats{0, 0, 0});
  CHECK(evaluate<float>(xdivy(zeros, odd)) == Floats{0, 0, 0});
  CHECK(evaluate<float>(xlog1py(zeros, odd)) == Floats{0, 0, 0});
  CHECK(evaluate<float>(gradients(xlogy(zeros, 0.f * zeros), zeros)) == Floats{0, 0, 0});
}
