#include <dgraph/ops/cross.hpp>

#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

TEST_CASE("the cross product of two axes is the third") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({{1, 0, 0}, {0, 1, 0}}),
             y = constant<float>({{0, 1, 0}, {0, 0, 1}});
  CHECK(evaluate<float>(cross(x, y)) == std::vector<float>{0, 0, 1, 1, 0, 0});
  CHECK_THROWS_WITH(cross(constant<float>({1, 2}), constant<float>({1, 2})),
                    contains("vectors of 3"));
  CHECK_THROWS_AS(cross(constant<float>({1, 2, 3}), x), Error);
}
