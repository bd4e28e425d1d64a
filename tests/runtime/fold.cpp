#include <dgraph/runtime/fold.hpp>

#include <dgraph/runtime/prune.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// The values that the node of an output is folded to.
std::vector<Tensor> folded(const PlanGraph& graph, const Output& output) {
  detail::StepGraph step =
      detail::prune(graph.shared_core(), graph.size(), signature({output}), &find_kernel<PlanOps>);
  detail::Folder folder(step);
  return folder.from_constants(step.nodes[step.position[output.node_id()]]);
}

}  // namespace

TEST_CASE("An op on constants has a value") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const std::vector<Tensor> values = folded(graph, add_op<ops::Mul>("y", scalar(3), scalar(7)));
  REQUIRE(values.size() == 1);
  CHECK(values[0].item<float>() == 21.f);
}

TEST_CASE("Nothing large is folded") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output zero = scalar(0);
  CHECK(folded(graph, add_op<ops::Fill>("fits", constant({1 << 18}), zero)).size() == 1);
  CHECK(folded(graph, add_op<ops::Fill>("large", constant({(1 << 18) + 1}), zero)).empty());
  CHECK(folded(graph, add_op<ops::Fill>("huge", constant({1 << 30, 1 << 30}), zero)).empty());
  CHECK(folded(graph, add_op<ops::Neg>("large", constant(1.f, Shape{(1 << 18) + 1}))).empty());
}

TEST_CASE("An op that fails fails in the step, not in planning") {
  PlanGraph graph;
  const auto building = graph.as_default();
  CHECK(folded(graph, add_op<ops::FloorDiv>("bad", constant(1), constant(0))).empty());
}

TEST_CASE("Folding ends after so many nodes") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output y = add_op<ops::Neg>("y", scalar(1));
  detail::StepGraph step =
      detail::prune(graph.shared_core(), graph.size(), signature({y}), &find_kernel<PlanOps>);
  detail::Folder folder(step);
  const detail::StepNode& node = step.nodes[step.position[y.node_id()]];
  std::size_t times = 0;
  while (!folder.from_constants(node).empty()) ++times;
  CHECK(times == detail::kFoldMostNodes);
}

TEST_CASE("A folded value has the attributes of a Const") {
  PlanGraph graph;
  const auto building = graph.as_default();
  detail::StepGraph step = detail::prune(graph.shared_core(), graph.size(), signature({scalar(1)}),
                                         &find_kernel<PlanOps>);
  detail::Folder folder(step);
  detail::StepNode node = step.nodes.back();
  node.attrs = folder.constant_attrs(Tensor::scalar<std::int64_t>(5));
  CHECK(detail::constant_value(node).item<std::int64_t>() == 5);
  CHECK((*node.attrs)[static_cast<std::size_t>(node.def->attr_index("dtype"))].get<DType>() ==
        DType::Int64);
  step.kernels = nullptr;
  CHECK(folder.constant_definition() == nullptr);
}
