#pragma once
#include <dgraph/ops/checks.hpp>

#include <string>

namespace dgraph::ops {

DGRAPH_DECL void CheckNumerics::shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
DGRAPH_DECL void CheckNumerics::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<CheckNumerics>(
                 g.dy(), "message",
                 "Not a number (NaN) or infinity (Inf) values detected in gradient. " +
                     g.attr<std::string>("message")));
}

DGRAPH_DECL void EnsureShape::shape(ShapeContext& c) {
  const PartialShape& wanted = c.attr<PartialShape>("shape");
  if (!wanted.compatible_with(c.input(0)))
    fail(Code::InvalidArgument, "shape ", c.input(0), " is not compatible with the expected shape ",
         wanted);
  c.set_output(0, wanted.merged_with(c.input(0)));
}
DGRAPH_DECL void EnsureShape::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.raw_dy());
}

}  // namespace dgraph::ops
