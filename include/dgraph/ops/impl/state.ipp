#pragma once
#include <dgraph/ops/state.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void same_shape_as_variable(ShapeContext& c, std::size_t i) {
  if (!c.input(0).compatible_with(c.input(i)))
    fail(Code::InvalidArgument, "the variable has shape ", c.input(0), ", but ", c.def().inputs[i].name, " has ",
         c.input(i));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Variable::shape(ShapeContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  c.set_output(0, shape.has_rank() && shape.rank() == 0 ? PartialShape() : shape);
}

DGRAPH_DECL void Assign::shape(ShapeContext& c) {
  if (c.attr<bool>("validate_shape")) {
    detail::same_shape_as_variable(c, 1);
    c.set_output(0, c.input(0).merged_with(c.input(1)));
  } else {
    c.set_output(0, c.input(1));
  }
}

DGRAPH_DECL void AssignAdd::shape(ShapeContext& c) {
  detail::same_shape_as_variable(c, 1);
  c.set_output(0, c.input(0).merged_with(c.input(1)));
}
DGRAPH_DECL void AssignSub::shape(ShapeContext& c) { AssignAdd::shape(c); }

DGRAPH_DECL void ApplyGradientDescent::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  detail::same_shape_as_variable(c, 2);
  c.set_output(0, c.input(0).merged_with(c.input(2)));
}

DGRAPH_DECL void AssignVariableOp::shape(ShapeContext& c) { detail::same_shape_as_variable(c, 1); }
DGRAPH_DECL void AssignAddVariableOp::shape(ShapeContext& c) { detail::same_shape_as_variable(c, 1); }
DGRAPH_DECL void AssignSubVariableOp::shape(ShapeContext& c) { detail::same_shape_as_variable(c, 1); }

DGRAPH_DECL void ResourceApplyGradientDescent::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  detail::same_shape_as_variable(c, 2);
}

}  // namespace ops
}  // namespace dgraph
