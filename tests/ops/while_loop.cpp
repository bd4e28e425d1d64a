#include <dgraph/ops/while_loop.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
  Op<int> n = placeholder<int>(PartialShape(Shape()), "n");
  Op<float> x = placeholder<float>({2}, "x");
};

std::vector<const Node*> nodes_of(const GraphCore& core, std::string_view type) {
  std::vector<const Node*> out;
  for (NodeId id = 0; id < core.size(); ++id)
    if (core.node(id).is(type)) out.push_back(&core.node(id));
  return out;
}

}  // namespace

TEST_CASE("a loop is made of TensorFlow's primitives") {
  Building b;
  const auto [steps, power] = while_loop([&](auto i, auto) { return i < b.n; },
                                 [&](auto i, auto y) { return std::tuple(i + 1, y * b.x); },
                                 std::tuple(0, b.x), {.parallel_iterations = 3}, "power");
  STATIC_REQUIRE(std::is_same_v<std::remove_cvref_t<decltype(steps)>, Op<int>>);
  CHECK(steps.op_type() == "Exit");
  CHECK(power.shape() == PartialShape{2});
  CHECK(nodes_of(b.core, "LoopCond").size() == 1);
  CHECK(nodes_of(b.core, "Merge").size() == 2);
  CHECK(nodes_of(b.core, "NextIteration").size() == 2);
  const auto enters = nodes_of(b.core, "Enter");
  REQUIRE(enters.size() == 4);  // two variables, n and x
  std::size_t constants = 0;
  for (const Node* enter : enters) {
    CHECK(enter->attr<std::string>("frame_name") == "power/while_context");
    CHECK(enter->attr<std::int64_t>("parallel_iterations") == 3);
    constants += enter->attr<bool>("is_constant");
  }
  CHECK(constants == 2);
  for (const Node* merge : nodes_of(b.core, "Merge")) CHECK(b.core.node(merge->inputs[1].node).is("NextIteration"));
}

TEST_CASE("what depends on nothing of a loop still waits for it") {
  Building b;
  Output made, scaled;
  while_loop([&](auto i) { return i < b.n; }, [&](auto i) {
    made = constant(1);
    scaled = b.n * b.n;
    return i + Op<int>(made);
  }, constant(0));
  CHECK(b.core.node(made.node().controls[0]).is("Identity"));
  REQUIRE(scaled.node().num_controls == 1);
  CHECK(b.core.node(scaled.node().controls[0]).is("Identity"));
}

TEST_CASE("shapes of loop variables stay, or are said not to") {
  Building b;
  const auto grow = [&](const WhileOptions& options) {
    return while_loop([&](auto) { return b.n < 3; }, [&](auto y) { return concat({y, y}, 0); }, b.x, options);
  };
  CHECK_THROWS_WITH(grow({}), contains("enters the loop with shape [2] but has shape [4]"));
  CHECK(grow({.shape_invariants = {PartialShape{-1}}}).shape() == PartialShape{-1});
  CHECK_THROWS_WITH(grow({.shape_invariants = {PartialShape{3}}}), contains("does not fit loop variable 0"));
  CHECK_THROWS_WITH(grow({.shape_invariants = {{}, {}}}), contains("2 shape invariants for 1"));
}

TEST_CASE("loops that cannot be") {
  Building b;
  const auto yes = [](const std::vector<Output>&) { return constant(true); };
  const auto same = [](const std::vector<Output>& v) { return v; };
  CHECK_THROWS_WITH(while_loop(yes, same, std::vector<Output>{}), contains("no loop variables"));
  CHECK_THROWS_WITH(while_loop(yes, same, std::vector<Output>{b.x}, {.parallel_iterations = 0}),
                    contains("parallel_iterations must be at least 1"));
  const auto none = [](const std::vector<Output>&) { return std::vector<Output>{}; };
  CHECK_THROWS_WITH(while_loop(yes, none, std::vector<Output>{b.x}), contains("0 values for 1"));
  const auto other = [&](const std::vector<Output>&) { return std::vector<Output>{b.n}; };
  CHECK_THROWS_WITH(while_loop(yes, other, std::vector<Output>{b.x}), contains("is of float32"));
}

TEST_CASE("the gradient of a loop keeps values on stacks, and invariants are taken as they are") {
  Building b;
  const auto [steps, power] = while_loop([&](auto i, auto) { return i < b.n; },
                                 [&](auto i, auto y) { return std::tuple(i + 1, y * b.x); }, std::tuple(0, b.x));
  const auto dx = gradients(power, b.x);
  CHECK(dx.op_type() == "AddN");
  REQUIRE(nodes_of(b.core, "StackV2").size() == 1);  // y of each iteration; x is the same in all
  CHECK(nodes_of(b.core, "StackPushV2").size() == 1);
  CHECK(nodes_of(b.core, "StackPopV2")[0]->outputs[0].shape->to_string() == "[2]");
  CHECK(nodes_of(b.core, "LoopCond").size() == 2);
  CHECK(nodes_of(b.core, "ControlTrigger").size() == 2);
}

TEST_CASE("no gradient passes where back_prop is off, or through a loop of single ops") {
  Building b;
  const auto y = while_loop([&](auto a) { return reduce_sum(a) < 9.f; }, [&](auto a) { return a * 2; }, b.x, {.back_prop = false});
  CHECK_FALSE(static_cast<bool>(gradients(y, b.x)));
  const Output in = add_op<ops::Enter>({}, b.x, "frame_name", "raw");
  const std::vector<Output> both{in, in};
  const Output merge = add_op<ops::Merge>({}, both);
  const Output out = add_op<ops::Exit>({}, merge);
  CHECK_THROWS_WITH(gradients(std::vector<Output>{out}, std::vector<Output>{b.x}), contains("only loops made by while_loop"));
}
