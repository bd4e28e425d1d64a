#pragma once
#include <dgraph/ops/rules.hpp>

#include <algorithm>

#include <dgraph/graph/constant_value.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// Axes of the broadcast shape over which the gradient of one side is summed: those that the side lacks, and those in which it
// is 1. Nothing where unknown dimensions leave it open.
struct SummedAxes {
  Dims missing, ones;
};

DGRAPH_DECL std::optional<SummedAxes> summed_axes(const PartialShape& mine, const PartialShape& other,
                                                  std::size_t keep_last) {
  if (!mine.has_rank() || !other.has_rank() || mine.rank() < keep_last || other.rank() < keep_last) return std::nullopt;
  SummedAxes out;
  const std::size_t rank = std::max(mine.rank(), other.rank());
  for (std::size_t i = 0; i + keep_last < rank; ++i) {
    const std::size_t from_end = rank - i;
    const auto axis = static_cast<std::int64_t>(i);
    if (from_end > mine.rank()) {
      out.missing.push_back(axis);
      continue;
    }
    const std::int64_t d = mine[mine.rank() - from_end];
    const std::int64_t e = from_end > other.rank() ? 1 : other[other.rank() - from_end];
    if (e == 1) continue;
    if (d == 1) out.ones.push_back(axis);
    if (d < 0) return std::nullopt;
  }
  return out;
}

DGRAPH_DECL Output sum_over(const GradientContext& g, const Output& grad, const SummedAxes& axes) {
  Output out = grad;
  if (!axes.missing.empty()) out = g.add<ops::Sum>(out, shapes::integers(g, axes.missing));
  if (!axes.ones.empty()) {
    Dims ones = axes.ones;
    for (std::int64_t& a : ones) a -= static_cast<std::int64_t>(axes.missing.size());
    out = g.add<ops::Sum>(out, shapes::integers(g, ones), "keep_dims", true);
  }
  return out;
}

}  // namespace detail

namespace rules {

DGRAPH_DECL std::optional<Dims> reduced_axes(const GradientContext& g) {
  const Output axes = g.x(1);
  auto values = constant_integers(*axes.core(), axes.endpoint());
  if (!values || !g.x(0).shape().has_rank()) return std::nullopt;
  for (std::int64_t& a : *values) {
    if (a == kUnknownValue) return std::nullopt;
    a = static_cast<std::int64_t>(shapes::axis(a, g.x(0).shape().rank()));
  }
  std::sort(values->begin(), values->end());
  return values;
}

DGRAPH_DECL Output number(const GradientContext& g, const Output& like, double value) {
  return shapes::constant(g, detail::scalar_tensor(like.dtype(), value));
}

DGRAPH_DECL Output conj(const GradientContext& g, const Output& x) {
  return is_complex(x.dtype()) ? g.add<ops::Conj>(x) : x;
}

DGRAPH_DECL Output Unbroadcast::leading_shape(std::size_t i) {
  const Output x = g_.x(i);
  if (keep_last_ == 0) return shapes::of(g_, x);
  if (x.shape().has_rank()) return shapes::of(g_, x, 0, x.shape().rank() - keep_last_);
  const Output all = g_.add<ops::Shape>(x);
  const Output begin = shapes::integers(g_, {0});
  const Output kept = shapes::integer(g_, static_cast<std::int64_t>(keep_last_));
  const Output count = g_.add<ops::Sub>(g_.add<ops::Rank>(x), kept);
  return g_.add<ops::Slice>(all, begin, g_.add<ops::ExpandDims>(count, shapes::integer(g_, 0)));
}

DGRAPH_DECL Output Unbroadcast::operator()(std::size_t i, const Output& grad) {
  const Output x = g_.x(i), other = g_.x(1 - i);
  if (x == other) return grad;
  if (const auto axes = detail::summed_axes(x.shape(), other.shape(), keep_last_))
    return detail::sum_over(g_, grad, *axes);
  if (!axes_[0]) {
    const Output a = leading_shape(0), b = leading_shape(1);
    axes_[0] = g_.add<ops::BroadcastGradientArgs>(a, b);
    axes_[1] = shapes::output(axes_[0], 1);
  }
  return g_.add<ops::Reshape>(g_.add<ops::Sum>(grad, axes_[i]), shapes::of(g_, x));
}

DGRAPH_DECL Output sum_like(const GradientContext& g, const Output& grad, const Output& x) {
  if (const auto axes = detail::summed_axes(x.shape(), grad.shape(), 0)) return detail::sum_over(g, grad, *axes);
  const Output axes = g.add<ops::BroadcastGradientArgs>(shapes::of(g, x), shapes::of(g, grad));
  return g.add<ops::Reshape>(g.add<ops::Sum>(grad, axes), shapes::of(g, x));
}

DGRAPH_DECL Output summed_like(const GradientContext& g, const Output& d, const Output& x) {
  const PartialShape &from = x.shape(), &to = d.shape();
  if (from.fully_known() && from == to) return d;
  Output axes;
  if (from.fully_known() && to.fully_known()) {
    Dims summed;
    const std::size_t more = to.rank() - from.rank();
    for (std::size_t i = 0; i < to.rank(); ++i)
      if (i < more || from[i - more] != to[i]) summed.push_back(static_cast<std::int64_t>(i));
    axes = shapes::integers(g, summed);
  } else {
    axes = g.add<ops::BroadcastGradientArgs>(shapes::of(g, x), shapes::of(g, d));
  }
  return shapes::reshape_like(g, g.add<ops::Sum>(d, axes), x);
}

DGRAPH_DECL Output with_reduced_axes(const GradientContext& g, const Output& value) {
  if (g.attr<bool>("keep_dims")) return value;
  const auto axes = reduced_axes(g);
  const PartialShape& from = g.x(0).shape();
  if (!axes) {
    const Output kept = g.add<ops::Sum>(g.x(0), g.x(1), "keep_dims", true);
    return g.add<ops::Reshape>(value, g.add<ops::Shape>(kept));
  }
  if (axes->size() == from.rank() || axes->empty()) return value;
  Dims kept = from.dims();
  for (std::int64_t a : *axes) kept[static_cast<std::size_t>(a)] = 1;
  if (std::all_of(kept.begin(), kept.end(), [](std::int64_t d) { return d >= 0; }))
    return g.add<ops::Reshape>(value, shapes::integers(g, kept));
  Output out = value;
  for (std::int64_t a : *axes) out = g.add<ops::ExpandDims>(out, shapes::integer(g, a));
  return out;
}

DGRAPH_DECL std::optional<std::int64_t> reduced_count(const GradientContext& g) {
  const auto axes = reduced_axes(g);
  if (!axes) return std::nullopt;
  std::int64_t count = 1;
  for (std::int64_t a : *axes) {
    const std::int64_t d = g.x(0).shape()[static_cast<std::size_t>(a)];
    if (d < 0) return std::nullopt;
    count *= d;
  }
  return count;
}

}  // namespace rules
}  // namespace dgraph
