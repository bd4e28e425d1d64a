#include <dgraph/ops/variable.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::vector<std::string> controls_of(const Output& x) {
  std::vector<std::string> out;
  for (NodeId id : x.node().control_span()) out.emplace_back(x.core()->node(id).name);
  return out;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a variable is three nodes and an initial value, in the collections") {
  Building b;
  const auto line = __LINE__ + 1;
  const Variable<float> w = variable("W", zeros<float>({2}));
  CHECK(w.name() == "W");
  CHECK(w.ref().is_ref());
  CHECK(w.shape() == PartialShape{2});
  CHECK(w.initializer().node().name == "W/Assign");
  CHECK(expression_of(w.initializer()) == "Assign(W, [0,0])");
  CHECK(b.core.find("W/read") == w.read().node_id());
  CHECK_THAT(w.ref().node().location.to_string(), contains("variable.cpp:" + std::to_string(line)));
  const auto frozen = variable("step", std::int64_t{0}, false);
  CHECK(frozen.ref().dtype() == DType::Int64);
  CHECK(global_variables() == std::vector<Output>{w.ref(), frozen.ref()});
  CHECK(trainable_variables() == std::vector<Output>{w.ref()});
  const auto init = global_variables_initializer();
  CHECK(init.node().name == "init");
  CHECK(controls_of(init) == Names{"W/Assign", "step/Assign"});
  CHECK(controls_of(variables_initializer(frozen)) == Names{"step/Assign"});
}

TEST_CASE("initial values: numbers, arrays, expressions, other variables") {
  Building b;
  CHECK(variable("a", 0.5f).shape() == PartialShape(Shape()));
  CHECK(variable<double>("d", 1).ref().dtype() == DType::Float64);
  CHECK(variable("s", "text").ref().dtype() == DType::String);
  const xt::xarray<float> array = {{1, 2, 3}, {4, 5, 6}};
  CHECK(variable("x", array).shape() == PartialShape{2, 3});
  CHECK(variable("y", array * 2.f).shape() == PartialShape{2, 3});
  CHECK(b.core.output("y/initial_value").op_type() == "Const");
  const auto a = variable("c", 1.f);
  CHECK(expression_of(variable("e", a * 2.f).initializer()) == "Assign(e, Mul(Identity(c), 2))");
  CHECK_THROWS_WITH(variable("open", placeholder<float>({-1})),
                    contains("has shape [?]") && contains("node open (VariableV2"));
}

TEST_CASE("names are made unique, and the nodes of a variable follow") {
  Building b;
  variable("w", 1.f);
  const auto second = variable("w", 2.f);
  CHECK(second.name() == "w_1");
  CHECK(second.initializer().node().name == "w_1/Assign");
  const auto scope = name_scope("layer");
  const auto third = variable("w", 3.f);
  CHECK(third.name() == "layer/w");
  CHECK(third.read().node().name == "layer/w/read");
}

TEST_CASE("a variable is read once under each control scope of its uses") {
  Building b;
  const auto w = variable("W", 1.f);
  const auto first = w + 1.f, again = w * 2.f;
  CHECK(first.node().inputs[0] == again.node().inputs[0]);
  CHECK(first.node().inputs[0].node == b.core.find("W/read"));
  const auto set = w.assign(100.f);
  {
    const auto after = control_dependencies({set});
    const auto late = w + 2.f;
    const Output read(&b.core, late.node().inputs[0].node, 0);
    CHECK(read.node().name == "W/read_1");
    CHECK(controls_of(read) == Names{std::string(set.node().name)});
    CHECK(w.read() == read);
  }
  CHECK(w.read().node().name == "W/read");
}

TEST_CASE("a variable made under control dependencies has none") {
  Building b;
  const auto first = no_op("first");
  const auto after = control_dependencies({first});
  const auto w = variable("W", 1.f);
  CHECK(controls_of(w.ref()).empty());
  CHECK(controls_of(w.initializer()).empty());
  CHECK(controls_of(b.core.output("W/read")).empty());
  CHECK(controls_of(b.core.output("W/initial_value")).empty());
  CHECK(controls_of(w.read()) == Names{"first"});
}

TEST_CASE("reads and writes are where the variable is") {
  Building b;
  Variable<float> w;
  {
    const auto on = device("/job:ps/task:0");
    w = variable("W", 1.f);
  }
  const auto on = device("/job:worker/task:1");
  const auto after = control_dependencies({no_op()});
  for (const Output& node : {Output(w.read()), Output(w.assign(2.f)), Output(w.assign_add(w)),
                             Output(assign_sub(w, 1.f)), Output(w.initializer())}) {
    CHECK(node.node().device->text == "/job:ps/task:0");
    REQUIRE(node.node().colocation);
    CHECK(*node.node().colocation == Names{"W"});
  }
  CHECK((w + 1.f).node().device->text == "/job:worker/task:1");
  CHECK(Output(&b.core, b.core.find("W/initial_value"), 0).node().device->text == "/job:ps/task:0");
}

TEST_CASE("assignments take their own control scope and give the value after them") {
  Building b;
  const auto w = variable("W", 1.f);
  const auto first = w.assign(2.f, "first");
  const auto after = control_dependencies({first});
  const auto second = assign_add(w, 3.f, "second");
  CHECK(controls_of(second) == Names{"first"});
  CHECK(second.is_ref());
  CHECK(is_variable_initialized(w).dtype() == DType::Bool);
}

TEST_CASE("a variable that was never made says so") {
  Building b;
  const Variable<float> none;
  CHECK_FALSE(none);
  CHECK_THROWS_WITH(none.read(), contains("never made"));
  CHECK_THROWS_WITH(none + 1.f, contains("never made"));
  CHECK_THROWS_WITH(none.assign(1.f), contains("never made"));
  CHECK_THROWS_WITH(AnyVariable(constant(1.f, "x")), contains("x (Const) is a value"));
}

TEST_CASE("the handle of another graph's variable is refused") {
  GraphCore other;
  Variable<float> w;
  {
    const DefaultGraph building(other);
    w = variable("W", 1.f);
  }
  Building b;
  CHECK_THROWS_WITH(w + 1.f, contains("belongs to another graph"));
  CHECK_THROWS_AS(variable("v", Op<float>(w)), Error);
}

TEST_CASE("variables take the container of the scope") {
  Building b;
  const auto in = container("mine");
  CHECK(variable("w", 1.f).ref().node().attr<std::string>("container") == "mine");
}
