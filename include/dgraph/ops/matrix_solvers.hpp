#pragma once
// Linear algebra on square matrices: factors, inverses, determinants, solutions of equations.

#include <utility>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
/// "Matrices" are the last two dimensions of a tensor of rank 2 or more. InvalidArgument for ones that
/// are not square, and for singular ones where an inverse is needed.
namespace ops {

/// The lower triangular matrices whose product with their adjoints are the inputs, of which only the
/// lower triangle is read. InvalidArgument for a matrix that is not positive definite. Its gradient is
/// that of a symmetric (hermitian) matrix.
struct Cholesky {
  static constexpr auto signature =
      "Cholesky(input: T) -> (output: T); T: {float16, float32, float64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of Cholesky from its result l.
struct CholeskyGrad {
  static constexpr auto signature =
      "CholeskyGrad(l: T, grad: T) -> (output: T); T: {float16, float32, float64}";
  static void shape(ShapeContext& c);
};

/// The determinants of matrices.
struct MatrixDeterminant {
  static constexpr auto signature =
      "MatrixDeterminant(input: T) -> (output: T); T: {float16, float32, float64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Sign (of complex matrices: phase) of the determinants and the logarithms of their absolute values.
struct LogMatrixDeterminant {
  static constexpr auto signature =
      "LogMatrixDeterminant(input: T) -> (sign: T, log_abs_determinant: T); "
      "T: {float16, float32, float64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverses of matrices, or of their adjoints.
struct MatrixInverse {
  static constexpr auto signature =
      "MatrixInverse(input: T) -> (output: T); adjoint: bool = false; "
      "T: {float16, float32, float64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The x with matrix * x = rhs, or the adjoint of matrix * x = rhs; leading dimensions of both agree.
struct MatrixSolve {
  static constexpr auto signature =
      "MatrixSolve(matrix: T, rhs: T) -> (output: T); adjoint: bool = false; "
      "T: {float16, float32, float64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same where matrix is triangular: only that triangle of it is read. Leading dimensions are
/// broadcast together; a zero on the diagonal gives infinities.
struct MatrixTriangularSolve {
  static constexpr auto signature =
      "MatrixTriangularSolve(matrix: T, rhs: T) -> (output: T); lower: bool = true; "
      "adjoint: bool = false; T: {floating, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// The lower triangular factors of positive definite matrices, of which only the lower triangle is read.
template <AnyOperand X>
Op<element_of<X>> cholesky(X&& x, OpName name = {}) {
  return detail::unary<ops::Cholesky, element_of<X>>(name, x);
}
/// The determinants of matrices.
template <AnyOperand X>
Op<element_of<X>> matrix_determinant(X&& x, OpName name = {}) {
  return detail::unary<ops::MatrixDeterminant, element_of<X>>(name, x);
}
/// Their signs and the logarithms of their absolute values: `auto [sign, log] = log_matrix_determinant(x);`
template <AnyOperand X>
std::pair<Op<element_of<X>>, Op<element_of<X>>> log_matrix_determinant(X&& x, OpName name = {}) {
  using T = element_of<X>;
  const Output node =
      add_op<ops::LogMatrixDeterminant>(name, detail::as_output<T>(x, name.location, nullptr));
  return {Op<T>(node), Op<T>(Output(node.core(), node.node_id(), 1))};
}
/// The inverses of matrices, or of their adjoints.
template <AnyOperand X>
Op<element_of<X>> matrix_inverse(X&& x, bool adjoint = false, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::MatrixInverse>(name, value, "adjoint", adjoint));
}
/// The x with matrix * x = rhs, or with the adjoint of matrix.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> matrix_solve(A&& matrix, B&& rhs, bool adjoint = false, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(matrix, rhs);
  const Output a = detail::as_output<T>(matrix, name.location, core);
  const Output b = detail::as_output<T>(rhs, name.location, core);
  return Op<T>(add_op<ops::MatrixSolve>(name, a, b, "adjoint", adjoint));
}
/// The same for a triangular matrix, of which only that triangle is read.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> matrix_triangular_solve(A&& matrix, B&& rhs, bool lower = true,
                                                 bool adjoint = false, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(matrix, rhs);
  const Output a = detail::as_output<T>(matrix, name.location, core);
  const Output b = detail::as_output<T>(rhs, name.location, core);
  return Op<T>(add_op<ops::MatrixTriangularSolve>(name, a, b, "lower", lower, "adjoint", adjoint));
}

using MatrixSolverOps =
    OpSet<ops::Cholesky, ops::CholeskyGrad, ops::MatrixDeterminant, ops::LogMatrixDeterminant,
          ops::MatrixInverse, ops::MatrixSolve, ops::MatrixTriangularSolve>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/matrix_solvers.ipp>
#endif
