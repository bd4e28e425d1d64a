#include <dgraph/graph/scope.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("devices merge from outer to inner and come back") {
  MiniGraph graph;
  const auto building = graph.as_default();
  {
    const auto outer = device("/job:ps/task:0");
    {
      const auto inner = device("/task:1/cpu:0");
      CHECK(feed({}).node().device->text == "/job:ps/task:1/device:CPU:0");
      const auto nothing = device("");
      CHECK(feed({}).node().device->text == "/job:ps/task:1/device:CPU:0");
    }
    CHECK(feed({}).node().device->text == "/job:ps/task:0");
  }
  CHECK(feed({}).node().device->text == "");
  CHECK(code_of([] { (void)device("no-device"); }) == Code::InvalidArgument);
}

TEST_CASE("name scopes nest and are made unique") {
  MiniGraph graph;
  const auto building = graph.as_default();
  {
    const auto a = name_scope("layer");
    CHECK(feed("x").name() == "layer/x");
    const auto b = name_scope("inner");
    CHECK(feed("x").name() == "layer/inner/x");
    {
      const auto back = name_scope("layer/");
      CHECK(feed("x").name() == "layer/x_1");
    }
    {
      const auto root = name_scope("");
      CHECK(feed("x").name() == "x");
    }
  }
  const auto again = name_scope("layer");
  CHECK(feed("x").name() == "layer_1/x");
  CHECK(code_of([] { (void)name_scope("no name"); }) == Code::InvalidArgument);
}

TEST_CASE("control dependencies add up, and can be left") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a"), b = feed("b");
  const auto controls = [](const Output& x) { return std::vector<NodeId>(x.node().controls, x.node().controls + x.node().num_controls); };
  const auto after_a = control_dependencies({a});
  CHECK(controls(feed({})) == std::vector<NodeId>{a.node_id()});
  {
    const auto after_b = control_dependencies({b, a});
    CHECK(controls(feed({})) == std::vector<NodeId>{a.node_id(), b.node_id()});
    const auto none = no_control_dependencies();
    CHECK(controls(feed({})).empty());
  }
  CHECK(controls(feed({})) == std::vector<NodeId>{a.node_id()});
}

TEST_CASE("colocation takes over the device and overrides device scopes") {
  MiniGraph graph;
  const auto building = graph.as_default();
  Output v;
  {
    const auto on = device("/job:ps/task:1");
    v = feed("v");
  }
  const auto on = device("/job:worker");
  const auto with = colocate_with(v);
  const Output x = feed("x");
  CHECK(x.node().device->text == "/job:ps/task:1");
  REQUIRE(x.node().colocation != nullptr);
  CHECK(*x.node().colocation == std::vector<std::string>{"v"});
}

TEST_CASE("a container goes to ops that have one and name none") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const auto in = container("experiment");
  const auto store = [](auto... more) {
    return add_op<Store>({}, "dtype", DType::Float32, "shape", PartialShape{}, more...).node().template attr<std::string>("container");
  };
  CHECK(store() == "experiment");
  CHECK(store("container", "mine") == "mine");
  feed("x");
}

TEST_CASE("guards need a default graph and can be moved") {
  CHECK(code_of([] { (void)device("/job:ps"); }) == Code::FailedPrecondition);
  MiniGraph graph;
  const auto building = graph.as_default();
  {
    auto guard = device("/job:ps");
    const auto moved = std::move(guard);
    CHECK(feed({}).node().device->text == "/job:ps");
  }
  CHECK(feed({}).node().device->text == "");
}

TEST_CASE("a nested default graph begins with an empty scope") {
  MiniGraph outer, inner;
  const auto building = outer.as_default();
  const auto on = device("/job:ps");
  const auto nested = inner.as_default();
  CHECK(feed("x").node().device->text == "");
}
