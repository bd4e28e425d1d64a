#pragma once
// Matrix products: op structs with their rules, and the typed functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The product of two matrices, [m, k] times [k, n], either of them transposed first where asked. grad_a and grad_b are there
/// for TensorFlow's graphs and change nothing.
struct MatMul {
  static constexpr auto signature =
      "MatMul(a: T, b: T) -> (product: T); transpose_a: bool = false; transpose_b: bool = false; "
      "T: {floating, complex, int32, int64, uint8, uint16, uint32, uint64}; grad_a: bool = false; grad_b: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Products of the matrices in the last two dimensions, the leading ones the same; adj_x and adj_y
/// transpose and conjugate. grad_x and grad_y are there for TensorFlow's graphs and change nothing.
struct BatchMatMul {
  static constexpr auto signature =
      "BatchMatMul(x: T, y: T) -> (output: T); T: {floating, complex, int16, int32, int64}; "
      "adj_x: bool = false; adj_y: bool = false; grad_x: bool = false; grad_y: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Products of the matrices in the last two dimensions, the leading ones broadcast together; adj_x and adj_y transpose and
/// conjugate. grad_x and grad_y are there for TensorFlow's graphs and change nothing.
struct BatchMatMulV2 {
  static constexpr auto signature =
      "BatchMatMulV2(x: T, y: T) -> (output: T); "
      "T: {floating, complex, int16, int32, int64, uint8, uint16, uint32, uint64}; "
      "adj_x: bool = false; adj_y: bool = false; grad_x: bool = false; grad_y: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {
// MatMul for matrices, BatchMatMulV2 for stacks of them.
Output add_matmul(const OpName& name, Output a, Output b, bool transpose_a, bool transpose_b);
}  // namespace detail

/// What `matmul` does with its operands before it multiplies.
struct MatMulOptions {
  bool transpose_a = false;
  bool transpose_b = false;
};

/// a times b: matrices, or stacks of matrices (rank 3 and more) whose leading dimensions are broadcast together. Transposing a
/// stack transposes its last two dimensions. Throws InvalidArgument where the inner dimensions differ.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> matmul(A&& a, B&& b, const MatMulOptions& options, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(a, b);
  const Output x = detail::as_output<T>(a, name.location, core);
  const Output y = detail::as_output<T>(b, name.location, core);
  return Op<T>(detail::add_matmul(name, x, y, options.transpose_a, options.transpose_b));
}
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> matmul(A&& a, B&& b, OpName name = {}) {
  return matmul(a, b, MatMulOptions{}, name);
}

using LinalgOps = OpSet<ops::MatMul, ops::BatchMatMul, ops::BatchMatMulV2>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/linalg.ipp>
#endif
