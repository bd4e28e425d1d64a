#include <dgraph/ops/shape_values.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

// An op whose gradient rule hands its context to the test.
Output seen_axes, seen_shape, seen_part;
struct Probe {
  static constexpr auto signature = "Probe(x: T, axis: int32) -> (y: T); T: type";
  static void shape(ShapeContext& c) {
    c.set_output(0, c.input(0));
    if (c.input(0).has_rank()) shapes::constant_axis(c, 1, c.input(0).rank());
  }
  static void gradient(GradientContext& g) {
    seen_axes = shapes::all_axes(g, g.x(0));
    seen_shape = shapes::of(g, g.x(0), DType::Int64);
    if (g.x(0).shape().has_rank()) seen_part = shapes::of(g, g.x(0), 1, 3);
    g.set(0, shapes::reshape_like(g, g.dy(), g.x(0)));
  }
};

Output probe(const Op<float>& x, int axis = 0) { return add_op<Probe>({}, x, constant(axis)); }

}  // namespace

TEST_CASE("known shapes are constants in gradient rules") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = placeholder<float>({2, 3, 4}, "x");
  const Output dx = gradients(std::vector<Output>{probe(x)}, {x})[0];
  CHECK(expression_of(seen_axes) == "[0,1,2]");
  CHECK(expression_of(seen_shape) == "[2,3,4]");
  CHECK(seen_shape.dtype() == DType::Int64);
  CHECK(expression_of(seen_part) == "[3,4]");
  CHECK(dx.op_type() != "Reshape");
}

TEST_CASE("unknown ones are nodes, as few as can be") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = placeholder<float>({-1, 3, 4}, "x");
  gradients(std::vector<Output>{probe(x)}, {x});
  CHECK(expression_of(seen_shape) == "Shape(x)");
  CHECK(expression_of(seen_part) == "[3,4]");
  const auto y = placeholder<float>({2, -1, 4}, "y");
  gradients(std::vector<Output>{probe(y)}, {y});
  CHECK(expression_of(seen_part) == "Slice(Shape(y), [1], [2])");
  const auto z = placeholder<float>({}, "z");
  gradients(std::vector<Output>{probe(z)}, {z});
  CHECK(expression_of(seen_axes) == "Range(0, Rank(z), 1)");
}

TEST_CASE("a constant axis is checked where the op is built") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = placeholder<float>({2, 3, 4});
  CHECK_NOTHROW(probe(x, -3));
  CHECK_THROWS_WITH(probe(x, 3), contains("axis 3 is out of range for a tensor of rank 3"));
  CHECK_THROWS_WITH(add_op<Probe>({}, x, constant<int>({0, 1})), contains("must be a single integer"));
  CHECK_NOTHROW(add_op<Probe>({}, x, placeholder<int>(PartialShape(Shape()))));
}
