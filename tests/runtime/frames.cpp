#include <dgraph/runtime/frames.hpp>

#include <dgraph/runtime/prune.hpp>

#include "runtime/plan_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// for (i = start; i < limit; i += 1): what the primitives of control flow are for.
struct Loop {
  Output enter, merge, less, cond, ways, inside, add, next, exit;

  Loop(GraphCore& core, const Output& start, const Output& limit, const char* frame = "loop",
       const char* body = "") {
    enter = add_op<ops::Enter>("enter", start, "frame_name", frame);
    merge = add_op<ops::Merge>("merge", std::vector<Output>{enter, enter});
    const Output most = add_op<ops::Enter>("most", limit, "frame_name", frame, "is_constant", true);
    less = add_op<ops::Less>("less", merge, most);
    cond = add_op<ops::LoopCond>("cond", less);
    ways = add_op<ops::Switch>("ways", merge, cond);
    inside = add_op<ops::Identity>("inside", Output(&core, ways.node_id(), 1));
    {
      const auto on = device(body);
      const auto scope = control_dependencies({inside});
      add = add_op<ops::AddV2>("add", inside, constant(1, "one"));
    }
    next = add_op<ops::NextIteration>("next", add);
    core.set_back_edge(merge.node_id(), 1, next.endpoint());
    exit = add_op<ops::Exit>("exit", ways);
  }
};

struct Found {
  detail::StepGraph step;
  detail::LoopFrames frames;
  Found(const PlanGraph& graph, const Output& fetch)
      : step(detail::prune(graph.shared_core(), graph.size(), signature({fetch}), nullptr)),
        frames(detail::find_frames(step)) {}
  std::string of(const Output& node) const {
    return frames.frames[frames.of_node[step.position[node.node_id()]]].name;
  }
};

}  // namespace

TEST_CASE("Frames begin at Enter and end at Exit") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output start = constant(0, "start"), limit = constant(9, "limit");
  const Loop loop(graph.core(), start, limit);
  const Output y = add_op<ops::Neg>("y", loop.exit);
  const Found found(graph, y);
  CHECK(found.frames.frames.size() == 2);
  CHECK(found.of(start) == "");
  for (const Output& inner :
       {loop.enter, loop.merge, loop.less, loop.cond, loop.ways, loop.inside, loop.add, loop.next})
    CHECK(found.of(inner) == "loop");
  CHECK(found.of(loop.exit) == "");
  CHECK(found.of(y) == "");
}

TEST_CASE("A loop inside a loop, and two loops of one name side by side") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output start = constant(0), limit = constant(9);
  const Output outer = add_op<ops::Enter>("outer", start, "frame_name", "outer");
  const Output most =
      add_op<ops::Enter>("outer_most", limit, "frame_name", "outer", "is_constant", true);
  const Loop inner(graph.core(), outer, most, "inner");
  const Output leave = add_op<ops::Exit>("leave", inner.exit);
  const Found found(graph, leave);
  CHECK(found.of(outer) == "outer");
  CHECK(found.of(inner.add) == "inner");
  CHECK(found.of(inner.exit) == "outer");
  CHECK(found.of(leave) == "");
  CHECK(
      found.frames.frames[found.frames.of_node[found.step.position[inner.add.node_id()]]].parent !=
      0);
}

TEST_CASE("An Exit outside loops and inputs of two loops are errors that name the node") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output x = add_op<ops::Placeholder>("x", "dtype", DType::Int32);
  const Output exit = add_op<ops::Exit>("exit", x);
  const PlanOptions options = cluster({{"t", 1}});
  CHECK(plan_error(graph, signature({exit}), options).place().node == "exit");
  const Output a = add_op<ops::Enter>("a", x, "frame_name", "one"),
               b = add_op<ops::Enter>("b", x, "frame_name", "two");
  const Output bad = add_op<ops::AddV2>("bad", a, b);
  const Status status = plan_error(graph, signature({}, {bad}), options);
  CHECK(status.code() == Code::InvalidArgument);
  CHECK(status.place().node == "bad");
}

TEST_CASE("A loop on one task is planned, with its back edge and constants") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output start =
      add_op<ops::Placeholder>("start", "dtype", DType::Int32, "shape", PartialShape{});
  const Output y = [&] {
    const auto on = device("/task:1");
    const Loop loop(graph.core(), start, constant(9));
    return loop.exit;
  }();
  const Output z = [&] {
    const auto on = device("/task:0");
    return add_op<ops::Neg>("z", y);
  }();
  for (const PlanOptions& options : {cluster({{"t", 2}}), without_passes(cluster({{"t", 2}}))}) {
    const StepPlan out = plan(graph, signature({z}, {}, {start}), options);
    CHECK(out.edges == 1);
    const PartitionNode& merge = node_named(out, "merge");
    const PartitionDef& part = out.partitions[1];
    CHECK(part.nodes[merge.inputs[0].node].name == "enter");
    CHECK(part.nodes[merge.inputs[1].node].name == "next");
    CHECK(part.nodes[node_named(out, "one").controls.at(0)].name == "inside");
  }
}

TEST_CASE("A loop that spans tasks goes round on each, as often as its condition says") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Output limit = add_op<ops::Identity>("limit", constant(9));
  const Loop loop(graph.core(), constant(0), limit, "far", "/task:1");
  const StepPlan spread = plan(graph, signature({loop.exit}), cluster({{"t", 2}}));
  REQUIRE(spread.partitions.size() == 2);
  const PartitionDef& far = spread.partitions[1];
  const auto count = [&](std::string_view type) {
    return std::count_if(far.nodes.begin(), far.nodes.end(), [&](const PartitionNode& node) {
      return node.kind == PartitionNodeKind::Op && node.def->name == type;
    });
  };
  CHECK(count("Enter") == 1);
  CHECK(count("Merge") == 1);
  CHECK(count("Switch") == 1);
  CHECK(count("NextIteration") == 1);
  // Values come in once an iteration: the predicate, and what is added to; the sum goes back.
  CHECK(far.recvs.size() == 2);
  CHECK(far.sends.size() == 1);
  for (const PartitionNode& node : far.nodes)
    if (node.kind == PartitionNodeKind::Recv) {
      REQUIRE(node.controls.size() == 1);
      CHECK(far.nodes[node.controls[0]].def->name == "Merge");
    }
}

TEST_CASE("What is inside a loop cannot be fetched") {
  PlanGraph graph;
  const auto building = graph.as_default();
  const Loop loop(graph.core(), constant(0), constant(9));
  const Status status = plan_error(graph, signature({loop.add}), cluster({{"t", 1}}));
  CHECK(status.code() == Code::InvalidArgument);
  CHECK_THAT(status.message(), contains("inside the loop loop"));
}
