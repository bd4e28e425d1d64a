#include <dgraph/runtime/partitioner.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// A value that no pass can know.
Output fresh(const char* name, const char* where = "") {
  const Output shape = constant({1});
  const auto on = device(where);
  return add_op<ops::RandomUniform>(name, shape, "dtype", DType::Float32);
}

Output neg(const char* name, const Output& x, const char* where) {
  const auto on = device(where);
  return add_op<ops::Neg>(name, x);
}

Output after(const char* name, const std::vector<Output>& before, const Output& x,
             const char* where) {
  const auto scope = control_dependencies(before);
  return neg(name, x, where);
}

std::vector<std::string> edges(const StepPlan& plan) {
  std::vector<std::string> out;
  for (const PartitionDef& part : plan.partitions)
    for (const PartitionEdge& edge : part.sends)
      out.push_back(std::to_string(part.task) + ">" + std::to_string(edge.peer) + " " + edge.name +
                    (edge.paced ? " paced" : ""));
  std::sort(out.begin(), out.end());
  return out;
}

using Edges = std::vector<std::string>;

const PlanOptions kThree = cluster({{"t", 3}});

}  // namespace

TEST_CASE("One edge for each output and consuming task, shared by all consumers there") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fresh("x", "/task:0");
  const Output a = neg("a", x, "/task:1"), b = add_op<ops::AddV2>("b", x, a),
               c = neg("c", x, "/task:1"), d = neg("d", x, "/task:2");
  CHECK(edges(plan(graph, signature({a, c, d}), kThree)) ==
        Edges{"0>1 x:0 paced", "0>2 x:0 paced"});
  CHECK(edges(plan(graph, signature({b, c}), kThree)) == Edges{"0>1 x:0", "1>0 a:0"});
}

TEST_CASE("Constants are copied, also as fetches; feeds go to each task that uses them") {
  PlanGraph graph;
  const auto building = graph.as_default();
  Output k;
  {
    const auto on = device("/task:2");
    k = scalar(3, "k");
  }
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  Output a, b;
  {
    const auto on = device("/task:0");
    a = add_op<ops::AddV2>("a", x, k);
  }
  {
    const auto on = device("/task:1");
    b = add_op<ops::Mul>("b", x, k);
  }
  const StepPlan out = plan(graph, signature({a, b}, {}, {x}), kThree);
  CHECK(out.edges == 0);
  CHECK(nodes_on(out, 0) == std::vector<std::string>{"Feed x", "Fetch a", "a", "k"});
  CHECK(nodes_on(out, 1) == std::vector<std::string>{"Feed x", "Fetch b", "b", "k"});
  REQUIRE(out.feeds.size() == 1);
  CHECK(out.feeds[0] == std::vector<PlanPort>{{0, 0}, {1, 0}});
  CHECK(placement_of(out, "k") ==
        "/job:t/replica:0/task:0/device:CPU:0 (a constant: copied to the task that uses it)");
  CHECK(nodes_on(plan(graph, signature({k}), kThree), 2) ==
        std::vector<std::string>{"Fetch k", "k"});
}

TEST_CASE("behaviour 17 and 21: a value fetched twice has one port; a fetched feed is the feed") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Float32);
  const Output y = add_op<ops::Neg>("y", x);
  const StepPlan out = plan(graph, signature({y, x, y}, {}, {x}), kThree);
  REQUIRE(out.fetches.size() == 3);
  CHECK(out.fetches[0].port == out.fetches[2].port);
  CHECK(out.fetches[1].is_feed);
  CHECK(out.fetches[1].feed == 0);
  CHECK(out.partitions[0].num_fetches == 1);
}

TEST_CASE("A control edge between tasks has no body, and one serves all consumers") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fresh("x", "/task:0");
  const Output a = after("a", {x}, fresh("p", "/task:1"), "/task:1"),
               b = after("b", {x}, fresh("q", "/task:1"), "/task:1");
  const StepPlan out = plan(graph, signature({}, {a, b}), kThree);
  CHECK(edges(out) == Edges{"0>1 ^x paced"});
  CHECK(out.partitions[0].sends[0].dtype == DType::Invalid);
  const PartitionNode& send = out.partitions[0].nodes.back();
  REQUIRE(send.kind == PartitionNodeKind::Send);
  CHECK(send.inputs.empty());
  CHECK(send.controls.size() == 1);
  CHECK(node_named(out, "a").controls.size() == 1);
}

TEST_CASE("A control edge that data implies is not sent") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fresh("x", "/task:0"), y = fresh("y", "/task:1");
  // Data goes from the same node to the same task.
  const Output a = neg("a", x, "/task:1"), b = after("b", {x}, y, "/task:1");
  CHECK(edges(plan(graph, signature({}, {a, b}), kThree)) == Edges{"0>1 x:0 paced"});
  // A path through other nodes.
  const Output c = neg("c", x, "/task:2"), d = neg("d", c, "/task:1"),
               e = after("e", {x}, d, "/task:1");
  CHECK(edges(plan(graph, signature({}, {e}), kThree)) == Edges{"0>2 x:0 paced", "2>1 c:0 paced"});
}

TEST_CASE("NoOps anywhere are dissolved, a target too, but a barrier between many and many stays") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fresh("x", "/task:1"), y = fresh("y", "/task:2");
  Output inner, outer;
  {
    const auto scope = control_dependencies({x, y});
    inner = add_op<ops::NoOp>("inner");
  }
  {
    const auto scope = control_dependencies({inner});
    outer = add_op<ops::NoOp>("outer");
  }
  const StepPlan out = plan(graph, signature({}, {outer}), kThree);
  CHECK(out.edges == 0);
  CHECK(out.partitions.size() == 2);
  const Output z = after("z", {outer}, fresh("w", "/task:1"), "/task:1");
  CHECK(edges(plan(graph, signature({z}), kThree)) == Edges{"2>1 ^y paced"});

  std::vector<Output> many, late;
  for (int i = 0; i < 40; ++i) many.push_back(fresh("many"));
  Output barrier;
  {
    const auto scope = control_dependencies(many);
    barrier = add_op<ops::NoOp>("barrier");
  }
  for (int i = 0; i < 40; ++i) late.push_back(after("late", {barrier}, many[0], ""));
  const StepPlan wide = plan(graph, signature({}, late), kThree);
  CHECK(node_named(wide, "barrier").controls.size() == 40);
}

TEST_CASE(
    "A target that groups hundreds of nodes, and groups of them, needs no edge and no node of its "
    "own") {
  PlanGraph graph;
  const auto building = graph.as_default();
  std::vector<Output> groups;
  for (const char* where : {"/task:0", "/task:1", "/task:2"}) {
    std::vector<Output> some;
    for (int i = 0; i < 200; ++i) some.push_back(fresh("some", where));
    const auto scope = control_dependencies(some);
    groups.push_back(add_op<ops::NoOp>("group"));
  }
  const auto scope = control_dependencies(groups);
  const Output all = add_op<ops::NoOp>("all");
  const StepPlan out = plan(graph, signature({}, {all}), kThree);
  CHECK(out.edges == 0);
  REQUIRE(out.partitions.size() == 3);
  for (const PartitionDef& part : out.partitions)
    CHECK(std::count_if(part.nodes.begin(), part.nodes.end(), [](const PartitionNode& n) {
            return n.name.substr(0, 4) == "some";
          }) == 200);
}

TEST_CASE("What is on no cycle with its consumer is paced") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = fresh("x", "/task:0"), a = neg("a", x, "/task:1"), b = neg("b", a, "/task:0"),
               c = neg("c", b, "/task:2");
  CHECK(edges(plan(graph, signature({}, {c}), kThree)) ==
        Edges{"0>1 x:0", "0>2 b:0 paced", "1>0 a:0"});
  // A control edge back bounds the producer as well.
  const Output d = after("d", {c}, x, "/task:0");
  CHECK(edges(plan(graph, signature({}, {d}), kThree)) ==
        Edges{"0>1 x:0", "0>2 b:0", "1>0 a:0", "2>0 ^c"});
}

TEST_CASE(
    "Both ways of a Switch cross tasks, each on its own edge, and a control edge of it on a "
    "third") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output flag =
      add_op<ops::Placeholder>("flag", "dtype", DType::Bool, "shape", PartialShape{});
  Output ways;
  {
    const Output x = fresh("x", "/task:0");
    const auto on = device("/task:0");
    ways = add_op<ops::Switch>("ways", x, flag);
  }
  const Output yes(ways.core(), ways.node_id(), 1);
  const Output a = neg("a", ways, "/task:1"), b = neg("b", yes, "/task:1");
  const Output c = after("c", {ways}, fresh("y", "/task:1"), "/task:1");
  const StepPlan out = plan(graph, signature({a, c}, {b}, {flag}), kThree);
  CHECK(edges(out) == Edges{"0>1 ^ways paced", "0>1 ways:0 paced", "0>1 ways:1 paced"});
}

TEST_CASE("Constants that a pass made travel with the partition") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output sum = add_op<ops::AddV2>("sum", scalar(1), scalar(2));
  const Output y = add_op<ops::Mul>("y", sum, fresh("x", "/task:1"));
  StepPlan out = plan(graph, signature({y}), kThree);
  const PartitionNode& node = node_named(out, "sum");
  REQUIRE(node.def->name == "Const");
  PartitionDef moved = std::move(out.partitions[0]);
  const PartitionNode& after_move =
      *std::find_if(moved.nodes.begin(), moved.nodes.end(),
                    [](const PartitionNode& n) { return n.name == "sum"; });
  REQUIRE(moved.owned_attrs.size() == 1);
  CHECK(after_move.attrs == &moved.owned_attrs[0]);
  CHECK((*after_move.attrs)[static_cast<std::size_t>(after_move.def->attr_index("value"))]
            .get<Tensor>()
            .item<float>() == 3.f);
}
