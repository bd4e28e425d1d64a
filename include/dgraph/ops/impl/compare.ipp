#pragma once
#include <dgraph/ops/compare.hpp>

namespace dgraph::ops {

DGRAPH_DECL void Equal::shape(ShapeContext& c) {
  if (c.attr<bool>("incompatible_shape_error")) return shapes::broadcast(c);
  // Shapes that do not fit give a scalar at run time: known only where both are.
  if (!c.input(0).fully_known() || !c.input(1).fully_known()) return;
  try {
    shapes::broadcast(c);
  } catch (const Error&) {
    c.set_output(0, PartialShape::scalar());
  }
}

DGRAPH_DECL void Select::shape(ShapeContext& c) {
  if (!c.input(1).compatible_with(c.input(2)))
    fail(Code::InvalidArgument, "t of shape ", c.input(1), " and e of shape ", c.input(2), " must have one shape");
  const PartialShape both = c.input(1).merged_with(c.input(2));
  const PartialShape& condition = c.input(0);
  c.set_output(0, both);
  if (!condition.has_rank() || !both.has_rank() || condition.rank() == 0) return;
  const bool rows = condition.rank() == 1 && both.rank() > 1;
  if (rows ? !condition.compatible_with(PartialShape{both[0]}) : !condition.compatible_with(both))
    fail(Code::InvalidArgument, "the condition of shape ", condition, " chooses neither elements nor rows of shape ", both);
  if (!rows) c.set_output(0, both.merged_with(condition));
}

DGRAPH_DECL void Select::gradient(GradientContext& g) {
  const Output zeros = g.zeros_like(g.dy());
  if (g.needs(1)) g.set(1, g.add<Select>(g.x(0), g.dy(), zeros));
  if (g.needs(2)) g.set(2, g.add<Select>(g.x(0), zeros, g.dy()));
}

}  // namespace dgraph::ops
