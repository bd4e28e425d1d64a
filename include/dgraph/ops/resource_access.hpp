#pragma once
// Variables by their handles: rows and slices read or changed, as ops/variable_scatter.hpp does it, and what is asked of a handle.

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/variable_scatter.hpp>

namespace dgraph {
namespace ops {

/// Rows `indices` of the variable, read under its lock: shape indices.shape + variable.shape[1:]; the first batch_dims dimensions
/// of both go together. InvalidArgument for an index out of range, naming index, position and bound. Its gradient is IndexedSlices.
struct ResourceGather {
  static constexpr auto signature =
      "ResourceGather(resource: resource, indices: Tindices) -> (output: dtype); batch_dims: int = "
      "0; "
      "validate_indices: bool = true; dtype: type; Tindices: {index}; stateful";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The shape of the variable's value: a vector. FailedPrecondition where it has none.
struct VariableShape {
  static constexpr auto signature =
      "VariableShape(input: resource) -> (output: out_type); out_type: {index} = int32; stateful";
  static void shape(ShapeContext& c);
};

/// As ScatterUpdate.
struct ResourceScatterUpdate {
  static constexpr auto signature =
      "ResourceScatterUpdate(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "type; "
      "Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterAdd.
struct ResourceScatterAdd {
  static constexpr auto signature =
      "ResourceScatterAdd(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{number}; "
      "Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterSub.
struct ResourceScatterSub {
  static constexpr auto signature =
      "ResourceScatterSub(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{number}; "
      "Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterMul.
struct ResourceScatterMul {
  static constexpr auto signature =
      "ResourceScatterMul(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{number}; "
      "Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterDiv.
struct ResourceScatterDiv {
  static constexpr auto signature =
      "ResourceScatterDiv(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{number}; "
      "Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterMin.
struct ResourceScatterMin {
  static constexpr auto signature =
      "ResourceScatterMin(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{float16, "
      "bfloat16, float32, float64, int32, int64}; Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterMax.
struct ResourceScatterMax {
  static constexpr auto signature =
      "ResourceScatterMax(resource: resource, indices: Tindices, updates: dtype) -> (); dtype: "
      "{float16, "
      "bfloat16, float32, float64, int32, int64}; Tindices: {index}; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// As ScatterNdUpdate.
struct ResourceScatterNdUpdate {
  static constexpr auto signature =
      "ResourceScatterNdUpdate(ref: resource, indices: Tindices, updates: T) -> (); T: type; "
      "Tindices: "
      "{index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// As ScatterNdAdd.
struct ResourceScatterNdAdd {
  static constexpr auto signature =
      "ResourceScatterNdAdd(ref: resource, indices: Tindices, updates: T) -> (); T: {number}; "
      "Tindices: "
      "{index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// As ScatterNdSub.
struct ResourceScatterNdSub {
  static constexpr auto signature =
      "ResourceScatterNdSub(ref: resource, indices: Tindices, updates: T) -> (); T: {number}; "
      "Tindices: "
      "{index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// As ScatterNdMin.
struct ResourceScatterNdMin {
  static constexpr auto signature =
      "ResourceScatterNdMin(ref: resource, indices: Tindices, updates: T) -> (); T: {number}; "
      "Tindices: "
      "{index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// As ScatterNdMax.
struct ResourceScatterNdMax {
  static constexpr auto signature =
      "ResourceScatterNdMax(ref: resource, indices: Tindices, updates: T) -> (); T: {number}; "
      "Tindices: "
      "{index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

}  // namespace ops

using ResourceAccessOps =
    OpSet<ops::ResourceGather, ops::VariableShape, ops::ResourceScatterUpdate,
          ops::ResourceScatterAdd, ops::ResourceScatterSub, ops::ResourceScatterMul,
          ops::ResourceScatterDiv, ops::ResourceScatterMin, ops::ResourceScatterMax,
          ops::ResourceScatterNdUpdate, ops::ResourceScatterNdAdd, ops::ResourceScatterNdSub,
          ops::ResourceScatterNdMin, ops::ResourceScatterNdMax>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/resource_access.ipp>
#endif
