#pragma once
#include <dgraph/ops/reduction.hpp>

#include <algorithm>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/cumulative.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {

DGRAPH_DECL Output Axes::node(const Output& input, SourceLocation at) const {
  if (value_) return value_;
  if (!all_) return detail::add_constant(detail::index_tensor(listed_), OpName(at), input.core());
  const PartialShape& shape = input.shape();
  if (shape.has_rank()) {
    Dims axes;
    for (std::size_t i = 0; i < shape.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    return detail::add_constant(detail::index_tensor(axes), OpName(at), input.core());
  }
  const Output rank = add_op<ops::Rank>(OpName(at), input);
  const Output zero = detail::add_constant(Tensor::scalar<std::int32_t>(0), OpName(at), input.core());
  const Output one = detail::add_constant(Tensor::scalar<std::int32_t>(1), OpName(at), input.core());
  return add_op<ops::Range>(OpName(at), zero, rank, one);
}

namespace detail {

// `value` has the shape of the reduction's output: spreads it over the shape of the input.
DGRAPH_DECL Output spread(const GradientContext& g, const Output& value) {
  const Output kept = rules::with_reduced_axes(g, value);
  if (kept.shape().fully_known() && kept.shape() == g.x(0).shape()) return kept;
  return g.add<ops::BroadcastTo>(kept, shapes::of(g, g.x(0)));
}

// Shared evenly among the elements that are equal to the output.
DGRAPH_DECL void share_among_ties(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output y = rules::with_reduced_axes(g, g.y()), dy = rules::with_reduced_axes(g, g.dy());
  const Output chosen = g.add<ops::Cast>(g.add<ops::Equal>(y, g.x(0)), "DstT", dy.dtype());
  const Output count = g.add<ops::Sum>(chosen, g.x(1), "keep_dims", true);
  g.set(0, g.add<ops::Mul>(g.add<ops::RealDiv>(chosen, count), dy));
}

// Axis by axis, what comes before each element times what comes after it: no division, so that second derivatives are right
// also where an x is 0.
DGRAPH_DECL Output product_of_others(const GradientContext& g, const Dims& axes) {
  Output x = rules::conj(g, g.x(0)), slope = rules::with_reduced_axes(g, g.dy());
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Output axis = shapes::integer(g, axes[i]);
    const Output before = g.add<ops::Cumprod>(x, axis, "exclusive", true);
    const Output after = g.add<ops::Cumprod>(x, axis, "exclusive", true, "reverse", true);
    slope = g.add<ops::Mul>(slope, g.add<ops::Mul>(before, after));
    if (i > 0) x = g.add<ops::Prod>(x, axis, "keep_dims", true);
  }
  return slope;
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Sum::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::spread(g, g.dy()));
}

DGRAPH_DECL void Mean::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output dy = g.dy();
  Output count;
  if (const auto known = rules::reduced_count(g)) {
    if (*known == 1) return g.set(0, detail::spread(g, dy));
    count = rules::number(g, dy, static_cast<double>(*known));
  } else {
    const Output outputs = g.add<Maximum>(g.add<Size>(g.y()), shapes::integer(g, 1));
    count = g.add<Cast>(g.add<FloorDiv>(g.add<Size>(g.x(0)), outputs), "DstT", dy.dtype());
  }
  g.set(0, detail::spread(g, g.add<RealDiv>(dy, count)));
}

// Of axes that are not known: the product of the others, with no division by an x that is 0. Zeros are replaced by 1, and what is left decides by the
// number of zeros among the factors: none, this one alone, or more.
DGRAPH_DECL void Prod::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  if (const auto known = rules::reduced_axes(g)) return g.set(0, detail::product_of_others(g, *known));
  const Output x = rules::conj(g, g.x(0)), axes = g.x(1), dy = rules::with_reduced_axes(g, g.dy());
  const DType dtype = x.dtype();
  const Output is_zero = g.add<Cast>(g.add<Equal>(x, rules::number(g, x, 0)), "DstT", dtype);
  const Output factors = g.add<AddV2>(x, is_zero);
  const Output zeros = g.add<Sum>(is_zero, axes, "keep_dims", true);
  const Output rest = g.add<Prod>(factors, axes, "keep_dims", true);
  const Output none = g.add<Cast>(g.add<Equal>(zeros, rules::number(g, x, 0)), "DstT", dtype);
  const Output one = g.add<Cast>(g.add<Equal>(zeros, rules::number(g, x, 1)), "DstT", dtype);
  const Output others = g.add<AddV2>(g.add<RealDiv>(none, factors), g.add<Mul>(one, is_zero));
  g.set(0, g.add<Mul>(g.add<Mul>(dy, rest), others));
}

DGRAPH_DECL void Max::gradient(GradientContext& g) { detail::share_among_ties(g); }
DGRAPH_DECL void Min::gradient(GradientContext& g) { detail::share_among_ties(g); }

DGRAPH_DECL void EuclideanNorm::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output y = rules::with_reduced_axes(g, g.y()), dy = rules::with_reduced_axes(g, g.dy());
  g.set(0, g.add<Mul>(g.x(0), g.add<RealDiv>(dy, y)));
}

DGRAPH_DECL void ArgMax::shape(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  c.with_rank(1, 0);
  if (!in.has_rank()) return;
  if (in.rank() == 0) fail(Code::InvalidArgument, "a scalar has no axis to search along");
  const auto axis = shapes::constant_axis(c, 1, in.rank());
  if (!axis) return c.set_output(0, PartialShape::of_rank(in.rank() - 1));
  Dims out;
  for (std::size_t i = 0; i < in.rank(); ++i)
    if (i != *axis) out.push_back(in[i]);
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace ops
}  // namespace dgraph
