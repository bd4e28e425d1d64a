#pragma once
// The update ops of optimizers on handles, as VarHandleOp gives them: those of ops/training.hpp, and no output.

#include <dgraph/ops/training.hpp>

namespace dgraph {
namespace ops {

/// As ApplyProximalGradientDescent.
struct ResourceApplyProximalGradientDescent {
  static constexpr auto signature =
      "ResourceApplyProximalGradientDescent(var: resource, alpha: T, l1: T, l2: T, delta: T) -> "
      "(); T: "
      "{number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyProximalGradientDescent.
struct ResourceSparseApplyProximalGradientDescent {
  static constexpr auto signature =
      "ResourceSparseApplyProximalGradientDescent(var: resource, alpha: T, l1: T, l2: T, grad: T, "
      "indices: "
      "Tindices) -> (); T: {number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdadelta.
struct ResourceApplyAdadelta {
  static constexpr auto signature =
      "ResourceApplyAdadelta(var: resource, accum: resource, accum_update: resource, lr: T, rho: "
      "T, epsilon: "
      "T, grad: T) -> (); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyAdadelta.
struct ResourceSparseApplyAdadelta {
  static constexpr auto signature =
      "ResourceSparseApplyAdadelta(var: resource, accum: resource, accum_update: resource, lr: T, "
      "rho: T, "
      "epsilon: T, grad: T, indices: Tindices) -> (); T: {number}; Tindices: {index}; use_locking: "
      "bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdagrad.
struct ResourceApplyAdagrad {
  static constexpr auto signature =
      "ResourceApplyAdagrad(var: resource, accum: resource, lr: T, grad: T) -> (); T: {number}; "
      "use_locking: "
      "bool = false; update_slots: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyAdagrad.
struct ResourceSparseApplyAdagrad {
  static constexpr auto signature =
      "ResourceSparseApplyAdagrad(var: resource, accum: resource, lr: T, grad: T, indices: "
      "Tindices) -> (); T: "
      "{number}; Tindices: {index}; use_locking: bool = false; update_slots: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdagradV2.
struct ResourceApplyAdagradV2 {
  static constexpr auto signature =
      "ResourceApplyAdagradV2(var: resource, accum: resource, lr: T, epsilon: T, grad: T) -> (); "
      "T: {number}; "
      "use_locking: bool = false; update_slots: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyAdagradV2.
struct ResourceSparseApplyAdagradV2 {
  static constexpr auto signature =
      "ResourceSparseApplyAdagradV2(var: resource, accum: resource, lr: T, epsilon: T, grad: T, "
      "indices: "
      "Tindices) -> (); T: {number}; Tindices: {index}; use_locking: bool = false; update_slots: "
      "bool = true; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdagradDA.
struct ResourceApplyAdagradDA {
  static constexpr auto signature =
      "ResourceApplyAdagradDA(var: resource, gradient_accumulator: resource, "
      "gradient_squared_accumulator: "
      "resource, grad: T, lr: T, l1: T, l2: T, global_step: int64) -> (); T: {number}; "
      "use_locking: bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyAdagradDA.
struct ResourceSparseApplyAdagradDA {
  static constexpr auto signature =
      "ResourceSparseApplyAdagradDA(var: resource, gradient_accumulator: resource, "
      "gradient_squared_accumulator: resource, grad: T, indices: Tindices, lr: T, l1: T, l2: T, "
      "global_step: "
      "int64) -> (); T: {number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyProximalAdagrad.
struct ResourceApplyProximalAdagrad {
  static constexpr auto signature =
      "ResourceApplyProximalAdagrad(var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T) "
      "-> (); T: "
      "{number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyProximalAdagrad.
struct ResourceSparseApplyProximalAdagrad {
  static constexpr auto signature =
      "ResourceSparseApplyProximalAdagrad(var: resource, accum: resource, lr: T, l1: T, l2: T, "
      "grad: T, "
      "indices: Tindices) -> (); T: {number}; Tindices: {index}; use_locking: bool = false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyFtrl.
struct ResourceApplyFtrl {
  static constexpr auto signature =
      "ResourceApplyFtrl(var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: T, "
      "l2: T, "
      "lr_power: T) -> (); T: {number}; use_locking: bool = false; multiply_linear_by_lr: bool = "
      "false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyFtrl.
struct ResourceSparseApplyFtrl {
  static constexpr auto signature =
      "ResourceSparseApplyFtrl(var: resource, accum: resource, linear: resource, grad: T, indices: "
      "Tindices, "
      "lr: T, l1: T, l2: T, lr_power: T) -> (); T: {number}; Tindices: {index}; use_locking: bool "
      "= false; "
      "multiply_linear_by_lr: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyFtrlV2.
struct ResourceApplyFtrlV2 {
  static constexpr auto signature =
      "ResourceApplyFtrlV2(var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: "
      "T, l2: T, "
      "l2_shrinkage: T, lr_power: T) -> (); T: {number}; use_locking: bool = false; "
      "multiply_linear_by_lr: "
      "bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyFtrlV2.
struct ResourceSparseApplyFtrlV2 {
  static constexpr auto signature =
      "ResourceSparseApplyFtrlV2(var: resource, accum: resource, linear: resource, grad: T, "
      "indices: Tindices, "
      "lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T) -> (); T: {number}; Tindices: {index}; "
      "use_locking: "
      "bool = false; multiply_linear_by_lr: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyMomentum.
struct ResourceApplyMomentum {
  static constexpr auto signature =
      "ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T) -> (); "
      "T: {number}; "
      "use_locking: bool = false; use_nesterov: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyMomentum.
struct ResourceSparseApplyMomentum {
  static constexpr auto signature =
      "ResourceSparseApplyMomentum(var: resource, accum: resource, lr: T, grad: T, indices: "
      "Tindices, "
      "momentum: T) -> (); T: {number}; Tindices: {index}; use_locking: bool = false; "
      "use_nesterov: bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyRMSProp.
struct ResourceApplyRMSProp {
  static constexpr auto signature =
      "ResourceApplyRMSProp(var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: "
      "T, epsilon: "
      "T, grad: T) -> (); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyRMSProp.
struct ResourceSparseApplyRMSProp {
  static constexpr auto signature =
      "ResourceSparseApplyRMSProp(var: resource, ms: resource, mom: resource, lr: T, rho: T, "
      "momentum: T, "
      "epsilon: T, grad: T, indices: Tindices) -> (); T: {number}; Tindices: {index}; use_locking: "
      "bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyCenteredRMSProp.
struct ResourceApplyCenteredRMSProp {
  static constexpr auto signature =
      "ResourceApplyCenteredRMSProp(var: resource, mg: resource, ms: resource, mom: resource, lr: "
      "T, rho: T, "
      "momentum: T, epsilon: T, grad: T) -> (); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As SparseApplyCenteredRMSProp.
struct ResourceSparseApplyCenteredRMSProp {
  static constexpr auto signature =
      "ResourceSparseApplyCenteredRMSProp(var: resource, mg: resource, ms: resource, mom: "
      "resource, lr: T, "
      "rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices) -> (); T: {number}; Tindices: "
      "{index}; "
      "use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdam.
struct ResourceApplyAdam {
  static constexpr auto signature =
      "ResourceApplyAdam(var: resource, m: resource, v: resource, beta1_power: T, beta2_power: T, "
      "lr: T, "
      "beta1: T, beta2: T, epsilon: T, grad: T) -> (); T: {number}; use_locking: bool = false; "
      "use_nesterov: "
      "bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAdaMax.
struct ResourceApplyAdaMax {
  static constexpr auto signature =
      "ResourceApplyAdaMax(var: resource, m: resource, v: resource, beta1_power: T, lr: T, beta1: "
      "T, beta2: T, "
      "epsilon: T, grad: T) -> (); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyAddSign.
struct ResourceApplyAddSign {
  static constexpr auto signature =
      "ResourceApplyAddSign(var: resource, m: resource, lr: T, alpha: T, sign_decay: T, beta: T, "
      "grad: T) -> "
      "(); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// As ApplyPowerSign.
struct ResourceApplyPowerSign {
  static constexpr auto signature =
      "ResourceApplyPowerSign(var: resource, m: resource, lr: T, logbase: T, sign_decay: T, beta: "
      "T, grad: T) "
      "-> (); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

}  // namespace ops

using ResourceTrainingOps = OpSet<
    ops::ResourceApplyProximalGradientDescent, ops::ResourceSparseApplyProximalGradientDescent,
    ops::ResourceApplyAdadelta, ops::ResourceSparseApplyAdadelta, ops::ResourceApplyAdagrad,
    ops::ResourceSparseApplyAdagrad, ops::ResourceApplyAdagradV2, ops::ResourceSparseApplyAdagradV2,
    ops::ResourceApplyAdagradDA, ops::ResourceSparseApplyAdagradDA,
    ops::ResourceApplyProximalAdagrad, ops::ResourceSparseApplyProximalAdagrad,
    ops::ResourceApplyFtrl, ops::ResourceSparseApplyFtrl, ops::ResourceApplyFtrlV2,
    ops::ResourceSparseApplyFtrlV2, ops::ResourceApplyMomentum, ops::ResourceSparseApplyMomentum,
    ops::ResourceApplyRMSProp, ops::ResourceSparseApplyRMSProp, ops::ResourceApplyCenteredRMSProp,
    ops::ResourceSparseApplyCenteredRMSProp, ops::ResourceApplyAdam, ops::ResourceApplyAdaMax,
    ops::ResourceApplyAddSign, ops::ResourceApplyPowerSign>;

}  // namespace dgraph
