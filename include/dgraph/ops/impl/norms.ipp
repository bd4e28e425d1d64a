#pragma once
#include <dgraph/ops/norms.hpp>

#include <cmath>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL Output number_like(const Output& x, double value, const OpName& at) {
  return add_constant(scalar_tensor(x.dtype(), value), at, x.core());
}

DGRAPH_DECL Output norm(const Output& x, NormOrder order, const Axes& axes, bool keep_dims,
                        const OpName& name) {
  const OpName at(name.location);
  const Output over = axes.node(x, name.location);
  const double p = order.p();
  if (!(p > 0)) fail(Code::InvalidArgument, "a norm needs an order above 0, not ", p);
  if (order.euclidean()) {
    const Output square = is_complex(x.dtype()) ? add_op<ops::Mul>(at, x, add_op<ops::Conj>(at, x))
                                                : add_op<ops::Square>(at, x);
    return add_op<ops::Sqrt>(name, add_op<ops::Sum>(at, square, over, "keep_dims", keep_dims));
  }
  const Output size = add_op<ops::Abs>(at, x);
  if (axes.listed() && axes.listed()->size() == 2) {
    if (p != 1 && !std::isinf(p))
      fail(Code::InvalidArgument, "matrices have no norm of order ", p,
           " here: only 1, 2, infinity");
    // The sums go along rows for order 1 and along columns for infinity; the largest is along the other axis.
    const std::int64_t first = (*axes.listed())[0], second = (*axes.listed())[1];
    const Output summed = Axes(p == 1 ? first : second).node(x, name.location);
    const Output searched = Axes(p == 1 ? second : first).node(x, name.location);
    const Output sums = add_op<ops::Sum>(at, size, summed, "keep_dims", true);
    const Output most = add_op<ops::Max>(keep_dims ? name : at, sums, searched, "keep_dims", true);
    // Both dimensions are 1: a sum along them is the element itself.
    return keep_dims ? most : add_op<ops::Sum>(name, most, over);
  }
  if (p == 1) return add_op<ops::Sum>(name, size, over, "keep_dims", keep_dims);
  if (std::isinf(p)) return add_op<ops::Max>(name, size, over, "keep_dims", keep_dims);
  const Output powers = add_op<ops::Pow>(at, size, number_like(x, p, at));
  return add_op<ops::Pow>(name, add_op<ops::Sum>(at, powers, over, "keep_dims", keep_dims),
                          number_like(x, 1 / p, at));
}

DGRAPH_DECL Output l2_normalize(const Output& x, const Axes& axes, double epsilon,
                                const OpName& name) {
  const OpName at(name.location);
  const Output over = axes.node(x, name.location);
  const Output square = add_op<ops::Sum>(at, add_op<ops::Square>(at, x), over, "keep_dims", true);
  const Output least = number_like(x, epsilon, at);
  return add_op<ops::Mul>(name, x, add_op<ops::Rsqrt>(at, add_op<ops::Maximum>(at, square, least)));
}

DGRAPH_DECL Output clip_by_norm(const Output& x, const Output& clip_norm, const Axes& axes,
                                const OpName& name) {
  const OpName at(name.location);
  const Output over = axes.node(x, name.location);
  const Output square = add_op<ops::Sum>(at, add_op<ops::Square>(at, x), over, "keep_dims", true);
  // The root of 0 has no slope: it is taken of 1 instead and not used.
  const Output some = add_op<ops::Greater>(at, square, number_like(x, 0, at));
  const Output safe = add_op<ops::SelectV2>(at, some, square, add_op<ops::OnesLike>(at, square));
  const Output length = add_op<ops::SelectV2>(at, some, add_op<ops::Sqrt>(at, safe), square);
  return add_op<ops::RealDiv>(name, add_op<ops::Mul>(at, x, clip_norm),
                              add_op<ops::Maximum>(at, length, clip_norm));
}

DGRAPH_DECL Output global_norm(const std::vector<Gradient>& values, const OpName& name) {
  const OpName at(name.location);
  std::vector<Output> squares;
  for (const Gradient& value : values) {
    if (!value) continue;
    const Output& x = value.values();
    squares.push_back(
        add_op<ops::Sum>(at, add_op<ops::Square>(at, x), Axes().node(x, name.location)));
  }
  if (squares.empty()) fail(Code::InvalidArgument, "there is no value to take the global norm of");
  return add_op<ops::Sqrt>(name, squares.size() == 1 ? squares[0] : add_op<ops::AddN>(at, squares));
}

DGRAPH_DECL std::vector<Gradient> clip_by_global_norm(const std::vector<Gradient>& values,
                                                      const Output& clip_norm, const Output& norm,
                                                      const OpName& name) {
  const OpName at(name.location);
  const Output one = number_like(norm, 1, at);
  const Output smaller = add_op<ops::Minimum>(at, add_op<ops::Reciprocal>(at, norm),
                                              add_op<ops::RealDiv>(at, one, clip_norm));
  // What is not finite must not be hidden by a scale of 0: infinity minus itself is NaN.
  const Output scale = add_op<ops::AddV2>(at, add_op<ops::Mul>(at, clip_norm, smaller),
                                          add_op<ops::Sub>(at, norm, norm));
  std::vector<Gradient> out;
  for (const Gradient& value : values) {
    if (!value) {
      out.emplace_back();
      continue;
    }
    const Output clipped = add_op<ops::Mul>(name, value.values(), scale);
    if (value.is_sparse())
      out.emplace_back(IndexedSlices{clipped, value.slices().indices, value.slices().dense_shape});
    else
      out.emplace_back(clipped);
  }
  return out;
}

}  // namespace detail

DGRAPH_DECL std::pair<std::vector<Gradient>, Output> clip_by_global_norm(
    const std::vector<Gradient>& gradients, double clip_norm, OpName name) {
  const OpName at(name.location);
  const Output had = detail::global_norm(gradients, at);
  return {
      detail::clip_by_global_norm(gradients, detail::number_like(had, clip_norm, at), had, name),
      had};
}

}  // namespace dgraph
