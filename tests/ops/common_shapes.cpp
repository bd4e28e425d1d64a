#include <dgraph/ops/common_shapes.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {
Output input(PartialShape shape, DType dtype = DType::Float32) {
  return add_op<ops::Placeholder>({}, "dtype", dtype, "shape", std::move(shape));
}
Output axes(std::initializer_list<std::int32_t> values) { return constant_output(Tensor::vector<std::int32_t>(values)); }
}  // namespace

TEST_CASE("axes count from either end") {
  CHECK(shapes::axis(0, 3) == 0);
  CHECK(shapes::axis(-1, 3) == 2);
  CHECK(shapes::axis(-3, 3) == 0);
  REQUIRE_THROWS_WITH(shapes::axis(3, 3), contains("axis 3") && contains("rank 3"));
  CHECK_THROWS_AS(shapes::axis(-4, 3), Error);
  CHECK_THROWS_AS(shapes::axis(0, 0), Error);
}

TEST_CASE("reduced axes go or stay as one") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto sum = [](const Output& x, const Output& over, bool keep) { return add_op<ops::Sum>({}, x, over, "keep_dims", keep).shape(); };
  const Output x = input({2, -1, 4});
  CHECK(sum(x, axes({1}), false) == PartialShape{2, 4});
  CHECK(sum(x, axes({1}), true) == PartialShape{2, 1, 4});
  CHECK(sum(x, axes({-1, 0}), false) == PartialShape{-1});
  CHECK(sum(x, axes({}), false) == PartialShape{2, -1, 4});
  CHECK(sum(x, constant_output(Tensor::scalar<std::int32_t>(2)), false) == PartialShape{2, -1});
  CHECK(sum(x, input({2}, DType::Int32), false) == PartialShape{-1});
  CHECK(sum(x, input({2}, DType::Int32), true) == PartialShape{-1, -1, -1});
  CHECK_FALSE(sum(x, input(PartialShape(), DType::Int32), false).has_rank());
  CHECK_FALSE(sum(input(PartialShape()), axes({0}), false).has_rank());
  REQUIRE_THROWS_WITH(sum(x, axes({3}), false), contains("axis 3"));
  REQUIRE_THROWS_WITH(sum(x, axes({0, -3}), false), contains("twice"));
  REQUIRE_THROWS_WITH(sum(x, input({2, 2}, DType::Int32), false), contains("[2,2]"));
}

TEST_CASE("inputs of one shape agree in what is known") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto add = [](const std::vector<Output>& xs) { return add_op<ops::AddN>({}, xs).shape(); };
  CHECK(add({input({2, -1}), input({-1, 3}), input(PartialShape())}) == PartialShape{2, 3});
  REQUIRE_THROWS_WITH(add({input({2}), input({3})}), contains("input 1") && contains("[3]"));
}
