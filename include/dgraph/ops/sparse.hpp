#pragma once
// Sparse tensors as indices, values and shape: SparseToDense, SparseTensorDenseMatMul, lookups of many ids a row.

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// A tensor of shape output_shape: default_value but for the places that the rows of sparse_indices
/// name. The indices are a matrix, a vector of places in a vector, or one such place; the values one for
/// each, or one for all. InvalidArgument for an index out of range and, with validate_indices, for rows
/// that are not in order or repeat.
struct SparseToDense {
  static constexpr auto signature =
      "SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, "
      "default_value: T) -> (dense: T); validate_indices: bool = true; T: type; Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The product of a sparse matrix of shape a_shape, whose values lie at the rows of a_indices [n, 2], and
/// the matrix b; either is transposed and conjugated first where adjoint_a or adjoint_b says so. Indices
/// may repeat: their values add up.
struct SparseTensorDenseMatMul {
  static constexpr auto signature =
      "SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T) -> "
      "(product: "
      "T); T: type; Tindices: {index} = int64; adjoint_a: bool = false; adjoint_b: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// A tensor that is zero but for `values[i]` at `indices[i]`.
template <Element T>
struct SparseTensor {
  using value_type = T;
  Op<std::int64_t> indices;      ///< [n, rank]
  Op<T> values;                  ///< [n]
  Op<std::int64_t> dense_shape;  ///< [rank]
};

namespace detail {
Output embedding_lookup_sparse(const Output& params, const Output& indices, const Output& ids,
                               const Output& weights, std::string_view combiner,
                               const OpName& name);
}  // namespace detail

/// A tensor of that shape: `default_value` but for the values at the places that the indices (int32 or
/// int64) name: see ops::SparseToDense.
template <AnyOperand I, AnyOperand V>
Op<element_of<V>> sparse_to_dense(I&& indices, const IntegersArg& shape, V&& values,
                                  std::type_identity_t<element_of<V>> default_value = {},
                                  bool validate_indices = true, OpName name = {}) {
  using T = element_of<V>;
  GraphCore* const core = detail::core_of(indices, values);
  const Output at = detail::as_output<element_of<I>>(indices, name.location, core);
  const Output dims = shape.node(dtype_of<element_of<I>>, name.location, at.core());
  const Output given = detail::as_output<T>(values, name.location, core);
  const Output rest = detail::add_constant(Tensor::scalar<T>(std::move(default_value)),
                                           OpName(name.location), at.core());
  return Op<T>(add_op<ops::SparseToDense>(name, at, dims, given, rest, "validate_indices",
                                          validate_indices));
}

/// The same of a SparseTensor.
template <Element T>
Op<T> sparse_tensor_to_dense(const SparseTensor<T>& x, std::type_identity_t<T> default_value = {},
                             bool validate_indices = true, OpName name = {}) {
  const Output rest = detail::add_constant(Tensor::scalar<T>(std::move(default_value)),
                                           OpName(name.location), x.values.core());
  return Op<T>(add_op<ops::SparseToDense>(name, Output(x.indices), Output(x.dense_shape),
                                          Output(x.values), rest, "validate_indices",
                                          validate_indices));
}

/// The product of a sparse matrix and a dense one; either is transposed (and conjugated) first where
/// asked.
template <Element T, AnyOperand B>
Op<T> sparse_tensor_dense_matmul(const SparseTensor<T>& a, B&& b, bool adjoint_a = false,
                                 bool adjoint_b = false, OpName name = {}) {
  const Output dense = detail::as_output<T>(b, name.location, a.values.core());
  return Op<T>(add_op<ops::SparseTensorDenseMatMul>(name, Output(a.indices), Output(a.values),
                                                    Output(a.dense_shape), dense, "adjoint_a",
                                                    adjoint_a, "adjoint_b", adjoint_b));
}

/// For each row of a sparse matrix of ids the rows of params that they name, combined: their "sum",
/// "mean", or the sum over the root of their number ("sqrtn"). Rows of ids are in order; the result has
/// as many rows as the last id's says. The gradient of params is sparse.
template <GraphValue P, Element I>
Op<element_of<P>> embedding_lookup_sparse(const P& params, const SparseTensor<I>& ids,
                                          std::string_view combiner = "mean", OpName name = {}) {
  using T = element_of<P>;
  const Output table = detail::as_output<T>(params, name.location, nullptr);
  return Op<T>(detail::embedding_lookup_sparse(table, ids.indices, ids.values, {}, combiner, name));
}
/// The same with a weight for each id, by which its row is multiplied: the "mean" is over the sum of the
/// weights, "sqrtn" over the root of the sum of their squares.
template <GraphValue P, Element I>
Op<element_of<P>> embedding_lookup_sparse(const P& params, const SparseTensor<I>& ids,
                                          const SparseTensor<element_of<P>>& weights,
                                          std::string_view combiner = "mean", OpName name = {}) {
  using T = element_of<P>;
  const Output table = detail::as_output<T>(params, name.location, nullptr);
  return Op<T>(detail::embedding_lookup_sparse(table, ids.indices, ids.values, weights.values,
                                               combiner, name));
}

using SparseOps = OpSet<ops::SparseToDense, ops::SparseTensorDenseMatMul>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/sparse.ipp>
#endif
