#include <dgraph/graph/builder.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {
Output made_here(const Output& x, OpName name = {}) { return add_op<Identity>(name, x); }
}  // namespace

TEST_CASE("a name comes with the caller's line") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x");
  const int line = __LINE__ + 1;
  const Output plain = made_here(x);
  const Output named = made_here(x, "named");
  const Output by_string = made_here(x, std::string("text"));
  CHECK(plain.node().location.line == line);
  CHECK(named.node().location.line == line + 1);
  CHECK(named.name() == "named");
  CHECK(by_string.node().location.line == line + 2);
  CHECK(by_string.name() == "text");
}

TEST_CASE("more inputs and attributes than the builder has room for") {
  MiniGraph graph;
  const auto building = graph.as_default();
  std::vector<Output> many;
  for (int i = 0; i < 20; ++i) many.push_back(feed("x", {i}));
  const Output sum = add_op<AddN>("sum", many);
  REQUIRE(sum.node().num_inputs == 20);
  for (std::uint32_t i = 0; i < 20; ++i) CHECK(sum.node().inputs[i] == many[i].endpoint());
  NodeBuilder builder(definition<Mixed>(), "m");
  builder.input(many[0]);
  for (int i = 0; i < 8; ++i) builder.attr("scale", i);
  builder.attr("mode", "slow");
  builder.attr("Tlist", std::vector<DType>{});
  const Output mixed = builder.add();
  CHECK(mixed.node().attr<float>("scale") == 7);
  CHECK(mixed.node().attr<std::string>("mode") == "slow");
}

TEST_CASE("without a default graph a node joins its first input") {
  MiniGraph graph;
  Output x;
  {
    const auto building = graph.as_default();
    x = feed("x");
  }
  const Output y = add_op<Identity>({}, x);
  CHECK(y.core() == &graph.core());
  CHECK(code_of([] { feed("x"); }) == Code::FailedPrecondition);
}

TEST_CASE("control inputs of one node") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a");
  NodeBuilder builder(definition<Join>(), "j");
  builder.control(a);
  const Output j = builder.add();
  REQUIRE(j.node().num_controls == 1);
  CHECK(j.node().controls[0] == a.node_id());
}
