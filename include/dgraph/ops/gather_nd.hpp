#pragma once
// Slices by index vectors: GatherNd, ScatterNd, TensorScatterUpdate, TensorScatterAdd, ...

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The last dimension of `indices`, of length k, names slices params[i1, ..., ik]: shape
/// indices.shape[:-1] + params.shape[k:]. InvalidArgument for an index out of range, unless
/// bad_indices_policy is IGNORE, which gives zeros there.
struct GatherNd {
  static constexpr auto signature =
      "GatherNd(params: Tparams, indices: Tindices) -> (output: Tparams); Tparams: type; Tindices: "
      "{int16, int32, int64}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros of shape `shape` to which each of the updates is added where its index vector names a slice.
struct ScatterNd {
  static constexpr auto signature =
      "ScatterNd(indices: Tindices, updates: T, shape: Tindices) -> (output: T); T: type; "
      "Tindices: "
      "{int16, int32, int64}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The tensor with the updates in place of the slices that the index vectors name; of several for one
/// slice the last stays.
struct TensorScatterUpdate {
  static constexpr auto signature =
      "TensorScatterUpdate(tensor: T, indices: Tindices, updates: T) -> (output: T); T: type; "
      "Tindices: {int16, int32, int64, uint16}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', "
      "'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same, but slices and updates are added, subtracted, or the lesser or greater element stays.
struct TensorScatterAdd {
  static constexpr auto signature =
      "TensorScatterAdd(tensor: T, indices: Tindices, updates: T) -> (output: T); T: type; "
      "Tindices: "
      "{index}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct TensorScatterSub {
  static constexpr auto signature =
      "TensorScatterSub(tensor: T, indices: Tindices, updates: T) -> (output: T); T: type; "
      "Tindices: "
      "{index}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct TensorScatterMin {
  static constexpr auto signature =
      "TensorScatterMin(tensor: T, indices: Tindices, updates: T) -> (output: T); T: type; "
      "Tindices: "
      "{index}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct TensorScatterMax {
  static constexpr auto signature =
      "TensorScatterMax(tensor: T, indices: Tindices, updates: T) -> (output: T); T: type; "
      "Tindices: "
      "{index}; bad_indices_policy: {'', 'DEFAULT', 'ERROR', 'IGNORE'} = ''";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

template <class OpType, class X, class I, class U>
Op<element_of<X>> tensor_scatter(X& tensor, I& indices, U& updates, const OpName& name) {
  using T = element_of<X>;
  GraphCore* const core = core_of(tensor, indices, updates);
  const Output to = as_output<T>(tensor, name.location, core);
  const Output at = as_output<element_of<I>>(indices, name.location, core);
  return Op<T>(add_op<OpType>(name, to, at, as_output<T>(updates, name.location, core)));
}

}  // namespace detail

/// The slices params[i1, ..., ik] that the vectors in the last dimension of `indices` (int16, int32 or
/// int64) name: shape indices.shape[:-1] + params.shape[k:].
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> gather_nd(X&& params, I&& indices, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(params, indices);
  const Output from = detail::as_output<T>(params, name.location, core);
  return Op<T>(add_op<ops::GatherNd>(
      name, from, detail::as_output<element_of<I>>(indices, name.location, core)));
}

/// Zeros of that shape to which each of the updates is added where its index vector (int32 or int64)
/// names a slice.
template <AnyOperand I, AnyOperand X>
Op<element_of<X>> scatter_nd(I&& indices, X&& updates, const IntegersArg& shape, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(indices, updates);
  const Output at = detail::as_output<element_of<I>>(indices, name.location, core);
  const Output values = detail::as_output<T>(updates, name.location, core);
  return Op<T>(add_op<ops::ScatterNd>(
      name, at, values, shape.node(dtype_of<element_of<I>>, name.location, at.core())));
}

/// The tensor with the updates in place of the slices that the index vectors name.
template <AnyOperand X, AnyOperand I, AnyOperand U>
Op<element_of<X>> tensor_scatter_update(X&& tensor, I&& indices, U&& updates, OpName name = {}) {
  return detail::tensor_scatter<ops::TensorScatterUpdate>(tensor, indices, updates, name);
}
/// The same with the updates added to what is there, subtracted from it, or the lesser or greater kept.
template <AnyOperand X, AnyOperand I, AnyOperand U>
Op<element_of<X>> tensor_scatter_add(X&& tensor, I&& indices, U&& updates, OpName name = {}) {
  return detail::tensor_scatter<ops::TensorScatterAdd>(tensor, indices, updates, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand U>
Op<element_of<X>> tensor_scatter_sub(X&& tensor, I&& indices, U&& updates, OpName name = {}) {
  return detail::tensor_scatter<ops::TensorScatterSub>(tensor, indices, updates, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand U>
Op<element_of<X>> tensor_scatter_min(X&& tensor, I&& indices, U&& updates, OpName name = {}) {
  return detail::tensor_scatter<ops::TensorScatterMin>(tensor, indices, updates, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand U>
Op<element_of<X>> tensor_scatter_max(X&& tensor, I&& indices, U&& updates, OpName name = {}) {
  return detail::tensor_scatter<ops::TensorScatterMax>(tensor, indices, updates, name);
}

using GatherNdOps =
    OpSet<ops::GatherNd, ops::ScatterNd, ops::TensorScatterUpdate, ops::TensorScatterAdd,
          ops::TensorScatterSub, ops::TensorScatterMin, ops::TensorScatterMax>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/gather_nd.ipp>
#endif
