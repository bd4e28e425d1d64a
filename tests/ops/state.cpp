#include <dgraph/ops/state.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

using namespace dgraph;
using dgraph::test::contains;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

}  // namespace

TEST_CASE("writes are stateful, take a handle and give it on") {
  for (const OpDef* def :
       {&definition<ops::Assign>(), &definition<ops::AssignAdd>(), &definition<ops::AssignSub>(),
        &definition<ops::ApplyGradientDescent>(), &definition<ops::ScatterAdd>()}) {
    CHECK(def->stateful);
    CHECK(def->inputs[0].ref);
    CHECK(def->outputs[0].ref);
  }
}

TEST_CASE("a value is no variable") {
  Building b;
  const auto x = constant<float>({1, 2}, "x");
  CHECK_THROWS_WITH(add_op<ops::Assign>({}, x, x), contains("must be a variable, not the value x"));
}

TEST_CASE("what is written has the variable's shape") {
  Building b;
  const auto w = variable("w", zeros<float>({2}));
  const auto three = zeros<float>({3});
  CHECK_THROWS_WITH(w.assign(three), contains("the variable has shape [2], but value has [3]"));
  CHECK_THROWS_WITH(w.assign_add(three), contains("[2]"));
  CHECK_THROWS_WITH(w.assign_sub(three), contains("[2]"));
  CHECK(add_op<ops::Assign>({}, w.ref(), three, "validate_shape", false).shape() ==
        PartialShape{3});
  CHECK_THROWS_WITH(
      add_op<ops::ApplyGradientDescent>({}, w.ref(), constant<float>({1, 2}), zeros<float>({2})),
      contains("must have rank 0"));
  CHECK_THROWS_WITH(add_op<ops::ApplyGradientDescent>({}, w.ref(), constant(1.f), three),
                    contains("delta has [3]"));
}

TEST_CASE("an old variable of shape [] may have any shape") {
  Building b;
  CHECK_FALSE(
      add_op<ops::Variable>({}, "shape", Shape(), "dtype", DType::Float32).shape().has_rank());
  CHECK(add_op<ops::VariableV2>({}, "shape", Shape(), "dtype", DType::Float32).shape() ==
        PartialShape(Shape()));
}

TEST_CASE("rows of a variable") {
  Building b;
  const auto w = variable("w", zeros<float>({5, 2}));
  CHECK(scatter_add(w, std::vector<int>{1, 1}, zeros<float>({2, 2})).shape() == PartialShape{5, 2});
  CHECK_NOTHROW(scatter_update(w, std::vector<int>{1, 1}, 0.f));
  CHECK_THROWS_WITH(scatter_sub(w, std::vector<int>{1, 1}, zeros<float>({2, 3})),
                    contains("updates must have shape [2,2]"));
  CHECK(scatter_nd_add(w, std::vector<std::vector<int>>{{1, 1}}, zeros<float>({1})).shape() ==
        PartialShape{5, 2});
  CHECK_THROWS_WITH(
      scatter_nd_update(w, std::vector<std::vector<int>>{{1, 1, 1}}, zeros<float>({1})),
      contains("is more than the rank"));
}

TEST_CASE("a resource variable's handle carries the shape of its value") {
  Building b;
  const Output handle =
      add_op<ops::VarHandleOp>("v", "dtype", DType::Float32, "shape", PartialShape{2, 3});
  CHECK(handle.dtype() == DType::Resource);
  const Output value = add_op<ops::ReadVariableOp>({}, handle, "dtype", DType::Float32);
  CHECK(value.dtype() == DType::Float32);
  CHECK(value.shape() == PartialShape{2, 3});
  CHECK_THROWS_WITH(add_op<ops::AssignVariableOp>({}, handle, zeros<float>({3})),
                    contains("[2,3]"));
  CHECK(add_op<ops::VarIsInitializedOp>({}, handle).dtype() == DType::Bool);
}
