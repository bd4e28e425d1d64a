#include <dgraph/ops/tensordot.hpp>

#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

TEST_CASE("sums of products over chosen axes") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({{1, 2, 3}, {4, 5, 6}}),
             b = constant<float>({{1, 0}, {0, 1}, {2, 2}});
  CHECK(evaluate<float>(tensordot(a, b, 1)) == std::vector<float>{7, 8, 16, 17});
  CHECK(evaluate<float>(tensordot(a, b, {{0, 1}, {1, 0}})) == std::vector<float>{7 + 17});
  CHECK(evaluate<float>(tensordot(a, b, {{0}, {1}})) ==
        std::vector<float>{1, 4, 10, 2, 5, 14, 3, 6, 18});
  CHECK(tensordot(a, b, 0).shape().to_string() == "[2,3,3,2]");
  CHECK_THROWS_WITH(tensordot(a, b, {{0}, {0}}), contains("differ"));
  CHECK_THROWS_WITH(tensordot(a, b, {{0, 0}, {0, 1}}), contains("twice"));
  CHECK_THROWS_WITH(tensordot(a, b, 3), contains("no 3 axes"));
}

TEST_CASE("tensordot over a batch of unknown size") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = placeholder<float>({-1, 2}, "x");
  const auto y = tensordot(x, constant<float>({{1, 2}, {3, 4}}), 1);
  CHECK(y.shape().to_string() == "[?,2]");
  Evaluator run;
  run.feed(x, Tensor::of<float>(Shape{1, 2}, {1, 1}));
  CHECK(run.flat<float>(y) == std::vector<float>{4, 6});
}
