#pragma once
#include <dgraph/ops/sparse.hpp>

#include <vector>

#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/gather_nd.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/sets.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>
#include <dgraph/ops/sparse_segment.hpp>

namespace dgraph {
namespace ops {

DGRAPH_DECL void SparseToDense::shape(ShapeContext& c) {
  const PartialShape &indices = c.input(0), &values = c.input(2);
  const PartialShape whole = c.as_shape(1);
  c.with_rank(1, 1);
  c.with_rank(3, 0);
  if (values.has_rank() && values.rank() > 1)
    fail(Code::InvalidArgument, "the values must be a scalar or a vector, not of shape ", values);
  if (indices.has_rank()) {
    if (indices.rank() > 2)
      fail(Code::InvalidArgument, "the indices must be a matrix at most, not of shape ", indices);
    const std::int64_t depth = indices.rank() == 2 ? indices[1] : 1;
    const std::int64_t count = indices.rank() > 0 ? indices[0] : 1;
    if (depth >= 0 && whole.has_rank() && static_cast<std::size_t>(depth) != whole.rank())
      fail(Code::InvalidArgument, "indices of shape ", indices, " name no elements of shape ",
           whole);
    if (values.has_rank() && values.rank() == 1 && count >= 0 && values[0] >= 0 &&
        values[0] != count)
      fail(Code::InvalidArgument, "there are ", values[0], " values for indices of shape ",
           indices);
  }
  c.set_output(0, whole);
}
DGRAPH_DECL void SparseToDense::gradient(GradientContext& g) {
  const Output dy = g.dy(), values = g.x(2);
  // As a matrix, whatever the rank; a matrix of no rows would not tell its width.
  const PartialShape& at = g.x(0).shape();
  Output rows = g.x(0);
  if (!at.has_rank() || at.rank() != 2) {
    const Output depth = g.add<Reshape>(g.add<Size>(g.x(1)), shapes::integers(g, {1}));
    const std::vector<Output> parts{shapes::integers(g, {-1}), depth};
    rows = at.has_rank() ? g.add<Reshape>(rows, shapes::integers(g, {-1, 1}))
                         : g.add<Reshape>(rows, g.add<ConcatV2>(parts, shapes::integer(g, 0)));
  }
  const Output taken = g.add<GatherNd>(dy, rows);
  const auto sum = [&](const Output& x) { return g.add<Sum>(x, shapes::all_axes(g, x)); };
  if (g.needs(2)) {
    if (values.shape().has_rank())
      g.set(2, values.shape().rank() == 0 ? sum(taken) : taken);
    else
      g.set(2, rules::sum_like(g, taken, values));
  }
  if (g.needs(3)) g.set(3, g.add<Sub>(sum(dy), sum(taken)));
}

DGRAPH_DECL void SparseTensorDenseMatMul::shape(ShapeContext& c) {
  const PartialShape indices = c.with_rank(0, 2), values = c.with_rank(1, 1);
  if (!indices.compatible_with(PartialShape{values[0], 2}))
    fail(Code::InvalidArgument, "a_indices must have shape ", PartialShape{values[0], 2}, ", not ",
         indices);
  if (!c.with_rank(2, 1).compatible_with(PartialShape{2}))
    fail(Code::InvalidArgument, "a_shape must have 2 elements, not shape ", c.input(2));
  PartialShape a = c.as_shape(2);
  if (!a.has_rank()) a = PartialShape::of_rank(2);
  const PartialShape b = c.with_rank(3, 2);
  const bool turn_a = c.attr<bool>("adjoint_a"), turn_b = c.attr<bool>("adjoint_b");
  const std::int64_t inner_a = a[turn_a ? 0 : 1], inner_b = b[turn_b ? 1 : 0];
  if (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)
    fail(Code::InvalidArgument, "matrices of shapes ", a, turn_a ? " (adjoint)" : "", " and ", b,
         turn_b ? " (adjoint)" : "", " cannot be multiplied");
  c.set_output(0, PartialShape{a[turn_a ? 1 : 0], b[turn_b ? 0 : 1]});
}
DGRAPH_DECL void SparseTensorDenseMatMul::gradient(GradientContext& g) {
  const Output indices = g.x(0), values = g.x(1), b = g.x(3), dy = g.dy();
  const bool turn_a = g.attr<bool>("adjoint_a"), turn_b = g.attr<bool>("adjoint_b");
  const auto adjoint = [&](const Output& m) {
    return rules::conj(g, g.add<Transpose>(m, shapes::integers(g, {1, 0})));
  };
  if (g.needs(3)) {
    const Output turned =
        g.add<SparseTensorDenseMatMul>(indices, values, g.x(2), dy, "adjoint_a", !turn_a);
    g.set(3, turn_b ? adjoint(turned) : turned);
  }
  if (!g.needs(1)) return;
  const auto column = [&](std::int64_t i) {
    const Output part =
        g.add<Slice>(indices, shapes::integers(g, {0, i}), shapes::integers(g, {-1, 1}));
    return g.add<Reshape>(part, shapes::integers(g, {-1}));
  };
  const Output rows = column(0), columns = column(1), along = shapes::integer(g, 0);
  const Output of_y = g.add<GatherV2>(dy, turn_a ? columns : rows, along);
  const Output of_b = g.add<GatherV2>(turn_b ? adjoint(b) : b, turn_a ? rows : columns, along);
  // An adjoint of a conjugates its values.
  const Output products =
      turn_a ? g.add<Mul>(rules::conj(g, of_y), of_b) : g.add<Mul>(of_y, rules::conj(g, of_b));
  g.set(1, g.add<Sum>(products, shapes::integers(g, {1})));
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output embedding_lookup_sparse(const Output& params, const Output& indices,
                                           const Output& ids, const Output& weights,
                                           std::string_view combiner, const OpName& name) {
  const bool mean = combiner == "mean", root = combiner == "sqrtn";
  if (!mean && !root && combiner != "sum")
    fail(Code::InvalidArgument, "combiner must be mean, sqrtn or sum, not ", combiner);
  const OpName at(name.location);
  GraphCore* const core = params.core();
  const auto constant = [&](Tensor value) { return add_constant(std::move(value), at, core); };
  const Output along = constant(Tensor::scalar<std::int32_t>(0));
  const Output first = add_op<ops::Slice>(at, indices, constant(index_tensor({0, 0})),
                                          constant(index_tensor({-1, 1})));
  const Output rows = add_op<ops::Reshape>(at, first, constant(index_tensor({-1})));
  // Each row of the table once, however many ids name it.
  const Output unique = add_op<ops::Unique>(at, ids);
  const Output places(unique.core(), unique.node_id(), 1);
  const Output table = add_op<ops::GatherV2>(at, params, unique, along);
  if (!weights) {
    if (mean) return add_op<ops::SparseSegmentMean>(name, table, places, rows);
    if (root) return add_op<ops::SparseSegmentSqrtN>(name, table, places, rows);
    return add_op<ops::SparseSegmentSum>(name, table, places, rows);
  }
  const Output taken = add_op<ops::GatherV2>(at, table, places, along);
  const auto column = [&](const Output& x) {
    const Output more = add_op<ops::Sub>(at, add_op<ops::Rank>(at, taken),
                                         constant(Tensor::scalar<std::int32_t>(1)));
    const Output ones =
        add_op<ops::Fill>(at, add_op<ops::Reshape>(at, more, constant(index_tensor({1}))),
                          constant(Tensor::scalar<std::int32_t>(1)));
    const std::vector<Output> parts{constant(index_tensor({-1})), ones};
    return add_op<ops::Reshape>(at, x, add_op<ops::ConcatV2>(at, parts, along));
  };
  const Output scaled = add_op<ops::Mul>(at, taken, column(weights));
  if (!mean && !root) return add_op<ops::SegmentSum>(name, scaled, rows);
  const Output sums = add_op<ops::SegmentSum>(at, scaled, rows);
  Output sizes =
      add_op<ops::SegmentSum>(at, root ? add_op<ops::Square>(at, weights) : weights, rows);
  if (root) sizes = add_op<ops::Sqrt>(at, sizes);
  return add_op<ops::RealDiv>(name, sums, column(sizes));
}

}  // namespace detail
}  // namespace dgraph
