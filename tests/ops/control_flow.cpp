#include <dgraph/ops/control_flow.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::vector<std::string> controls_of(const Output& x) {
  std::vector<std::string> out;
  for (NodeId id : x.node().control_span()) out.emplace_back(x.core()->node(id).name);
  return out;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("group runs after all that it is given") {
  Building b;
  const auto x = constant(1.f, "x");
  const auto all = group({x, no_op("n")}, "all");
  CHECK(all.op_type() == "NoOp");
  CHECK(all.node().num_inputs == 0);
  CHECK(controls_of(all) == Names{"x", "n"});
  CHECK_THROWS_WITH(group({x, Op<float>()}), contains("empty handle"));
}

TEST_CASE("a tuple's values wait for each other, each where it is") {
  Building b;
  Op<float> x;
  {
    const auto on = device("/job:ps/task:1");
    x = constant(1.f, "x");
  }
  const auto y = constant(2, "y");
  const auto [a, c] = tuple(x, y);
  CHECK(a.op_type() == "Identity");
  CHECK(a.node().device->text == "/job:ps/task:1");
  CHECK(c.dtype() == DType::Int32);
  REQUIRE(controls_of(a).size() == 1);
  const Output gate = b.core.output(controls_of(a)[0]);
  CHECK(controls_of(gate) == Names{"x", "y"});
  CHECK_THROWS_WITH(tuple(std::vector<Output>{}), contains("no values"));
}

TEST_CASE("with_dependencies delays a value") {
  Building b;
  const auto x = constant(1.f, "x");
  const auto late = with_dependencies({no_op("first")}, x);
  const Output gate = b.core.output(controls_of(late)[0]);
  CHECK(controls_of(gate) == Names{"first", "x"});
}

TEST_CASE("assert and print take any values along") {
  Building b;
  const auto x = constant<float>({1, 2}, "x");
  const auto check = assert_true(constant(true), {x, constant("why")}, 5);
  CHECK(check.op_type() == "Assert");
  CHECK(check.node().attr<std::int64_t>("summarize") == 5);
  CHECK(check.node().attr<std::vector<DType>>("T") == std::vector<DType>{DType::Float32, DType::String});
  const auto line = __LINE__ + 1;
  CHECK_THROWS_WITH(assert_true(constant<bool>({true, false}), {x}), contains("control_flow.cpp:" + std::to_string(line)));
  const auto shown = print(x, {x}, {.message = "x: ", .first_n = 2});
  CHECK(shown.shape() == PartialShape{2});
  CHECK(shown.node().attr<std::string>("message") == "x: ");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({2}, "dy")};
  CHECK(expression_of(gradients(shown, x, options)) == "dy");
}

TEST_CASE("shapes of the primitives of loops and conditionals") {
  Building b;
  const auto x = placeholder<float>({2, 3});
  const auto p = placeholder<bool>(PartialShape(Shape()));
  const Output branch = add_op<ops::Switch>({}, x, p);
  CHECK(Output(&b.core, branch.node_id(), 1).shape() == PartialShape{2, 3});
  CHECK_THROWS_WITH(add_op<ops::Switch>({}, x, placeholder<bool>({2})), contains("must have rank 0"));
  const std::vector<Output> both{x, placeholder<float>({2, 4})};
  const Output merged = add_op<ops::Merge>({}, both);
  CHECK(merged.shape() == PartialShape{2, -1});
  CHECK(Output(&b.core, merged.node_id(), 1).dtype() == DType::Int32);
  const std::vector<Output> ranks{x, placeholder<float>({2})};
  CHECK_FALSE(add_op<ops::Merge>({}, ranks).shape().has_rank());
  const Output in = add_op<ops::Enter>({}, x, "frame_name", "loop");
  CHECK(in.shape() == PartialShape{2, 3});
  CHECK_FALSE(in.node().attr<bool>("is_constant"));
  CHECK(add_op<ops::Exit>({}, add_op<ops::NextIteration>({}, in)).shape() == PartialShape{2, 3});
  CHECK(add_op<ops::LoopCond>({}, p).shape() == PartialShape(Shape()));
}

TEST_CASE("the ref forms pass a variable's handle on") {
  Building b;
  const auto w = variable("w", 1.f), v = variable("v", 2.f);
  const std::vector<Output> refs{w.ref(), v.ref()};
  const Output merged = add_op<ops::RefMerge>({}, refs);
  CHECK(merged.is_ref());
  const std::vector<Output> values{w.read(), v.read()};
  CHECK_THROWS_WITH(add_op<ops::RefMerge>({}, values), contains("must be a variable"));
  CHECK(add_op<ops::RefEnter>({}, w.ref(), "frame_name", "loop").is_ref());
}
