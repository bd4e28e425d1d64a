#include <dgraph/ops/compare.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/shape.hpp>

#include <limits>

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
using Bools = std::vector<bool>;
Output input(PartialShape shape, DType dtype = DType::Float32) {
  return add_op<ops::Placeholder>({}, "dtype", dtype, "shape", std::move(shape));
}
}  // namespace

TEST_CASE("comparisons with their operands in order") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<int>({1, 2, 3});
  CHECK(evaluate<bool>(equal(a, 2)) == Bools{false, true, false});
  CHECK(evaluate<bool>(not_equal(a, 2)) == Bools{true, false, true});
  CHECK(evaluate<bool>(less(a, 2)) == Bools{true, false, false});
  CHECK(evaluate<bool>(less_equal(a, 2)) == Bools{true, true, false});
  CHECK(evaluate<bool>(greater(2, a)) == Bools{true, false, false});
  CHECK(evaluate<bool>(greater_equal(2, a)) == Bools{true, true, false});
  CHECK(evaluate<bool>(equal(constant<std::string>({"a", "b"}), "b")) == Bools{false, true});
}

TEST_CASE("logic") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<bool>({true, true, false}), b = constant<bool>({true, false, false});
  CHECK(evaluate<bool>(logical_and(a, b)) == Bools{true, false, false});
  CHECK(evaluate<bool>(logical_or(a, b)) == Bools{true, true, false});
  CHECK(evaluate<bool>(logical_not(b)) == Bools{false, true, true});
  CHECK(evaluate<bool>(logical_and(a, true)) == Bools{true, true, false});
}

TEST_CASE("equality of shapes that cannot be broadcast") {
  GraphCore core;
  const DefaultGraph building(core);
  const Output a = input({2}), b = input({3}), open = input({-1});
  const auto lenient = [](const Output& x, const Output& y) {
    return add_op<ops::Equal>({}, x, y, "incompatible_shape_error", false).shape();
  };
  REQUIRE_THROWS_WITH(add_op<ops::Equal>({}, a, b), contains("[2] vs. [3]"));
  CHECK(lenient(a, b) == PartialShape::scalar());
  CHECK(lenient(a, a) == PartialShape{2});
  CHECK_FALSE(lenient(a, open).has_rank());
  CHECK(add_op<ops::NotEqual>({}, a, input({1, 1})).shape() == PartialShape{1, 2});
}

TEST_CASE("select chooses elements, rows, or all at once") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto t = constant<float>({{1, 2}, {3, 4}}), e = constant<float>({{-1, -2}, {-3, -4}});
  CHECK(evaluate<float>(select(constant<bool>({{true, false}, {false, true}}), t, e)) == std::vector<float>{1, -2, -3, 4});
  CHECK(evaluate<float>(select(constant<bool>({true, false}), t, e)) == std::vector<float>{1, 2, -3, -4});
  CHECK(evaluate<float>(select(constant(false), t, e)) == std::vector<float>{-1, -2, -3, -4});
}

TEST_CASE("shapes of select") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto shape = [](PartialShape c, PartialShape t, PartialShape e) {
    return add_op<ops::Select>({}, input(std::move(c), DType::Bool), input(std::move(t)), input(std::move(e))).shape();
  };
  CHECK(shape({-1, 3}, {2, -1}, PartialShape()) == PartialShape{2, 3});
  CHECK(shape({2}, {2, 3}, {2, 3}) == PartialShape{2, 3});
  CHECK(shape(PartialShape::scalar(), {-1}, {4}) == PartialShape{4});
  REQUIRE_THROWS_WITH(shape({2}, {2, 3}, {2, 4}), contains("one shape"));
  REQUIRE_THROWS_WITH(shape({3}, {2, 3}, {2, 3}), contains("[3]"));
  REQUIRE_THROWS_WITH(shape({2, 1}, {2, 3}, {2, 3}), contains("[2,1]"));
}

TEST_CASE("the gradient of select goes to what was chosen") {
  const Tensor rows = Tensor::of<bool>(Shape{2}, {true, false});
  const Tensor elements = Tensor::of<bool>(Shape{2, 2}, {true, false, false, true});
  for (const Tensor& condition : {rows, elements, Tensor::scalar(true)})
    check_gradients([](const std::vector<Output>& x) { return add_op<ops::Select>({}, x[0], x[1], x[2]); },
                    {condition, doubles(Shape{2, 2}, {1, 2, 3, 4}), doubles(Shape{2, 2}, {5, 6, 7, 8})});
}

TEST_CASE("nothing flows through a comparison") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  CHECK_FALSE(static_cast<bool>(gradients(cast<float>(x > 1), x)));
}

TEST_CASE("nearly equal, of floats and of integers to their ends") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto flags = [](const Output& y) {
    const Tensor values = test::evaluate(y);
    return std::vector<bool>(values.data<bool>(), values.data<bool>() + values.elements());
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto x = constant<float>({1, 1, nan, 1}), y = constant<float>({1.4f, 1.6f, 1, nan});
  CHECK(flags(approximate_equal(x, y, 0.5f)) == std::vector<bool>{true, false, false, false});
  using Limits = std::numeric_limits<std::int64_t>;
  const auto low = constant<std::int64_t>({Limits::min(), 5, 5}), high = constant<std::int64_t>({Limits::max(), 6, 5});
  CHECK(flags(approximate_equal(low, high, 1.5f)) == std::vector<bool>{false, false, true});
  CHECK(flags(approximate_equal(low, low, -1.f)) == std::vector<bool>{false, false, false});
  const auto odd = constant<half>({half(1.f), half(2.f)});
  CHECK(flags(approximate_equal(odd, constant<half>({half(1.25f), half(2.75f)}), 0.5f)) == std::vector<bool>{true, false});
}
