#pragma once
// Parts of matrices: diagonals and bands, of matrices and stacks of them.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {
/// "Matrices" are the last two dimensions of a tensor of rank 2 or more.
namespace ops {

/// Matrices with zeros below the num_lower-th subdiagonal and above the num_upper-th superdiagonal; a
/// negative number keeps all. InvalidArgument for more diagonals than there are.
struct MatrixBandPart {
  static constexpr auto signature =
      "MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> (band: T); T: type; "
      "Tindex: {index} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Square matrices with the last dimension on their diagonals and zeros elsewhere.
struct MatrixDiag {
  static constexpr auto signature = "MatrixDiag(diagonal: T) -> (output: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The diagonals of matrices, as long as the shorter side.
struct MatrixDiagPart {
  static constexpr auto signature = "MatrixDiagPart(input: T) -> (diagonal: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Matrices with other diagonals.
struct MatrixSetDiag {
  static constexpr auto signature = "MatrixSetDiag(input: T, diagonal: T) -> (output: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A tensor of shape s + s for one of shape s: output[i, i] = diagonal[i] for all positions i, zeros
/// elsewhere.
struct Diag {
  static constexpr auto signature =
      "Diag(diagonal: T) -> (output: T); T: {floating, int32, int64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverse of Diag; InvalidArgument for a shape that is not s + s.
struct DiagPart {
  static constexpr auto signature =
      "DiagPart(input: T) -> (diagonal: T); T: {floating, int32, int64, complex}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// x with zeros outside a band around the diagonals of its matrices: `lower` subdiagonals and `upper`
/// superdiagonals stay; -1: all of them.
template <AnyOperand X>
Op<element_of<X>> matrix_band_part(X&& x, const ValueArg<std::int64_t>& lower,
                                   const ValueArg<std::int64_t>& upper, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const Output below = lower.node(name.location, value.core());
  return Op<T>(
      add_op<ops::MatrixBandPart>(name, value, below, upper.node(name.location, value.core())));
}

/// Matrices with the last dimension of x on their diagonals; the diagonals of matrices; tensors of shape
/// s + s with x, of shape s, on their diagonal, and the part of them.
/// @{
template <AnyOperand X>
Op<element_of<X>> matrix_diag(X&& x, OpName name = {}) {
  return detail::unary<ops::MatrixDiag, element_of<X>>(name, x);
}
template <AnyOperand X>
Op<element_of<X>> matrix_diag_part(X&& x, OpName name = {}) {
  return detail::unary<ops::MatrixDiagPart, element_of<X>>(name, x);
}
template <AnyOperand X>
Op<element_of<X>> diag(X&& x, OpName name = {}) {
  return detail::unary<ops::Diag, element_of<X>>(name, x);
}
template <AnyOperand X>
Op<element_of<X>> diag_part(X&& x, OpName name = {}) {
  return detail::unary<ops::DiagPart, element_of<X>>(name, x);
}
/// @}

/// The matrices x with other diagonals.
template <AnyOperand X, AnyOperand D>
Op<common_element<X, D>> matrix_set_diag(X&& x, D&& diagonal, OpName name = {}) {
  return detail::binary<ops::MatrixSetDiag, common_element<X, D>>(name, x, diagonal);
}

namespace detail {
Output matrix_transpose(const Output& x, bool conjugate, const OpName& name);
Output add_eye(const Dims& batch, std::int64_t rows, std::int64_t columns, DType dtype,
               const OpName& name);
}  // namespace detail

/// x with its last two dimensions exchanged. Throws InvalidArgument for an unknown rank or one below 2.
template <AnyOperand X>
Op<element_of<X>> matrix_transpose(X&& x, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(
      detail::matrix_transpose(detail::as_output<T>(x, name.location, nullptr), false, name));
}
/// The same, and complex numbers conjugated.
template <AnyOperand X>
Op<element_of<X>> adjoint(X&& x, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(
      detail::matrix_transpose(detail::as_output<T>(x, name.location, nullptr), true, name));
}

/// Matrices with ones on their diagonals: `eye<float>(3)`, `eye<float>(2, 3)`, `eye<float>(3, 3, {2})`.
template <Element T = float>
Op<T> eye(std::int64_t rows, std::int64_t columns, const Dims& batch = {}, OpName name = {}) {
  return Op<T>(detail::add_eye(batch, rows, columns, dtype_of<T>, name));
}
template <Element T = float>
Op<T> eye(std::int64_t rows, OpName name = {}) {
  return eye<T>(rows, rows, {}, name);
}

using MatrixPartOps = OpSet<ops::MatrixBandPart, ops::MatrixDiag, ops::MatrixDiagPart,
                            ops::MatrixSetDiag, ops::Diag, ops::DiagPart>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/matrix_parts.ipp>
#endif
