#pragma once
#include <dgraph/ops/cross.hpp>

namespace dgraph::ops {

DGRAPH_DECL void Cross::shape(ShapeContext& c) {
  const PartialShape shape = c.with_rank_at_least(0, 1);
  shapes::all_same(c);
  const PartialShape& out = c.output(0);
  if (out.has_rank() && out[out.rank() - 1] >= 0 && out[out.rank() - 1] != 3)
    fail(Code::InvalidArgument, "the cross product is one of vectors of 3 elements, not of shape ",
         shape);
}

DGRAPH_DECL void Cross::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Cross>(g.x(1), g.dy()));
  if (g.needs(1)) g.set(1, g.add<Cross>(g.dy(), g.x(0)));
}

}  // namespace dgraph::ops
