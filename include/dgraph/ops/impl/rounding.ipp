#pragma once
#include <dgraph/ops/rounding.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>

namespace dgraph::ops {

DGRAPH_DECL void ClipByValue::shape(ShapeContext& c) {
  PartialShape out = c.input(0);
  for (std::size_t i = 1; i < 3; ++i) {
    const PartialShape& bound = c.input(i);
    if (!bound.has_rank() || bound.rank() == 0) continue;
    if (!out.compatible_with(bound))
      fail(Code::InvalidArgument, "a bound must be a scalar or of the shape ", out,
           " of the input, not ", bound);
    out = out.merged_with(bound);
  }
  c.set_output(0, out);
}

DGRAPH_DECL void ClipByValue::gradient(GradientContext& g) {
  const Output x = g.x(0), dy = g.dy(), zeros = g.zeros_like(dy);
  const Output below = g.add<Less>(x, g.x(1)), above = g.add<Greater>(x, g.x(2));
  if (g.needs(0)) g.set(0, g.add<Select>(g.add<LogicalOr>(below, above), zeros, dy));
  if (g.needs(1)) g.set(1, rules::sum_like(g, g.add<Select>(below, dy, zeros), g.x(1)));
  if (g.needs(2)) g.set(2, rules::sum_like(g, g.add<Select>(above, dy, zeros), g.x(2)));
}

}  // namespace dgraph::ops
