#include <dgraph/runtime/prune.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

struct Unknown {
  static constexpr auto signature = "Unknown() -> (y: float32)";
};

std::vector<std::string> needed(const PlanGraph& graph, const StepSignature& signature) {
  const detail::StepGraph step =
      detail::prune(graph.shared_core(), graph.size(), signature, nullptr);
  std::vector<std::string> out;
  for (std::size_t i = step.num_feeds; i < step.nodes.size(); ++i)
    out.emplace_back(step.nodes[i].node->name);
  return out;
}

}  // namespace

TEST_CASE("prune keeps what fetches and targets need, in the order in which it was built") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output a = scalar(1, "a"), b = scalar(2, "b"), c = scalar(3, "c");
  const Output sum = add_op<ops::AddV2>("sum", a, b);
  const Output other = add_op<ops::Neg>("other", c);
  const Output after = [&] {
    const auto scope = control_dependencies({other});
    return add_op<ops::Neg>("after", sum);
  }();
  CHECK(needed(graph, signature({sum})) == std::vector<std::string>{"a", "b", "sum"});
  CHECK(needed(graph, signature({}, {other})) == std::vector<std::string>{"c", "other"});
  CHECK(needed(graph, signature({after})) ==
        std::vector<std::string>{"a", "b", "c", "sum", "other", "after"});
  CHECK(needed(graph, signature({})).empty());
}

TEST_CASE("behaviour 20: a fed output hides what is before it, but not what runs for its effect") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output bad = add_op<ops::Neg>("bad", scalar(1, "a"));
  const Output y = add_op<ops::Neg>("y", bad);
  CHECK(needed(graph, signature({y}, {}, {bad})) == std::vector<std::string>{"y"});
  const auto scope = control_dependencies({bad});
  const Output after = add_op<ops::Neg>("after", y);
  CHECK(needed(graph, signature({after}, {}, {y})) ==
        std::vector<std::string>{"a", "bad", "after"});
  CHECK(needed(graph, signature({}, {bad}, {bad})) == std::vector<std::string>{"a", "bad"});
}

TEST_CASE("A fed Placeholder runs neither as a control input nor as a target") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  const auto scope = control_dependencies({x});
  const Output after = scalar(1, "after");
  CHECK(needed(graph, signature({after}, {x}, {x})) == std::vector<std::string>{"after"});
  CHECK(needed(graph, signature({after})) == std::vector<std::string>{"x", "after"});
}

TEST_CASE("prune refuses feeds and fetches that are none") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output a = scalar(1, "a");
  const auto handle =
      add_op<ops::VarHandleOp>("handle", "dtype", DType::Float32, "shape", PartialShape{});
  const auto error = [&](StepSignature asked) {
    return plan_error(graph, asked, cluster({{"worker", 1}}));
  };
  StepSignature asked;
  asked.fetches = {{a.node_id(), 1}};
  CHECK(error(asked).code() == Code::InvalidArgument);
  CHECK(error(asked).place().node == "a");
  asked.fetches = {{1000, 0}};
  CHECK(error(asked).code() == Code::NotFound);
  asked = {};
  asked.targets = {1000};
  CHECK(error(asked).code() == Code::NotFound);
  CHECK(error(signature({a}, {}, {a, a})).code() == Code::InvalidArgument);
  CHECK_THAT(error(signature({a}, {}, {a, a})).message(),
             contains("\"a:0\" is fed more than once"));
  CHECK(error(signature({handle})).code() == Code::InvalidArgument);
  asked = signature({a});
  CHECK_THROWS_AS(plan_step(graph.shared_core(), 0, asked, cluster({{"worker", 1}})), Error);
}

TEST_CASE("A variable that is fed cannot be written") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", 1.f);
  const Output write = v.assign(2.f, "write");
  const Status status =
      plan_error(graph, signature({}, {write}, {v.ref()}), cluster({{"worker", 1}}));
  CHECK(status.code() == Code::InvalidArgument);
  CHECK(status.place().node == "write");
}

TEST_CASE("An op that the server does not know is named") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<Unknown>("what");
  const Status status = plan_error(graph, signature({x}), cluster({{"worker", 1}}));
  CHECK(status.code() == Code::FailedPrecondition);
  CHECK(status.place().node == "what");
  CHECK_THAT(status.message(), contains("Unknown"));
}

TEST_CASE("A chain of a million nodes is planned without deep calls") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const auto x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  Endpoint last = x.endpoint();
  for (int i = 0; i < 1000000; ++i)
    last = {graph.core().add(definition<ops::Neg>(), std::span(&last, 1), {}, {}), 0};
  StepSignature asked;
  asked.feeds = {x.endpoint()};
  asked.fetches = {last};
  const StepPlan out =
      plan_step(graph.shared_core(), graph.size(), asked, cluster({{"worker", 1}}));
  REQUIRE(out.partitions.size() == 1);
  CHECK(out.partitions[0].nodes.size() == 1000002);
}
