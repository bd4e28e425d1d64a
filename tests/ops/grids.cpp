#include <dgraph/ops/grids.hpp>

#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

TEST_CASE("masks of sequences") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto lengths = constant<int>({1, 3, 0});
  CHECK(evaluate<float>(sequence_mask<float>(lengths)) ==
        std::vector<float>{1, 0, 0, 1, 1, 1, 0, 0, 0});
  const auto mask = sequence_mask(lengths, 2);
  CHECK(mask.dtype() == DType::Bool);
  CHECK(mask.shape().to_string() == "[3,2]");
}

TEST_CASE("grids over axes") {
  GraphCore core;
  const DefaultGraph building(core);
  const std::vector<Op<int>> axes{constant<int>({1, 2, 3}), constant<int>({4, 5})};
  const auto page = meshgrid(axes);
  CHECK(page[0].shape().to_string() == "[2,3]");
  CHECK(evaluate<int>(page[0]) == std::vector<int>{1, 2, 3, 1, 2, 3});
  CHECK(evaluate<int>(page[1]) == std::vector<int>{4, 4, 4, 5, 5, 5});
  const auto matrix = meshgrid(axes, "ij");
  CHECK(evaluate<int>(matrix[0]) == std::vector<int>{1, 1, 2, 2, 3, 3});
  CHECK_THROWS_WITH(meshgrid(axes, "yx"), contains("'xy' or 'ij'"));
}
