#include <dgraph/ops/image.hpp>

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

TEST_CASE("images in other sizes") {
  Building b;
  const auto x = reshape(constant<int>({0, 4}), {1, 1, 2, 1});
  CHECK(evaluate<float>(resize_bilinear(x, {1, 4})) == Floats{0, 2, 4, 4});
  CHECK(evaluate<float>(resize_bilinear(x, {1, 3}, {.align_corners = true})) == Floats{0, 2, 4});
  CHECK(evaluate<float>(resize_bilinear(x, {1, 4}, {.half_pixel_centers = true})) ==
        Floats{0, 1, 3, 4});
  CHECK(evaluate<int>(resize_nearest_neighbor(x, {2, 3})) == std::vector<int>{0, 0, 4, 0, 0, 4});
  CHECK(resize_nearest_neighbor(x, {2, 3}).shape().to_string() == "[1,2,3,1]");
  CHECK_THROWS_WITH(evaluate(resize_bilinear(x, {0, 3})), contains("positive"));
}
