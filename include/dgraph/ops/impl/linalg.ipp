#pragma once
#include <dgraph/ops/linalg.hpp>

#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/rules.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL Output add_matmul(const OpName& name, Output a, Output b, bool transpose_a, bool transpose_b) {
  const auto stack = [](const Output& x) { return x.shape().has_rank() && x.shape().rank() > 2; };
  const auto open = [](const Output& x) { return !x.shape().has_rank(); };
  if (!stack(a) && !stack(b) && !(open(a) && open(b)))
    return add_op<ops::MatMul>(name, a, b, "transpose_a", transpose_a, "transpose_b", transpose_b);
  // The op for stacks conjugates what it transposes, which `matmul` does not.
  if (transpose_a && is_complex(a.dtype())) a = add_op<ops::Conj>(OpName(name.location), a);
  if (transpose_b && is_complex(b.dtype())) b = add_op<ops::Conj>(OpName(name.location), b);
  return add_op<ops::BatchMatMulV2>(name, a, b, "adj_x", transpose_a, "adj_y", transpose_b);
}

DGRAPH_DECL void check_inner_dimensions(std::int64_t a, std::int64_t b, const PartialShape& left,
                                        const PartialShape& right) {
  if (a >= 0 && b >= 0 && a != b)
    fail(Code::InvalidArgument, "inner dimensions of a matrix product differ: ", a, " and ", b, ", of shapes ", left,
         " and ", right);
}

// Of products of the matrices in the last two dimensions; the leading ones are broadcast together, or equal.
DGRAPH_DECL void stacked_product_shape(ShapeContext& c, bool broadcasts) {
  const PartialShape x = c.with_rank_at_least(0, 2), y = c.with_rank_at_least(1, 2);
  if (!x.has_rank() || !y.has_rank()) return;
  const bool ax = c.attr<bool>("adj_x"), ay = c.attr<bool>("adj_y");
  const auto split = [](const PartialShape& shape) {
    Dims leading;
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i) leading.push_back(shape[i]);
    return PartialShape(std::move(leading));
  };
  const std::size_t r = x.rank(), s = y.rank();
  check_inner_dimensions(x[ax ? r - 2 : r - 1], y[ay ? s - 1 : s - 2], x, y);
  Dims out = (broadcasts ? broadcast_shapes(split(x), split(y)) : split(x).merged_with(split(y))).dims();
  out.push_back(x[ax ? r - 1 : r - 2]);
  out.push_back(y[ay ? s - 2 : s - 1]);
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void MatMul::shape(ShapeContext& c) {
  const PartialShape a = c.with_rank(0, 2), b = c.with_rank(1, 2);
  const bool ta = c.attr<bool>("transpose_a"), tb = c.attr<bool>("transpose_b");
  detail::check_inner_dimensions(a[ta ? 0 : 1], b[tb ? 1 : 0], a, b);
  c.set_output(0, PartialShape{a[ta ? 1 : 0], b[tb ? 0 : 1]});
}

DGRAPH_DECL void MatMul::gradient(GradientContext& g) {
  const bool ta = g.attr<bool>("transpose_a"), tb = g.attr<bool>("transpose_b");
  const Output dy = g.dy();
  const auto product = [&](const Output& a, const Output& b, bool turn_a, bool turn_b) {
    return g.add<MatMul>(a, b, "transpose_a", turn_a, "transpose_b", turn_b);
  };
  if (g.needs(0)) {
    const Output b = rules::conj(g, g.x(1));
    g.set(0, ta ? product(b, dy, tb, true) : product(dy, b, false, !tb));
  }
  if (g.needs(1)) {
    const Output a = rules::conj(g, g.x(0));
    g.set(1, tb ? product(dy, a, true, ta) : product(a, dy, !ta, false));
  }
}

DGRAPH_DECL void BatchMatMul::shape(ShapeContext& c) { detail::stacked_product_shape(c, false); }
DGRAPH_DECL void BatchMatMul::gradient(GradientContext& g) {
  const bool ax = g.attr<bool>("adj_x"), ay = g.attr<bool>("adj_y");
  const Output dy = g.dy(), x = g.x(0), y = g.x(1);
  const auto product = [&](const Output& a, const Output& b, bool turn_a, bool turn_b) {
    return g.add<BatchMatMul>(a, b, "adj_x", turn_a, "adj_y", turn_b);
  };
  if (g.needs(0)) g.set(0, ax ? product(y, dy, ay, true) : product(dy, y, false, !ay));
  if (g.needs(1)) g.set(1, ay ? product(dy, x, true, ax) : product(x, dy, !ax, false));
}

DGRAPH_DECL void BatchMatMulV2::shape(ShapeContext& c) { detail::stacked_product_shape(c, true); }
DGRAPH_DECL void BatchMatMulV2::gradient(GradientContext& g) {
  const bool ax = g.attr<bool>("adj_x"), ay = g.attr<bool>("adj_y");
  const Output dy = g.dy(), x = g.x(0), y = g.x(1);
  const auto product = [&](const Output& a, const Output& b, bool turn_a, bool turn_b) {
    return g.add<BatchMatMulV2>(a, b, "adj_x", turn_a, "adj_y", turn_b);
  };
  rules::Unbroadcast to(g, 2);
  if (g.needs(0)) g.set(0, to(0, ax ? product(y, dy, ay, true) : product(dy, y, false, !ay)));
  if (g.needs(1)) g.set(1, to(1, ay ? product(dy, x, true, ax) : product(x, dy, !ax, false)));
}

}  // namespace ops
}  // namespace dgraph
