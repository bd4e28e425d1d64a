#pragma once
#include <dgraph/ops/cumulative.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph::ops {

DGRAPH_DECL void Cumsum::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  if (c.input(0).has_rank()) static_cast<void>(shapes::constant_axis(c, 1, c.input(0).rank()));
  c.set_output(0, c.input(0));
}

DGRAPH_DECL void Cumprod::shape(ShapeContext& c) { Cumsum::shape(c); }

DGRAPH_DECL void Cumsum::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  g.set(0, g.add<Cumsum>(g.dy(), g.x(1), "exclusive", g.attr<bool>("exclusive"), "reverse",
                         !g.attr<bool>("reverse")));
}

// Each x is in the products from its place on. The product of the others is the product of all divided by x, unless x is 0: so
// zeros are replaced by 1 and counted, and of the products only those with no zero, or none but x itself, are summed.
DGRAPH_DECL void Cumprod::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const bool exclusive = g.attr<bool>("exclusive"), reverse = g.attr<bool>("reverse");
  const Output x = rules::conj(g, g.x(0)), axis = g.x(1), dy = g.dy();
  const DType dtype = x.dtype();
  const auto is = [&](const Output& value, double number) {
    return g.add<Cast>(g.add<Equal>(value, rules::number(g, value, number)), "DstT", dtype);
  };
  const Output zero = is(x, 0);
  const Output factors = g.add<AddV2>(x, zero);
  const Output products = g.add<Cumprod>(factors, axis, "exclusive", exclusive, "reverse", reverse);
  const Output zeros = g.add<Cumsum>(zero, axis, "exclusive", exclusive, "reverse", reverse);
  const Output parts = g.add<Mul>(dy, products);
  const auto from_here = [&](const Output& value) {
    return g.add<Cumsum>(value, axis, "exclusive", exclusive, "reverse", !reverse);
  };
  const Output with_none = g.add<RealDiv>(from_here(g.add<Mul>(parts, is(zeros, 0))), factors);
  const Output with_one = from_here(g.add<Mul>(parts, is(zeros, 1)));
  const Output not_zero = g.add<Sub>(rules::number(g, x, 1), zero);
  g.set(0, g.add<AddV2>(g.add<Mul>(not_zero, with_none), g.add<Mul>(zero, with_one)));
}

DGRAPH_DECL void Bincount::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  const auto size = c.integers(1);
  if (!size || (*size)[0] == kUnknownValue) return c.set_output(0, PartialShape::of_rank(1));
  if ((*size)[0] < 0) fail(Code::InvalidArgument, "size (", (*size)[0], ") must be non-negative");
  c.set_output(0, PartialShape{(*size)[0]});
}

}  // namespace dgraph::ops
