#include <dgraph/runtime/reads.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// A variable as an imported graph has it: edges go from the handle itself.
Output raw_variable(const char* name) {
  return add_op<ops::VariableV2>(name, "shape", PartialShape{}, "dtype", DType::Float32);
}

std::size_t count(const StepPlan& plan, PartitionNodeKind kind) {
  std::size_t out = 0;
  for (const PartitionDef& part : plan.partitions)
    for (const PartitionNode& node : part.nodes) out += node.kind == kind;
  return out;
}

}  // namespace

TEST_CASE("An edge from a handle to a value becomes a read on the variable's task") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = [] {
    const auto on = device("/job:ps");
    return raw_variable("v");
  }();
  const Output y = add_op<ops::Neg>("y", v);
  const StepPlan out = plan(graph, signature({y}), cluster({{"worker", 1}, {"ps", 1}}));
  CHECK(nodes_on(out, 1) == std::vector<std::string>{"Read v", "Send v", "v"});
  CHECK(nodes_on(out, 0) == std::vector<std::string>{"Fetch y", "Recv v", "y"});
  CHECK(out.edges == 1);
}

TEST_CASE(
    "behaviour 32: a read waits for its consumer's control inputs, through NoOps, and the consumer "
    "for the read") {
  PlanGraph graph;
  const auto building = graph.as_default();
  Output v, write;
  {
    const auto on = device("/job:ps");
    v = raw_variable("v");
    write = add_op<ops::Assign>("write", v, scalar(100));
  }
  Output group;
  {
    const auto scope = control_dependencies({write});
    group = add_op<ops::NoOp>("group");
  }
  const auto scope = control_dependencies({group});
  const Output y = add_op<ops::AddV2>("y", v, scalar(2, "two"));
  const StepPlan out = plan(graph, signature({y}), cluster({{"worker", 1}, {"ps", 1}}));
  CHECK(out.edges == 1);
  const PartitionDef& ps = out.partitions[1];
  const auto read = std::find_if(ps.nodes.begin(), ps.nodes.end(), [](const PartitionNode& node) {
    return node.kind == PartitionNodeKind::Read;
  });
  REQUIRE(read != ps.nodes.end());
  REQUIRE(read->controls.size() == 1);
  CHECK(ps.nodes[read->controls[0]].name == "write");
  CHECK(node_named(out, "y").controls.empty());
}

TEST_CASE("Consumers share a read where they wait for the same") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = raw_variable("v");
  const Output a = add_op<ops::Neg>("a", v), b = add_op<ops::Square>("b", v);
  const Output write = add_op<ops::Assign>("write", v, scalar(1));
  const auto scope = control_dependencies({write});
  const Output c = add_op<ops::Neg>("c", v), d = add_op<ops::Square>("d", v);
  const StepPlan out = plan(graph, signature({a, b, c, d}), cluster({{"worker", 1}}));
  CHECK(count(out, PartitionNodeKind::Read) == 2);
  CHECK(node_named(out, "a").inputs == node_named(out, "b").inputs);
  CHECK(node_named(out, "c").inputs == node_named(out, "d").inputs);
  CHECK(node_named(out, "a").inputs != node_named(out, "c").inputs);
}

TEST_CASE("An Identity of a handle is the read, and stays one of its own") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = raw_variable("v");
  const Output one = add_op<ops::Identity>("one", v), two = add_op<ops::Identity>("two", v);
  const StepPlan out = plan(graph, signature({one, two}), cluster({{"worker", 1}}));
  CHECK(nodes_on(out, 0) ==
        std::vector<std::string>{"Fetch one", "Fetch two", "Read one", "Read two", "v"});
}

TEST_CASE("A fetched handle is read; what an assignment gives back is the handle, read after it") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = raw_variable("v");
  const Output write = add_op<ops::Assign>("write", v, scalar(1, "one"));
  const Output again = add_op<ops::AssignAdd>("again", write, scalar(1, "two"));
  const Output y = add_op<ops::Neg>("y", again);
  const StepPlan out = plan(graph, signature({v, y}), cluster({{"worker", 1}}));
  CHECK(count(out, PartitionNodeKind::Read) == 2);
  const PartitionDef& part = out.partitions[0];
  CHECK(part.nodes[node_named(out, "again").inputs[0].node].name == "write");
  const PartitionNode& read = part.nodes[node_named(out, "y").inputs[0].node];
  CHECK(read.kind == PartitionNodeKind::Read);
  CHECK(part.nodes[read.inputs[0].node].name == "again");
}

TEST_CASE("A fed variable is not read") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output v = raw_variable("v");
  const Output y = add_op<ops::Neg>("y", add_op<ops::Identity>("read", v));
  const StepPlan out = plan(graph, signature({y, v}, {}, {v}), cluster({{"worker", 1}}));
  CHECK(nodes_on(out, 0) == std::vector<std::string>{"Feed v", "Fetch y", "y"});
  CHECK(out.fetches[1].is_feed);
}
