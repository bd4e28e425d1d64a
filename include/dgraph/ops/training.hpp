#pragma once
// The update ops of optimizers: each changes a variable and its slots by a gradient (D7).

#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace shapes {

/// Variables and the gradient have one shape (rows of it, where there are indices), the other
/// inputs are scalars.
void training(ShapeContext& c);

}  // namespace shapes

/// In all: grad has the variable's shape, other values are scalars (InvalidArgument otherwise). All
/// variables are locked while they change; where one was never assigned, FailedPrecondition, and
/// nothing changes.
namespace ops {

/// var = shrunk(var - alpha * delta), where shrunk(p) = sign(p) * max(|p| - alpha * l1, 0) / (1 +
/// alpha * l2).
struct ApplyProximalGradientDescent {
  static constexpr auto signature =
      "ApplyProximalGradientDescent(var: Ref(T), alpha: T, l1: T, l2: T, delta: T) -> (out: "
      "Ref(T)); T: "
      "{number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyProximalGradientDescent {
  static constexpr auto signature =
      "SparseApplyProximalGradientDescent(var: Ref(T), alpha: T, l1: T, l2: T, grad: T, indices: "
      "Tindices) "
      "-> (out: Ref(T)); T: {number}; Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// accum = rho * accum + (1 - rho) * grad^2; update = sqrt(accum_update + epsilon) / sqrt(accum +
/// epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * update^2; var -= lr * update.
/// M. D. Zeiler, arXiv:1212.5701.
struct ApplyAdadelta {
  static constexpr auto signature =
      "ApplyAdadelta(var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, epsilon: T, "
      "grad: T) "
      "-> (out: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyAdadelta {
  static constexpr auto signature =
      "SparseApplyAdadelta(var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, "
      "epsilon: T, "
      "grad: T, indices: Tindices) -> (out: Ref(T)); T: {number}; Tindices: {index}; use_locking: "
      "bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// accum += grad^2 (where update_slots says so); var -= lr * grad / sqrt(accum).
struct ApplyAdagrad {
  static constexpr auto signature =
      "ApplyAdagrad(var: Ref(T), accum: Ref(T), lr: T, grad: T) -> (out: Ref(T)); T: {number}; "
      "use_locking: "
      "bool = false; update_slots: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyAdagrad {
  static constexpr auto signature =
      "SparseApplyAdagrad(var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices) -> (out: "
      "Ref(T)); "
      "T: {number}; Tindices: {index}; use_locking: bool = false; update_slots: bool = true; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// accum += grad^2 (where update_slots says so); var -= lr * grad / (sqrt(accum) + epsilon).
struct ApplyAdagradV2 {
  static constexpr auto signature =
      "ApplyAdagradV2(var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T) -> (out: Ref(T)); T: "
      "{number}; "
      "use_locking: bool = false; update_slots: bool = true; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyAdagradV2 {
  static constexpr auto signature =
      "SparseApplyAdagradV2(var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T, indices: "
      "Tindices) -> "
      "(out: Ref(T)); T: {number}; Tindices: {index}; use_locking: bool = false; update_slots: "
      "bool = true; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// Dual averaging: gradient_accumulator += grad; gradient_squared_accumulator += grad^2; with g the
/// first, shrunk by l1 * global_step: var = -lr * g / (l2 * global_step * lr +
/// sqrt(gradient_squared_accumulator)).
struct ApplyAdagradDA {
  static constexpr auto signature =
      "ApplyAdagradDA(var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator: "
      "Ref(T), grad: "
      "T, lr: T, l1: T, l2: T, global_step: int64) -> (out: Ref(T)); T: {number}; use_locking: "
      "bool = false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyAdagradDA {
  static constexpr auto signature =
      "SparseApplyAdagradDA(var: Ref(T), gradient_accumulator: Ref(T), "
      "gradient_squared_accumulator: Ref(T), "
      "grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: int64) -> (out: Ref(T)); T: "
      "{number}; "
      "Tindices: {index}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// accum += grad^2; with rate = lr / sqrt(accum): var = shrunk(var - rate * grad), where
/// shrunk(p) = sign(p) * max(|p| - rate * l1, 0) / (1 + rate * l2).
struct ApplyProximalAdagrad {
  static constexpr auto signature =
      "ApplyProximalAdagrad(var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T) -> (out: "
      "Ref(T)); T: "
      "{number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyProximalAdagrad {
  static constexpr auto signature =
      "SparseApplyProximalAdagrad(var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T, "
      "indices: "
      "Tindices) -> (out: Ref(T)); T: {number}; Tindices: {index}; use_locking: bool = false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// Follow the regularised leader: with s(a) = a^(-lr_power) and new = accum + grad^2: linear +=
/// grad - (s(new) - s(accum)) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (s(new)
/// / lr + 2 * l2) where |linear| > l1, else 0. With multiply_linear_by_lr linear is kept multiplied
/// by lr. H. B. McMahan et al., "Ad click prediction: a view from the trenches", KDD 2013.
struct ApplyFtrl {
  static constexpr auto signature =
      "ApplyFtrl(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T, "
      "lr_power: T) -> "
      "(out: Ref(T)); T: {number}; use_locking: bool = false; multiply_linear_by_lr: bool = false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyFtrl {
  static constexpr auto signature =
      "SparseApplyFtrl(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, lr: "
      "T, l1: T, "
      "l2: T, lr_power: T) -> (out: Ref(T)); T: {number}; Tindices: {index}; use_locking: bool = "
      "false; "
      "multiply_linear_by_lr: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same, where linear gets grad + 2 * l2_shrinkage * var in place of grad.
struct ApplyFtrlV2 {
  static constexpr auto signature =
      "ApplyFtrlV2(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T, "
      "l2_shrinkage: "
      "T, lr_power: T) -> (out: Ref(T)); T: {number}; use_locking: bool = false; "
      "multiply_linear_by_lr: bool "
      "= false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyFtrlV2 {
  static constexpr auto signature =
      "SparseApplyFtrlV2(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, "
      "lr: T, l1: "
      "T, l2: T, l2_shrinkage: T, lr_power: T) -> (out: Ref(T)); T: {number}; Tindices: {index}; "
      "use_locking: bool = false; multiply_linear_by_lr: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// accum = momentum * accum + grad; var -= lr * accum, or with use_nesterov var -= lr * (grad +
/// momentum * accum).
struct ApplyMomentum {
  static constexpr auto signature =
      "ApplyMomentum(var: Ref(T), accum: Ref(T), lr: T, grad: T, momentum: T) -> (out: Ref(T)); T: "
      "{number}; "
      "use_locking: bool = false; use_nesterov: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyMomentum {
  static constexpr auto signature =
      "SparseApplyMomentum(var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices, "
      "momentum: T) -> "
      "(out: Ref(T)); T: {number}; Tindices: {index}; use_locking: bool = false; use_nesterov: "
      "bool = false; "
      "stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// ms = rho * ms + (1 - rho) * grad^2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var
/// -= mom.
struct ApplyRMSProp {
  static constexpr auto signature =
      "ApplyRMSProp(var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, "
      "grad: T) "
      "-> (out: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyRMSProp {
  static constexpr auto signature =
      "SparseApplyRMSProp(var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, "
      "epsilon: T, "
      "grad: T, indices: Tindices) -> (out: Ref(T)); T: {number}; Tindices: {index}; use_locking: "
      "bool = "
      "false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// ms = rho * ms + (1 - rho) * grad^2; mg = rho * mg + (1 - rho) * grad;
/// mom = momentum * mom + lr * grad / sqrt(ms - mg^2 + epsilon); var -= mom.
struct ApplyCenteredRMSProp {
  static constexpr auto signature =
      "ApplyCenteredRMSProp(var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, "
      "momentum: T, "
      "epsilon: T, grad: T) -> (out: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// The same for rows `indices` of the variables alone, one after another; grad has a row for each
/// index.
struct SparseApplyCenteredRMSProp {
  static constexpr auto signature =
      "SparseApplyCenteredRMSProp(var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, "
      "momentum: "
      "T, epsilon: T, grad: T, indices: Tindices) -> (out: Ref(T)); T: {number}; Tindices: "
      "{index}; "
      "use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// m += (1 - beta1) * (grad - m); v += (1 - beta2) * (grad^2 - v); with rate = lr * sqrt(1 -
/// beta2_power) / (1 - beta1_power): var -= rate * m / (sqrt(v) + epsilon), where use_nesterov has
/// beta1 * m + (1 - beta1) * grad in place of m. D. P. Kingma, J. Ba, arXiv:1412.6980.
struct ApplyAdam {
  static constexpr auto signature =
      "ApplyAdam(var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, beta2_power: T, lr: T, beta1: "
      "T, beta2: "
      "T, epsilon: T, grad: T) -> (out: Ref(T)); T: {number}; use_locking: bool = false; "
      "use_nesterov: bool "
      "= false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// m += (1 - beta1) * (grad - m); v = max(beta2 * v, |grad|); var -= lr / (1 - beta1_power) * m /
/// (v + epsilon).
struct ApplyAdaMax {
  static constexpr auto signature =
      "ApplyAdaMax(var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, lr: T, beta1: T, beta2: T, "
      "epsilon: T, "
      "grad: T) -> (out: Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// m = beta * m + (1 - beta) * grad; var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) *
/// grad.
struct ApplyAddSign {
  static constexpr auto signature =
      "ApplyAddSign(var: Ref(T), m: Ref(T), lr: T, alpha: T, sign_decay: T, beta: T, grad: T) -> "
      "(out: "
      "Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

/// m = beta * m + (1 - beta) * grad; var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) *
/// grad.
struct ApplyPowerSign {
  static constexpr auto signature =
      "ApplyPowerSign(var: Ref(T), m: Ref(T), lr: T, logbase: T, sign_decay: T, beta: T, grad: T) "
      "-> (out: "
      "Ref(T)); T: {number}; use_locking: bool = false; stateful";
  static void shape(ShapeContext& c) { shapes::training(c); }
};

}  // namespace ops

using TrainingOps =
    OpSet<ops::ApplyProximalGradientDescent, ops::SparseApplyProximalGradientDescent,
          ops::ApplyAdadelta, ops::SparseApplyAdadelta, ops::ApplyAdagrad, ops::SparseApplyAdagrad,
          ops::ApplyAdagradV2, ops::SparseApplyAdagradV2, ops::ApplyAdagradDA,
          ops::SparseApplyAdagradDA, ops::ApplyProximalAdagrad, ops::SparseApplyProximalAdagrad,
          ops::ApplyFtrl, ops::SparseApplyFtrl, ops::ApplyFtrlV2, ops::SparseApplyFtrlV2,
          ops::ApplyMomentum, ops::SparseApplyMomentum, ops::ApplyRMSProp, ops::SparseApplyRMSProp,
          ops::ApplyCenteredRMSProp, ops::SparseApplyCenteredRMSProp, ops::ApplyAdam,
          ops::ApplyAdaMax, ops::ApplyAddSign, ops::ApplyPowerSign>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/training.ipp>
#endif
