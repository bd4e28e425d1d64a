#pragma once
// Rows by index: Gather, GatherV2, OneHot.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Rows `indices` of params: shape indices.shape + params.shape[1:]. InvalidArgument for an index out of range, naming index,
/// position and bound.
struct Gather {
  static constexpr auto signature =
      "Gather(params: Tparams, indices: Tindices) -> (output: Tparams); validate_indices: bool = "
      "true; Tparams: type; "
      "Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Slices `indices` of params along `axis`; the first `batch_dims` dimensions of both go together.
struct GatherV2 {
  static constexpr auto signature =
      "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams); batch_dims: "
      "int = 0; "
      "Tparams: type; Tindices: {int16, int32, int64}; Taxis: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A new dimension of length `depth` at `axis` (-1: last), on_value where it equals the index, off_value elsewhere.
struct OneHot {
  static constexpr auto signature =
      "OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> (output: T); axis: int = "
      "-1; T: type; "
      "TI: {uint8, int8, int32, int64} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

}  // namespace ops

/// Slices `indices` (int32 or int64) of params along an axis: for axis 0 rows, shape indices.shape + params.shape[1:]. The first
/// `batch_dims` dimensions of both go together. Its gradient for axis 0 is IndexedSlices, never dense.
template <AnyOperand X, AnyOperand I>
Op<element_of<X>> gather(X&& params, I&& indices, std::int64_t axis = 0,
                         std::int64_t batch_dims = 0, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(params, indices);
  const Output from = detail::as_output<T>(params, name.location, core);
  const Output rows = detail::as_output<element_of<I>>(indices, name.location, core);
  return Op<T>(add_op<ops::GatherV2>(name, from, rows,
                                     detail::axis_constant(from, axis, name.location), "batch_dims",
                                     batch_dims));
}

/// 1 where the new dimension `axis` (-1: last, of length depth) equals the index, 0 elsewhere: `one_hot<float>(labels, 10)`.
template <Element T = float, AnyOperand I>
Op<T> one_hot(I&& indices, std::int32_t depth, std::type_identity_t<T> on_value = T(1),
              std::type_identity_t<T> off_value = T(0), std::int64_t axis = -1, OpName name = {}) {
  const Output at = detail::as_output<element_of<I>>(indices, name.location, nullptr);
  const auto scalar = [&](Tensor value) {
    return detail::add_constant(std::move(value), OpName(name.location), at.core());
  };
  const Output length = scalar(Tensor::scalar(depth));
  const Output on = scalar(Tensor::scalar<T>(std::move(on_value))),
               off = scalar(Tensor::scalar<T>(std::move(off_value)));
  return Op<T>(add_op<ops::OneHot>(name, at, length, on, off, "axis", axis));
}

using GatherOps = OpSet<ops::Gather, ops::GatherV2, ops::OneHot>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/gather.ipp>
#endif
