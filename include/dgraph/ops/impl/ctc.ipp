#pragma once
#include <dgraph/ops/ctc.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph::ops {

DGRAPH_DECL void CTCLoss::shape(ShapeContext& c) {
  const PartialShape inputs = c.with_rank(0, 3), indices = c.with_rank(1, 2),
                     values = c.with_rank(2, 1), lengths = c.with_rank(3, 1);
  if (indices[0] >= 0 && values[0] >= 0 && indices[0] != values[0])
    fail(Code::InvalidArgument, "labels_indices of shape ", indices, " and labels_values of shape ",
         values, " differ in number");
  const PartialShape batch = PartialShape{inputs[1]}.merged_with(lengths);
  c.set_output(0, batch);
  c.set_output(1, PartialShape{inputs[0], batch[0], inputs[2]});
}

DGRAPH_DECL void CTCLoss::gradient(GradientContext& g) {
  if (g.has_dy(1))
    fail(Code::InvalidArgument,
         "op type CTCLoss has no gradient of its second output, which is a gradient itself");
  if (!g.needs(0)) return;
  const Output each = g.add<Reshape>(g.dy(0), shapes::integers(g, {1, -1, 1}));
  g.set(0, g.add<Mul>(each, g.y(1)));
}

}  // namespace dgraph::ops
