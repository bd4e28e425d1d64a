#include <dgraph/graph/graph.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("a graph is the default one while its guard lives, the innermost wins") {
  MiniGraph outer, inner;
  CHECK(code_of([] { add_op<Join>("nowhere"); }) == Code::FailedPrecondition);
  {
    const auto building = outer.as_default();
    {
      const auto nested = inner.as_default();
      add_op<Join>("in");
    }
    add_op<Join>("out");
  }
  CHECK(outer.size() == 1);
  CHECK(inner.size() == 1);
  CHECK(outer.output("out").op_type() == "Join");
  CHECK(code_of([] { add_op<Join>("nowhere"); }) == Code::FailedPrecondition);
}

TEST_CASE("moving a graph keeps handles valid") {
  MiniGraph first;
  Output x;
  {
    const auto building = first.as_default();
    x = feed("x");
  }
  MiniGraph second = std::move(first);
  CHECK(x.name() == "x");
  CHECK(second.output("x") == x);
}

TEST_CASE("a finalized graph takes no node") {
  MiniGraph graph;
  const auto building = graph.as_default();
  feed("x");
  graph.finalize();
  CHECK(code_of([] { feed("y"); }) == Code::FailedPrecondition);
  CHECK(graph.size() == 1);
}

TEST_CASE("outputs are found by name") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output s = add_op<Split>("s", feed("x"), "num", 2);
  add_op<Join>("j");
  CHECK(graph.output("s") == s);
  CHECK(graph.output("s:1") == nth(s, 1));
  CHECK(graph.output("j").node_id() == graph.core().find("j"));
  CHECK(code_of([&] { graph.output("nothing"); }) == Code::NotFound);
  CHECK(code_of([&] { graph.output("s:2"); }) == Code::InvalidArgument);
  CHECK(code_of([&] { graph.output("s:"); }) == Code::InvalidArgument);
  CHECK(code_of([&] { graph.output("s:x"); }) == Code::InvalidArgument);
  CHECK(code_of([&] { graph.output("j:1"); }) == Code::InvalidArgument);
}

TEST_CASE("the by-name door knows the ops of the set") {
  CHECK(MiniGraph::find_op("Mul") == &definition<Mul>());
  CHECK(MiniGraph::find_op("MatMul") == nullptr);
}
