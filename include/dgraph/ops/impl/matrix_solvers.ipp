#pragma once
#include <dgraph/ops/matrix_solvers.hpp>

#include <utility>

#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/matrix_parts.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// Input i's shape, whose last two dimensions are equal.
DGRAPH_DECL PartialShape square_matrices(const ShapeContext& c, std::size_t i) {
  const PartialShape x = c.with_rank_at_least(i, 2);
  if (!x.has_rank()) return x;
  Dims dims = x.dims();
  std::int64_t &rows = dims[x.rank() - 2], &columns = dims[x.rank() - 1];
  if (rows >= 0 && columns >= 0 && rows != columns)
    fail(Code::InvalidArgument, "matrices must be square, not of shape ", x);
  rows = columns = rows < 0 ? columns : rows;
  return PartialShape(std::move(dims));
}

DGRAPH_DECL PartialShape without_last(const PartialShape& shape, std::size_t count) {
  Dims out;
  for (std::size_t i = 0; i + count < shape.rank(); ++i) out.push_back(shape[i]);
  return PartialShape(std::move(out));
}

DGRAPH_DECL void determinant_shape(ShapeContext& c) {
  const PartialShape x = square_matrices(c, 0);
  for (std::size_t i = 0; x.has_rank() && i < c.num_outputs(); ++i)
    c.set_output(i, without_last(x, 2));
}

DGRAPH_DECL void solution_shape(ShapeContext& c, bool broadcasts) {
  const PartialShape a = square_matrices(c, 0), b = c.with_rank_at_least(1, 2);
  if (!a.has_rank() || !b.has_rank()) return;
  const std::int64_t n = a[a.rank() - 1], rows = b[b.rank() - 2];
  if (n >= 0 && rows >= 0 && n != rows)
    fail(Code::InvalidArgument, "a matrix of shape ", a, " and a right side of shape ", b,
         " differ in rows");
  const PartialShape a_batch = without_last(a, 2), b_batch = without_last(b, 2);
  Dims out =
      (broadcasts ? broadcast_shapes(a_batch, b_batch) : a_batch.merged_with(b_batch)).dims();
  out.push_back(n < 0 ? rows : n);
  out.push_back(b[b.rank() - 1]);
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL Output matrix_product(const GradientContext& g, const Output& a, const Output& b,
                                  bool adj_a, bool adj_b) {
  return g.add<ops::BatchMatMulV2>(a, b, "adj_x", adj_a, "adj_y", adj_b);
}

// A number for each matrix, times the matrices.
DGRAPH_DECL Output by_matrices(const GradientContext& g, const Output& each,
                               const Output& matrices) {
  const Output last = shapes::integer(g, -1);
  return g.add<ops::Mul>(g.add<ops::ExpandDims>(g.add<ops::ExpandDims>(each, last), last),
                         matrices);
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Cholesky::shape(ShapeContext& c) {
  c.set_output(0, detail::square_matrices(c, 0));
}
// I. Murray, "Differentiation of the Cholesky decomposition", 2016: with P the lower triangle of
// l^H dl, its diagonal halved, the gradient is the hermitian part of l^-H P l^-1.
DGRAPH_DECL void Cholesky::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output l = g.y(), all = shapes::integer(g, -1, DType::Int64),
               none = shapes::integer(g, 0, DType::Int64);
  const Output one =
      g.add<MatrixSetDiag>(g.add<ZerosLike>(l), g.add<OnesLike>(g.add<MatrixDiagPart>(l)));
  const Output inverse = g.add<MatrixTriangularSolve>(l, one, "lower", true);
  const Output product = detail::matrix_product(g, l, g.dy(), true, false);
  const Output halved = g.add<Mul>(g.add<MatrixDiagPart>(product), rules::number(g, l, 0.5));
  const Output lower = g.add<MatrixBandPart>(g.add<MatrixSetDiag>(product, halved), all, none);
  const Output left = detail::matrix_product(
      g, detail::matrix_product(g, inverse, lower, true, false), inverse, false, false);
  const Output right = detail::matrix_product(
      g, detail::matrix_product(g, lower, inverse, false, false), inverse, true, false);
  g.set(0, g.add<Mul>(g.add<AddV2>(left, right), rules::number(g, l, 0.5)));
}
DGRAPH_DECL void CholeskyGrad::shape(ShapeContext& c) {
  c.set_output(0, detail::square_matrices(c, 0).merged_with(c.input(1)));
}

DGRAPH_DECL void MatrixDeterminant::shape(ShapeContext& c) { detail::determinant_shape(c); }
DGRAPH_DECL void MatrixDeterminant::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output inverse = g.add<MatrixInverse>(g.x(0), "adjoint", true);
  g.set(0, detail::by_matrices(g, g.add<Mul>(g.dy(), rules::conj(g, g.y())), inverse));
}
DGRAPH_DECL void LogMatrixDeterminant::shape(ShapeContext& c) { detail::determinant_shape(c); }
DGRAPH_DECL void LogMatrixDeterminant::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const bool complex = is_complex(g.x(0).dtype());
  Output each;
  if (g.has_dy(1)) {
    each = g.dy(1);
    if (complex)
      each = g.add<Mul>(g.add<AddV2>(each, g.add<Conj>(each)), rules::number(g, each, 0.5));
  }
  // A sign of real matrices does not change; a phase moves with the imaginary part of the logarithm.
  if (g.has_dy(0) && complex) {
    const Output along = g.add<Mul>(g.add<Conj>(g.dy(0)), g.y(0));
    const Output turn =
        g.add<Mul>(g.add<Sub>(g.add<Conj>(along), along), rules::number(g, along, 0.5));
    each = each ? g.add<AddV2>(each, turn) : turn;
  }
  if (each)
    g.set(0, detail::by_matrices(g, each, g.add<MatrixInverse>(g.x(0), "adjoint", true)));
}

DGRAPH_DECL void MatrixInverse::shape(ShapeContext& c) {
  c.set_output(0, detail::square_matrices(c, 0));
}
DGRAPH_DECL void MatrixInverse::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output y = g.y(), dy = g.dy();
  // Of y = x^-1: -y^H dy y^H; of its adjoint: -y dy^H y.
  const bool adjoint = g.attr<bool>("adjoint");
  const Output inner = detail::matrix_product(g, dy, y, adjoint, !adjoint);
  g.set(0, g.add<Neg>(detail::matrix_product(g, y, inner, !adjoint, false)));
}

DGRAPH_DECL void MatrixSolve::shape(ShapeContext& c) { detail::solution_shape(c, false); }
DGRAPH_DECL void MatrixSolve::gradient(GradientContext& g) {
  const bool adjoint = g.attr<bool>("adjoint");
  const Output x = g.y();
  const Output db = g.add<MatrixSolve>(g.x(0), g.dy(), "adjoint", !adjoint);
  if (g.needs(1)) g.set(1, db);
  if (g.needs(0))
    g.set(0,
          g.add<Neg>(detail::matrix_product(g, adjoint ? x : db, adjoint ? db : x, false, true)));
}

DGRAPH_DECL void MatrixTriangularSolve::shape(ShapeContext& c) { detail::solution_shape(c, true); }
DGRAPH_DECL void MatrixTriangularSolve::gradient(GradientContext& g) {
  const bool adjoint = g.attr<bool>("adjoint"), lower = g.attr<bool>("lower");
  const Output x = g.y();
  const Output db =
      g.add<MatrixTriangularSolve>(g.x(0), g.dy(), "lower", lower, "adjoint", !adjoint);
  rules::Unbroadcast to(g, 2);
  if (g.needs(1)) g.set(1, to(1, db));
  if (!g.needs(0)) return;
  const Output da =
      g.add<Neg>(detail::matrix_product(g, adjoint ? x : db, adjoint ? db : x, false, true));
  const auto diagonals = [&](bool all) { return shapes::integer(g, all ? -1 : 0, DType::Int64); };
  g.set(0, to(0, g.add<MatrixBandPart>(da, diagonals(lower), diagonals(!lower))));
}

}  // namespace ops
}  // namespace dgraph
