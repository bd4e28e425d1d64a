#include <dgraph/ops/top_k.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
}  // namespace

TEST_CASE("top_k and in_top_k") {
  Building b;
  const auto x = constant<float>({{1, 3, 3, 2}, {5, 4, 8, 7}});
  const auto [values, indices] = top_k(x, 2);
  CHECK(evaluate<float>(values) == std::vector<float>{3, 3, 8, 7});
  CHECK(evaluate<int>(indices) == std::vector<int>{1, 2, 2, 3});
  CHECK(top_k(x, 0).first.shape().to_string() == "[2,0]");
  CHECK_THROWS_WITH(top_k(x, 5), contains("at least k columns"));
  CHECK(evaluate<bool>(in_top_k(x, constant<int>({2, 1}), 2)) == std::vector<bool>{true, false});
  check_gradients([](const std::vector<Output>& in) { return top_k(Op<double>(in[0]), 2).first; },
                  {varied({2, 2, 3})});
}
