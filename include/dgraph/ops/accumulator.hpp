#pragma once
// The ops of accumulators: gradients of many steps, added up until somebody takes their mean (D7).

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace detail {

void scalar_output_shape(ShapeContext& c);
/// Of input i, a scalar.
void scalar_input_shape(ShapeContext& c);
void take_gradient_shape(ShapeContext& c);
void sparse_take_gradient_shape(ShapeContext& c);
void sparse_apply_gradient_shape(ShapeContext& c);

}  // namespace detail

namespace ops {

/// A handle of an accumulator of gradients of that dtype and shape, made where there is none of that (container, shared_name); one
/// without a shared_name belongs to its session. It counts the takes in a step of its own, 0 at first.
struct ConditionalAccumulator {
  static constexpr auto signature =
      "ConditionalAccumulator() -> (handle: Ref(string)); dtype: {number}; shape: shape; "
      "container: string = ''; "
      "shared_name: string = ''; reduction_type: {'MEAN', 'SUM'} = 'MEAN'; stateful";
  static void shape(ShapeContext& c) { detail::scalar_output_shape(c); }
};

struct ResourceConditionalAccumulator {
  static constexpr auto signature =
      "ResourceConditionalAccumulator() -> (handle: resource); dtype: {number}; shape: shape; "
      "container: string = ''; "
      "shared_name: string = ''; reduction_type: {'MEAN', 'SUM'} = 'MEAN'; stateful";
  static void shape(ShapeContext& c) { detail::scalar_output_shape(c); }
};

/// Adds a gradient, unless local_step is below the accumulator's step: then it is dropped.
struct AccumulatorApplyGradient {
  static constexpr auto signature =
      "AccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient: dtype) -> (); "
      "dtype: {number}; stateful";
  static void shape(ShapeContext& c) { detail::scalar_input_shape(c); }
};

struct ResourceAccumulatorApplyGradient {
  static constexpr auto signature =
      "ResourceAccumulatorApplyGradient(handle: resource, local_step: int64, gradient: dtype) -> "
      "(); dtype: {number}; "
      "stateful";
  static void shape(ShapeContext& c) { detail::scalar_input_shape(c); }
};

/// How many gradients have been added since the last take.
struct AccumulatorNumAccumulated {
  static constexpr auto signature =
      "AccumulatorNumAccumulated(handle: Ref(string)) -> (num_accumulated: int32); stateful";
  static void shape(ShapeContext& c) { detail::scalar_output_shape(c); }
};

struct ResourceAccumulatorNumAccumulated {
  static constexpr auto signature =
      "ResourceAccumulatorNumAccumulated(handle: resource) -> (num_accumulated: int32); stateful";
  static void shape(ShapeContext& c) { detail::scalar_output_shape(c); }
};

/// Sets the accumulator's step.
struct AccumulatorSetGlobalStep {
  static constexpr auto signature =
      "AccumulatorSetGlobalStep(handle: Ref(string), new_global_step: int64) -> (); stateful";
  static void shape(ShapeContext& c) { detail::scalar_input_shape(c); }
};

struct ResourceAccumulatorSetGlobalStep {
  static constexpr auto signature =
      "ResourceAccumulatorSetGlobalStep(handle: resource, new_global_step: int64) -> (); stateful";
  static void shape(ShapeContext& c) { detail::scalar_input_shape(c); }
};

/// The mean (or sum) of all gradients that are there, once these are num_required or more; waits for them. The accumulator is empty
/// then, and its step one higher.
struct AccumulatorTakeGradient {
  static constexpr auto signature =
      "AccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> (average: dtype); "
      "dtype: {number}; stateful";
  static void shape(ShapeContext& c) { detail::take_gradient_shape(c); }
};

struct ResourceAccumulatorTakeGradient {
  static constexpr auto signature =
      "ResourceAccumulatorTakeGradient(handle: resource, num_required: int32) -> (average: dtype); "
      "dtype: {number}; "
      "stateful";
  static void shape(ShapeContext& c) { detail::take_gradient_shape(c); }
};

/// The same for gradients of some rows.
struct SparseConditionalAccumulator {
  static constexpr auto signature =
      "SparseConditionalAccumulator() -> (handle: Ref(string)); dtype: {number}; shape: shape; "
      "container: string = ''; "
      "shared_name: string = ''; reduction_type: {'MEAN', 'SUM'} = 'MEAN'; stateful";
  static void shape(ShapeContext& c) { detail::scalar_output_shape(c); }
};

/// Adds rows: gradient_values[k] belongs to row gradient_indices[k]; gradient_shape, of the whole, counts if has_known_shape.
struct SparseAccumulatorApplyGradient {
  static constexpr auto signature =
      "SparseAccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient_indices: "
      "int64, "
      "gradient_values: dtype, gradient_shape: int64) -> (); dtype: {number}; has_known_shape: "
      "bool; stateful";
  static void shape(ShapeContext& c) { detail::sparse_apply_gradient_shape(c); }
};

/// The rows that are there, each divided by how many gradients had it.
struct SparseAccumulatorTakeGradient {
  static constexpr auto signature =
      "SparseAccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> (indices: int64, "
      "values: dtype, "
      "shape: int64); dtype: {number}; stateful";
  static void shape(ShapeContext& c) { detail::sparse_take_gradient_shape(c); }
};

}  // namespace ops

using AccumulatorOps = OpSet<ops::ConditionalAccumulator, ops::ResourceConditionalAccumulator,
                             ops::AccumulatorApplyGradient, ops::ResourceAccumulatorApplyGradient,
                             ops::AccumulatorNumAccumulated, ops::ResourceAccumulatorNumAccumulated,
                             ops::AccumulatorSetGlobalStep, ops::ResourceAccumulatorSetGlobalStep,
                             ops::AccumulatorTakeGradient, ops::ResourceAccumulatorTakeGradient,
                             ops::SparseConditionalAccumulator, ops::SparseAccumulatorApplyGradient,
                             ops::SparseAccumulatorTakeGradient>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/accumulator.ipp>
#endif
