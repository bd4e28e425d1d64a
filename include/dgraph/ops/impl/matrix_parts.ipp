#pragma once
#include <dgraph/ops/matrix_parts.hpp>

#include <algorithm>
#include <utility>

#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// As long as the shorter side; unknown where a side is and could be the shorter.
DGRAPH_DECL std::int64_t diagonal_length(const PartialShape& matrices) {
  const std::int64_t rows = matrices[matrices.rank() - 2], columns = matrices[matrices.rank() - 1];
  if (rows < 0 || columns < 0) return rows == 0 || columns == 0 ? 0 : -1;
  return std::min(rows, columns);
}

DGRAPH_DECL PartialShape diagonal_shape(const PartialShape& matrices) {
  Dims out;
  for (std::size_t i = 0; i + 2 < matrices.rank(); ++i) out.push_back(matrices[i]);
  out.push_back(diagonal_length(matrices));
  return PartialShape(std::move(out));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void MatrixBandPart::shape(ShapeContext& c) {
  const PartialShape x = c.with_rank_at_least(0, 2);
  c.set_output(0, x);
  for (std::size_t i = 1; i <= 2; ++i) {
    c.with_rank(i, 0);
    const auto value = c.integers(i);
    if (!x.has_rank() || !value || value->size() != 1) continue;
    const std::int64_t most = x[x.rank() - (i == 1 ? 2 : 1)];
    if (most >= 0 && (*value)[0] > most)
      fail(Code::InvalidArgument, i == 1 ? "num_lower" : "num_upper", " ", (*value)[0],
           " must be negative or at most ", most, ", for matrices of shape ", x);
  }
}
DGRAPH_DECL void MatrixBandPart::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<MatrixBandPart>(g.dy(), g.x(1), g.x(2)));
}

DGRAPH_DECL void MatrixDiag::shape(ShapeContext& c) {
  const PartialShape x = c.with_rank_at_least(0, 1);
  if (!x.has_rank()) return;
  Dims out = x.dims();
  out.push_back(x[x.rank() - 1]);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void MatrixDiag::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<MatrixDiagPart>(g.dy()));
}

DGRAPH_DECL void MatrixDiagPart::shape(ShapeContext& c) {
  const PartialShape x = c.with_rank_at_least(0, 2);
  if (x.has_rank()) c.set_output(0, detail::diagonal_shape(x));
}
DGRAPH_DECL void MatrixDiagPart::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<MatrixSetDiag>(g.zeros_like(g.x(0)), g.dy()));
}

DGRAPH_DECL void MatrixSetDiag::shape(ShapeContext& c) {
  const PartialShape x = c.with_rank_at_least(0, 2), diagonal = c.with_rank_at_least(1, 1);
  c.set_output(0, x);
  if (!x.has_rank()) return;
  const PartialShape wanted = detail::diagonal_shape(x);
  if (!wanted.compatible_with(diagonal))
    fail(Code::InvalidArgument, "a diagonal of shape ", diagonal,
         " does not fit matrices of shape ", x);
}
DGRAPH_DECL void MatrixSetDiag::gradient(GradientContext& g) {
  const Output dy = g.dy();
  if (g.needs(0)) g.set(0, g.add<MatrixSetDiag>(dy, g.zeros_like(g.x(1))));
  if (g.needs(1)) g.set(1, g.add<MatrixDiagPart>(dy));
}

DGRAPH_DECL void Diag::shape(ShapeContext& c) {
  const PartialShape x = c.with_rank_at_least(0, 1);
  if (!x.has_rank()) return;
  Dims out = x.dims();
  for (std::int64_t d : x.dims()) out.push_back(d);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Diag::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<DiagPart>(g.dy()));
}

DGRAPH_DECL void DiagPart::shape(ShapeContext& c) {
  const PartialShape& x = c.input(0);
  if (!x.has_rank()) return;
  if (x.rank() == 0 || x.rank() % 2 != 0)
    fail(Code::InvalidArgument, "the rank must be even and positive, not that of shape ", x);
  const std::size_t half_rank = x.rank() / 2;
  Dims first, second;
  for (std::size_t i = 0; i < half_rank; ++i) {
    first.push_back(x[i]);
    second.push_back(x[i + half_rank]);
  }
  c.set_output(0, PartialShape(std::move(first)).merged_with(PartialShape(std::move(second))));
}
DGRAPH_DECL void DiagPart::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Diag>(g.dy()));
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output matrix_transpose(const Output& x, bool conjugate, const OpName& name) {
  if (!x.shape().has_rank() || x.shape().rank() < 2)
    fail(Code::InvalidArgument, "only matrices, of known rank, can be transposed, not shape ",
         x.shape());
  Dims order;
  for (std::size_t i = 0; i < x.shape().rank(); ++i) order.push_back(static_cast<std::int64_t>(i));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  const OpName at(name.location);
  const Output from = conjugate && is_complex(x.dtype()) ? add_op<ops::Conj>(at, x) : x;
  return add_op<ops::Transpose>(name, from, add_constant(index_tensor(order), at, x.core()));
}

DGRAPH_DECL Output add_eye(const Dims& batch, std::int64_t rows, std::int64_t columns, DType dtype,
                           const OpName& name) {
  Dims all = batch, diagonal = batch;
  all.push_back(rows);
  all.push_back(columns);
  diagonal.push_back(std::min(rows, columns));
  const OpName at(name.location);
  const Output ones = filled(diagonal, scalar_tensor(dtype, 1), at);
  if (rows == columns) return add_op<ops::MatrixDiag>(name, ones);
  return add_op<ops::MatrixSetDiag>(name, filled(all, scalar_tensor(dtype, 0), at), ones);
}

}  // namespace detail
}  // namespace dgraph
