#include <dgraph/ops/cond.hpp>

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
  Op<bool> p = placeholder<bool>(PartialShape(Shape()), "p");
  Op<float> x = placeholder<float>({2}, "x");
};

std::size_t count(const GraphCore& core, std::string_view type) {
  std::size_t out = 0;
  for (NodeId id = 0; id < core.size(); ++id) out += core.node(id).is(type);
  return out;
}

}  // namespace

TEST_CASE("a conditional is a Merge of branches whose values come through Switches") {
  Building b;
  const auto y = cond(b.p, [&] { return b.x * b.x; }, [&] { return -b.x; });
  STATIC_REQUIRE(std::is_same_v<decltype(y), const Op<float>>);
  CHECK(y.op_type() == "Merge");
  CHECK(expression_of(y) == "Merge(Neg(Switch(x, p)), Mul(Switch(x, p):1, Switch(x, p):1))");
  CHECK(y.shape() == PartialShape{2});
  CHECK(count(b.core, "Switch") == 2);
}

TEST_CASE("what a branch may return") {
  Building b;
  const auto [u, v] = cond(b.p, [&] { return std::tuple(b.x, 1); }, [&] { return std::tuple(b.x * 2, 2); });
  STATIC_REQUIRE(std::is_same_v<std::remove_cvref_t<decltype(v)>, Op<int>>);
  CHECK(u.dtype() == DType::Float32);
  const Op<float> number = cond(b.p, [&] { return 1; }, [&] { return b.x; });
  CHECK(number.dtype() == DType::Float32);
  const std::vector<Output> many = cond(b.p, [&] { return std::vector<Output>{b.x, b.p}; },
                                        [&] { return std::vector<Output>{b.x, b.p}; });
  CHECK(many.at(1).dtype() == DType::Bool);
  const Op<void> effect = cond(b.p, [&] { return no_op(); }, [&] { return group({b.x}); });
  CHECK(effect.op_type() == "Merge");
}

TEST_CASE("a branch's constants run only where it is taken") {
  Building b;
  Output inside;
  cond(b.p, [&] { return Op<float>(inside = constant(1.f)); }, [&] { return constant(2.f); });
  REQUIRE(inside.node().num_controls == 1);
  const Node& pivot = b.core.node(inside.node().controls[0]);
  CHECK(pivot.is("Identity"));
  CHECK(b.core.node(pivot.inputs[0].node).is("Switch"));
  CHECK(pivot.inputs[0].index == 1);
}

TEST_CASE("branches that do not fit") {
  Building b;
  const auto vector_of = [](std::vector<Output> values) { return [values] { return values; }; };
  CHECK_THROWS_WITH(cond(b.p, vector_of({b.x}), vector_of({b.x, b.x})), contains("gives 1 values"));
  CHECK_THROWS_WITH(cond(b.p, vector_of({b.x}), vector_of({b.p})), contains("float32"));
  CHECK_THROWS_WITH(cond(constant<bool>({true, false}), [&] { return b.x; }, [&] { return b.x; }), contains("rank 0"));
  Op<float> inner;
  cond(b.p, [&] { return inner = b.x * 2; }, [&] { return b.x; });
  CHECK_THROWS_WITH(inner + 1, contains("only what that returns can be used outside"));
  CHECK_THROWS_WITH(gradients(inner, b.x), contains("branch or loop that has ended"));
}

TEST_CASE("a variable is read before a branch, inside it where control dependencies say so") {
  Building b;
  const auto w = variable("w", 1.f);
  Output before, inside;
  cond(b.p, [&] {
    const auto y = w * 2;
    before = y;
    const auto after = control_dependencies({w.assign_add(1.f)});
    return Op<float>(inside = w.read());
  }, [&] { return 0; });
  CHECK(expression_of(before) == "Mul(Switch(Identity(w), p):1, 2)");
  CHECK(expression_of(inside) == "Identity(RefSwitch(w, p):1)");
  CHECK(b.core.node(inside.node().controls[0]).is("AssignAdd"));
}

TEST_CASE("the gradient of a conditional is a conditional on the same predicate") {
  Building b;
  const auto y = cond(b.p, [&] { return b.x * b.x; }, [&] { return b.x; });
  const std::size_t before = b.core.size();
  const auto dx = gradients(y, b.x);
  CHECK(dx.op_type() == "Merge");
  CHECK(dx.shape() == PartialShape{2});
  for (NodeId id = static_cast<NodeId>(before); id < b.core.size(); ++id)
    if (b.core.node(id).is("Switch")) CHECK(b.core.node(id).inputs[1] == b.p.endpoint());
}
