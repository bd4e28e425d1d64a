#pragma once
// The ops of variables: handles, reads and writes of state that outlives steps and sessions (D7).

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// A handle of the variable (container, shared_name or else the node's name), which is made where there is none.
struct VariableV2 {
  static constexpr auto signature =
      "VariableV2() -> (ref: Ref(dtype)); shape: shape; dtype: type; container: string = ''; shared_name: string = ''; "
      "stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};

/// The same, as old graphs have it: a shape of [] stands for an unknown one.
struct Variable {
  static constexpr auto signature =
      "Variable() -> (ref: Ref(dtype)); shape: shape; dtype: type; container: string = ''; shared_name: string = ''; "
      "stateful";
  static void shape(ShapeContext& c);
};

/// Whether the variable has a value: a bool scalar.
struct IsVariableInitialized {
  static constexpr auto signature =
      "IsVariableInitialized(ref: Ref(dtype)) -> (is_initialized: bool); dtype: type; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};

/// Gives the variable a value, of its own shape unless validate_shape is false.
struct Assign {
  static constexpr auto signature =
      "Assign(ref: Ref(T), value: T) -> (output_ref: Ref(T)); T: type; validate_shape: bool = true; "
      "use_locking: bool = true; stateful";
  static void shape(ShapeContext& c);
};

/// Adds `value`, of the variable's shape, to the variable.
struct AssignAdd {
  static constexpr auto signature =
      "AssignAdd(ref: Ref(T), value: T) -> (output_ref: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c);
};

/// Subtracts `value`, of the variable's shape, from the variable.
struct AssignSub {
  static constexpr auto signature =
      "AssignSub(ref: Ref(T), value: T) -> (output_ref: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c);
};

/// var -= alpha * delta; alpha is a scalar.
struct ApplyGradientDescent {
  static constexpr auto signature =
      "ApplyGradientDescent(var: Ref(T), alpha: T, delta: T) -> (out: Ref(T)); T: {number}; use_locking: bool = false; "
      "stateful";
  static void shape(ShapeContext& c);
};

/// The value of the variable, which then is one more. A value that has reached `limit` stays: OutOfRange.
struct CountUpTo {
  static constexpr auto signature =
      "CountUpTo(ref: Ref(T)) -> (output: T); limit: int; T: {index}; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank(0, 0)); }
};

/// A handle of a variable as a value of dtype resource; its shape here is that of the variable.
struct VarHandleOp {
  static constexpr auto signature =
      "VarHandleOp() -> (resource: resource); container: string = ''; shared_name: string = ''; "
      "debug_name: string = ''; dtype: type; shape: shape; allowed_devices: list(string) = []; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};

/// The value of the variable at this moment; later writes do not change it.
struct ReadVariableOp {
  static constexpr auto signature = "ReadVariableOp(resource: resource) -> (value: dtype); dtype: type; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Whether the variable has a value: a bool scalar.
struct VarIsInitializedOp {
  static constexpr auto signature = "VarIsInitializedOp(resource: resource) -> (is_initialized: bool); stateful";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};

/// Gives the variable a value.
struct AssignVariableOp {
  static constexpr auto signature =
      "AssignVariableOp(resource: resource, value: dtype) -> (); dtype: type; validate_shape: bool = false; stateful";
  static void shape(ShapeContext& c);
};

/// Adds `value` to the variable.
struct AssignAddVariableOp {
  static constexpr auto signature = "AssignAddVariableOp(resource: resource, value: dtype) -> (); dtype: type; stateful";
  static void shape(ShapeContext& c);
};

/// Subtracts `value` from the variable.
struct AssignSubVariableOp {
  static constexpr auto signature = "AssignSubVariableOp(resource: resource, value: dtype) -> (); dtype: type; stateful";
  static void shape(ShapeContext& c);
};

/// var -= alpha * delta; alpha is a scalar.
struct ResourceApplyGradientDescent {
  static constexpr auto signature =
      "ResourceApplyGradientDescent(var: resource, alpha: T, delta: T) -> (); T: {number}; use_locking: bool = false; "
      "stateful";
  static void shape(ShapeContext& c);
};

}  // namespace ops

using StateOps =
    OpSet<ops::VariableV2, ops::Variable, ops::IsVariableInitialized, ops::Assign, ops::AssignAdd, ops::AssignSub,
          ops::ApplyGradientDescent, ops::CountUpTo, ops::VarHandleOp,
          ops::ReadVariableOp, ops::VarIsInitializedOp, ops::AssignVariableOp, ops::AssignAddVariableOp,
          ops::AssignSubVariableOp, ops::ResourceApplyGradientDescent>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/state.ipp>
#endif
