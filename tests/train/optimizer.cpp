#include <dgraph/train/optimizer.hpp>

#include "support/catch.hpp"

#include <dgraph/graph.hpp>

using namespace dgraph;
using dgraph::test::contains;

namespace {

std::vector<std::string> controls_of(const Output& x) {
  std::vector<std::string> out;
  for (NodeId id : x.node().control_span()) out.emplace_back(x.core()->node(id).name);
  return out;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("compute_gradients gives one for each trainable variable, or none") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f), unused = variable("unused", 2.f);
  variable("fixed", 3.f, false);
  const auto found = GradientDescentOptimizer(0.5).compute_gradients(square(v));
  REQUIRE(found.size() == 2);
  CHECK(found[0].variable.ref() == v.ref());
  CHECK(static_cast<bool>(found[0].gradient));
  CHECK(found[1].variable.ref() == unused.ref());
  CHECK_FALSE(found[1].gradient);
}

TEST_CASE("only the variables of the list are trained") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f), w = variable("w", 2.f);
  const auto train = GradientDescentOptimizer(0.5).minimize(v * w, {.var_list = {w}});
  CHECK(controls_of(train) == Names{"GradientDescent/update_w/ApplyGradientDescent"});
}

TEST_CASE("gradients can be changed between the two halves") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  const GradientDescentOptimizer optimizer(0.5);
  auto found = optimizer.compute_gradients(square(v));
  found[0].gradient = Op<float>(found[0].gradient.values()) * 0.1f;
  optimizer.apply_gradients(found, {}, "train");
  const Node& update = graph.output("train/update_v/ApplyGradientDescent").node();
  CHECK(update.inputs[2] == found[0].gradient.values().endpoint());
  CHECK(graph.output("train").op_type() == "NoOp");
}

TEST_CASE("the global step is counted after all updates") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  const auto step = variable("step", std::int64_t{0}, false);
  const auto train = GradientDescentOptimizer(0.5).minimize(square(v), {.global_step = step});
  CHECK(train.op_type() == "AssignAdd");
  CHECK(train.node().inputs[0] == step.ref().endpoint());
  CHECK(controls_of(train) == Names{"GradientDescent/update_v/ApplyGradientDescent"});
  CHECK(*train.node().colocation == Names{"step"});
}

TEST_CASE("a gradient of the loss can be given, and gradients placed with their ops") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  Op<float> loss;
  {
    auto on = device("/job:worker/task:0");
    loss = exp(v);
  }
  auto on = device("/job:worker/task:1");
  const auto half = constant(0.5f, "half");
  const auto found = GradientDescentOptimizer(0.5).compute_gradients(
      loss, {.colocate_gradients_with_ops = true, .grad_loss = half});
  const Node& node = found[0].gradient.values().node();
  CHECK(node.device->text == "/job:worker/task:0");
  CHECK(node.inputs[0] == half.endpoint());
}

TEST_CASE("two optimizers of one graph have names of their own") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  const GradientDescentOptimizer optimizer(0.5);
  CHECK(optimizer.minimize(square(v)).node().name == "GradientDescent");
  CHECK(optimizer.minimize(square(v)).node().name == "GradientDescent_1");
}

TEST_CASE("minimize builds in the loss's graph") {
  Graph graph;
  Op<float> loss;
  Variable<float> v;
  {
    auto building = graph.as_default();
    v = variable("v", 1.f);
    loss = square(v);
  }
  CHECK(GradientDescentOptimizer(0.5).minimize(loss).core() == &graph.core());
  CHECK_THROWS_AS(constant(1.f), Error);
}

TEST_CASE("what cannot be trained says why") {
  Graph graph;
  auto building = graph.as_default();
  const GradientDescentOptimizer optimizer(0.5);
  CHECK_THROWS_WITH(optimizer.minimize(constant(1.f)), contains("no trainable variables"));
  const auto v = variable("v", 1.f);
  CHECK_THROWS_WITH(optimizer.minimize(constant(1.f)), contains("depends on none of the variables") && contains(": v"));
  CHECK_THROWS_WITH(optimizer.minimize(argmax(constant<float>({1, 2}))), contains("int64"));
  CHECK_THROWS_WITH(optimizer.minimize(Output()), contains("empty handle"));
  CHECK_THROWS_WITH(optimizer.minimize(square(v), {.var_list = {Output(square(v))}}), contains("is a value"));
  CHECK_THROWS_WITH(optimizer.minimize(square(v), {.var_list = {Variable<float>()}}), contains("never made"));
}
