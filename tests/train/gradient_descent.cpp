#include <dgraph/train/gradient_descent.hpp>

#include "support/catch.hpp"

#include <dgraph/graph.hpp>

#include <set>

using namespace dgraph;
using dgraph::test::contains;

namespace {

std::vector<std::string> controls_of(const Output& x) {
  std::vector<std::string> out;
  for (NodeId id : x.node().control_span()) out.emplace_back(x.core()->node(id).name);
  return out;
}
using Names = std::vector<std::string>;

// The nodes behind `target`, by data and control edges.
std::set<NodeId> needed(const GraphCore& core, NodeId target) {
  std::set<NodeId> seen;
  std::vector<NodeId> todo{target};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    for (const Endpoint& in : core.node(id).input_span()) todo.push_back(in.node);
    for (NodeId control : core.node(id).control_span()) todo.push_back(control);
  }
  return seen;
}

// Values that cross devices, "from -> to" once for each pair; constants are copied, handles stay with their variable.
std::multiset<std::string> crossings(const GraphCore& core, NodeId target) {
  std::set<std::pair<std::string, std::string>> edges;
  for (NodeId id : needed(core, target)) {
    if (core.node(id).num_outputs == 0) continue;
    for (const Endpoint& in : core.node(id).input_span()) {
      const Node& from = core.node(in.node);
      if (from.is("Const") || from.device->text == core.node(id).device->text) continue;
      edges.emplace(std::string(from.name) + ":" + std::to_string(in.index), core.node(id).device->text);
    }
  }
  std::multiset<std::string> out;
  for (const auto& [value, to] : edges) out.insert(core.node(core.find(value.substr(0, value.find(':')))).device->text + " -> " + to);
  return out;
}

}  // namespace

TEST_CASE("the four-server step has five values to send") {
  Graph graph;
  auto building = graph.as_default();
  const xt::xarray<float> x_data = xt::ones<float>({100}), y_data = x_data * 0.1f + 0.3f;
  Variable<float> W, b;
  {
    auto on = device("/job:ps/task:0");
    W = variable("W", random_uniform<float>({1}, -1.f, 1.f));
  }
  {
    auto on = device("/job:ps/task:1");
    b = variable("b", zeros<float>({1}));
  }
  Op<float> loss;
  {
    auto on = device("/job:worker/task:0");
    loss = reduce_mean(square(W * x_data + b - y_data));
  }
  Op<void> train;
  {
    auto on = device("/job:worker/task:1");
    train = GradientDescentOptimizer(0.5f).minimize(loss);
  }
  CHECK(crossings(graph.core(), train.node_id()) ==
        std::multiset<std::string>{"/job:ps/task:0 -> /job:worker/task:0", "/job:ps/task:1 -> /job:worker/task:0",
                                   "/job:worker/task:0 -> /job:worker/task:1", "/job:worker/task:1 -> /job:ps/task:0",
                                   "/job:worker/task:1 -> /job:ps/task:1"});
  CHECK(train.op_type() == "NoOp");
  CHECK(train.node().num_inputs == 0);
  CHECK(controls_of(train) ==
        Names{"GradientDescent/update_W/ApplyGradientDescent", "GradientDescent/update_b/ApplyGradientDescent"});
  // The forward pass's mean is not needed to train.
  CHECK_FALSE(needed(graph.core(), train.node_id()).contains(loss.node_id()));
}

TEST_CASE("updates are where their variables are; the learning rate is one constant") {
  Graph graph;
  auto building = graph.as_default();
  Variable<float> v, w;
  {
    auto on = device("/job:ps/task:1");
    v = variable("v", 1.f);
    w = variable("w", 2.f);
  }
  auto on = device("/job:worker/task:0");
  const auto train = GradientDescentOptimizer(0.25).minimize(v * w);
  const Node& first = graph.output("GradientDescent/update_v/ApplyGradientDescent").node();
  const Node& second = graph.output("GradientDescent/update_w/ApplyGradientDescent").node();
  CHECK(first.device->text == "/job:ps/task:1");
  CHECK(*first.colocation == Names{"v"});
  CHECK(first.inputs[0] == v.ref().endpoint());
  CHECK(first.inputs[1] == second.inputs[1]);
  const Output rate = graph.output("GradientDescent/learning_rate");
  CHECK(rate.endpoint() == first.inputs[1]);
  CHECK(rate.node().attr<Tensor>("value").item<float>() == 0.25f);
  CHECK(train.node().name == "GradientDescent");
}

TEST_CASE("variables of two dtypes have a rate of each") {
  Graph graph;
  auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  const auto w = variable("w", 2.);
  GradientDescentOptimizer(0.25).minimize(cast<double>(v) * w);
  CHECK(graph.output("GradientDescent/learning_rate").dtype() == DType::Float32);
  CHECK(graph.output("GradientDescent/learning_rate_1").dtype() == DType::Float64);
}

TEST_CASE("a learning rate may be a value of the graph") {
  Graph graph;
  auto building = graph.as_default();
  const auto w = variable("w", 2.f);
  const auto rate = placeholder<float>(PartialShape(Shape()), "rate");
  GradientDescentOptimizer(rate).minimize(square(w));
  CHECK(graph.output("GradientDescent/update_w/ApplyGradientDescent").node().inputs[1] == rate.endpoint());
}

TEST_CASE("rows that were picked are the only ones that change") {
  Graph graph;
  auto building = graph.as_default();
  const auto table = variable("table", zeros<float>({100000, 4}));
  const auto loss = reduce_sum(square(gather(table, std::vector<int>{3, 3})));
  const auto train = GradientDescentOptimizer(0.5).minimize(loss);
  const Node& update = graph.output("GradientDescent/update_table/ScatterSub").node();
  CHECK(update.inputs[0] == table.ref().endpoint());
  CHECK(*update.colocation == Names{"table"});
  for (NodeId id : needed(graph.core(), train.node_id())) CHECK_FALSE(graph.core().node(id).is("UnsortedSegmentSum"));
}

TEST_CASE("a resource variable is trained, too") {
  Graph graph;
  auto building = graph.as_default();
  const Output handle = add_op<ops::VarHandleOp>("v", "dtype", DType::Float32, "shape", PartialShape{2});
  const Op<float> value(add_op<ops::ReadVariableOp>({}, handle, "dtype", DType::Float32));
  const auto train = GradientDescentOptimizer(0.5).minimize(reduce_sum(square(value)), {.var_list = {handle}});
  CHECK(controls_of(train) == Names{"GradientDescent/update_v/ResourceApplyGradientDescent"});
}
