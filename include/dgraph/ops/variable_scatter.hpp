#pragma once
// Writes of rows, or of slices anywhere, into a variable.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace shapes {

/// updates has shape indices.shape + ref.shape[1:], or is a scalar.
void scatter_rows(ShapeContext& c);
/// updates has shape indices.shape[:-1] + ref.shape[indices.shape[-1]:].
void scatter_slices(ShapeContext& c);

}  // namespace shapes

/// In all: an index out of range is InvalidArgument, and nothing changes.
namespace ops {

/// Rows `indices` of the variable become those of `updates`: shape indices.shape + ref.shape[1:],
/// or a scalar.
struct ScatterUpdate {
  static constexpr auto signature =
      "ScatterUpdate(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: type; "
      "Tindices: {index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// Adds the rows of `updates` to rows `indices` of the variable; rows may repeat.
struct ScatterAdd {
  static constexpr auto signature =
      "ScatterAdd(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// Subtracts the rows of `updates` from rows `indices` of the variable; rows may repeat.
struct ScatterSub {
  static constexpr auto signature =
      "ScatterSub(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// Multiplies rows `indices` of the variable by the rows of `updates`; rows may repeat.
struct ScatterMul {
  static constexpr auto signature =
      "ScatterMul(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// Divides rows `indices` of the variable by the rows of `updates`; rows may repeat. Integers
/// truncate; a zero among them is InvalidArgument.
struct ScatterDiv {
  static constexpr auto signature =
      "ScatterDiv(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// The lesser of rows `indices` of the variable and the rows of `updates`; rows may repeat. A NaN
/// stays.
struct ScatterMin {
  static constexpr auto signature =
      "ScatterMin(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{float16, bfloat16, float32, float64, int32, int64}; Tindices: {index}; use_locking: bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// The greater of rows `indices` of the variable and the rows of `updates`; rows may repeat. A NaN
/// stays.
struct ScatterMax {
  static constexpr auto signature =
      "ScatterMax(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{float16, bfloat16, float32, float64, int32, int64}; Tindices: {index}; use_locking: bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_rows(c); }
};

/// Slices of the variable, each named by the last dimension of `indices` (a place in the first
/// dimensions of the variable), become those of `updates`: shape indices.shape[:-1] +
/// ref.shape[indices.shape[-1]:].
struct ScatterNdUpdate {
  static constexpr auto signature =
      "ScatterNdUpdate(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "type; Tindices: {index}; use_locking: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// Adds `updates` to the slices; they may repeat.
struct ScatterNdAdd {
  static constexpr auto signature =
      "ScatterNdAdd(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// Subtracts `updates` from the slices; they may repeat.
struct ScatterNdSub {
  static constexpr auto signature =
      "ScatterNdSub(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// The lesser of the slices and `updates`; they may repeat. A NaN stays.
struct ScatterNdMin {
  static constexpr auto signature =
      "ScatterNdMin(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

/// The greater of the slices and `updates`; they may repeat. A NaN stays.
struct ScatterNdMax {
  static constexpr auto signature =
      "ScatterNdMax(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T)); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::scatter_slices(c); }
};

}  // namespace ops

using VariableScatterOps =
    OpSet<ops::ScatterUpdate, ops::ScatterAdd, ops::ScatterSub, ops::ScatterMul, ops::ScatterDiv,
          ops::ScatterMin, ops::ScatterMax, ops::ScatterNdUpdate, ops::ScatterNdAdd,
          ops::ScatterNdSub, ops::ScatterNdMin, ops::ScatterNdMax>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/variable_scatter.ipp>
#endif
