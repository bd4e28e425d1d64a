#pragma once
// Typed functions of ops/training.hpp: the variable's value after the update.

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/training.hpp>
#include <dgraph/ops/value_arg.hpp>
#include <dgraph/ops/variable.hpp>

namespace dgraph {
namespace detail {

/// An argument of an update: a value of the variable's dtype, or row indices.
class UpdateArg {
 public:
  UpdateArg(const AnyValueArg& value) : value_(&value) {}
  UpdateArg(const IntegersArg& indices) : indices_(&indices) {}
  Output node(SourceLocation at, GraphCore* core) const {
    return value_ ? value_->node(at, core) : indices_->node(at, core);
  }

 private:
  const AnyValueArg* value_ = nullptr;
  const IntegersArg* indices_ = nullptr;
};

/// A node at the variable `ref` with the inputs (ref, slots..., values...) and one attribute (no
/// name: none).
Output add_update(const OpDef& def, const OpName& name, const Output& ref,
                  std::initializer_list<Output> slots, std::initializer_list<UpdateArg> values,
                  const AttrArg& attr);

template <class OpType, class T>
Op<T> apply(const OpName& name, const Variable<T>& var, std::initializer_list<Output> slots,
            std::initializer_list<UpdateArg> values, const AttrArg& attr = {}) {
  return Op<T>(add_update(definition<OpType>(), name, var.ref(), slots, values, attr));
}

}  // namespace detail

/// @name Updates of variables; see the op of the same name for what each computes. `sparse_` ones
/// change the rows `indices`.
/// @{
template <class T>
Op<T> apply_proximal_gradient_descent(const Variable<T>& var, const ValueArg<T>& alpha,
                                      const ValueArg<T>& l1, const ValueArg<T>& l2,
                                      const ValueArg<T>& delta, OpName name = {}) {
  return detail::apply<ops::ApplyProximalGradientDescent, T>(name, var, {}, {alpha, l1, l2, delta});
}

template <class T>
Op<T> sparse_apply_proximal_gradient_descent(const Variable<T>& var, const ValueArg<T>& alpha,
                                             const ValueArg<T>& l1, const ValueArg<T>& l2,
                                             const ValueArg<T>& grad, const IntegersArg& indices,
                                             OpName name = {}) {
  return detail::apply<ops::SparseApplyProximalGradientDescent, T>(name, var, {},
                                                                   {alpha, l1, l2, grad, indices});
}

template <class T>
Op<T> apply_adadelta(const Variable<T>& var, const Variable<T>& accum,
                     const Variable<T>& accum_update, const ValueArg<T>& lr, const ValueArg<T>& rho,
                     const ValueArg<T>& epsilon, const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyAdadelta, T>(name, var, {accum.ref(), accum_update.ref()},
                                              {lr, rho, epsilon, grad});
}

template <class T>
Op<T> sparse_apply_adadelta(const Variable<T>& var, const Variable<T>& accum,
                            const Variable<T>& accum_update, const ValueArg<T>& lr,
                            const ValueArg<T>& rho, const ValueArg<T>& epsilon,
                            const ValueArg<T>& grad, const IntegersArg& indices, OpName name = {}) {
  return detail::apply<ops::SparseApplyAdadelta, T>(name, var, {accum.ref(), accum_update.ref()},
                                                    {lr, rho, epsilon, grad, indices});
}

template <class T>
Op<T> apply_adagrad(const Variable<T>& var, const Variable<T>& accum, const ValueArg<T>& lr,
                    const ValueArg<T>& grad, bool update_slots = true, OpName name = {}) {
  return detail::apply<ops::ApplyAdagrad, T>(name, var, {accum.ref()}, {lr, grad},
                                             {"update_slots", update_slots});
}

template <class T>
Op<T> sparse_apply_adagrad(const Variable<T>& var, const Variable<T>& accum, const ValueArg<T>& lr,
                           const ValueArg<T>& grad, const IntegersArg& indices,
                           bool update_slots = true, OpName name = {}) {
  return detail::apply<ops::SparseApplyAdagrad, T>(name, var, {accum.ref()}, {lr, grad, indices},
                                                   {"update_slots", update_slots});
}

template <class T>
Op<T> apply_adagrad_v2(const Variable<T>& var, const Variable<T>& accum, const ValueArg<T>& lr,
                       const ValueArg<T>& epsilon, const ValueArg<T>& grad,
                       bool update_slots = true, OpName name = {}) {
  return detail::apply<ops::ApplyAdagradV2, T>(name, var, {accum.ref()}, {lr, epsilon, grad},
                                               {"update_slots", update_slots});
}

template <class T>
Op<T> sparse_apply_adagrad_v2(const Variable<T>& var, const Variable<T>& accum,
                              const ValueArg<T>& lr, const ValueArg<T>& epsilon,
                              const ValueArg<T>& grad, const IntegersArg& indices,
                              bool update_slots = true, OpName name = {}) {
  return detail::apply<ops::SparseApplyAdagradV2, T>(
      name, var, {accum.ref()}, {lr, epsilon, grad, indices}, {"update_slots", update_slots});
}

template <class T>
Op<T> apply_adagrad_da(const Variable<T>& var, const Variable<T>& gradient_accumulator,
                       const Variable<T>& gradient_squared_accumulator, const ValueArg<T>& grad,
                       const ValueArg<T>& lr, const ValueArg<T>& l1, const ValueArg<T>& l2,
                       const ValueArg<std::int64_t>& global_step, OpName name = {}) {
  return detail::apply<ops::ApplyAdagradDA, T>(
      name, var, {gradient_accumulator.ref(), gradient_squared_accumulator.ref()},
      {grad, lr, l1, l2, global_step});
}

template <class T>
Op<T> sparse_apply_adagrad_da(const Variable<T>& var, const Variable<T>& gradient_accumulator,
                              const Variable<T>& gradient_squared_accumulator,
                              const ValueArg<T>& grad, const IntegersArg& indices,
                              const ValueArg<T>& lr, const ValueArg<T>& l1, const ValueArg<T>& l2,
                              const ValueArg<std::int64_t>& global_step, OpName name = {}) {
  return detail::apply<ops::SparseApplyAdagradDA, T>(
      name, var, {gradient_accumulator.ref(), gradient_squared_accumulator.ref()},
      {grad, indices, lr, l1, l2, global_step});
}

template <class T>
Op<T> apply_proximal_adagrad(const Variable<T>& var, const Variable<T>& accum,
                             const ValueArg<T>& lr, const ValueArg<T>& l1, const ValueArg<T>& l2,
                             const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyProximalAdagrad, T>(name, var, {accum.ref()}, {lr, l1, l2, grad});
}

template <class T>
Op<T> sparse_apply_proximal_adagrad(const Variable<T>& var, const Variable<T>& accum,
                                    const ValueArg<T>& lr, const ValueArg<T>& l1,
                                    const ValueArg<T>& l2, const ValueArg<T>& grad,
                                    const IntegersArg& indices, OpName name = {}) {
  return detail::apply<ops::SparseApplyProximalAdagrad, T>(name, var, {accum.ref()},
                                                           {lr, l1, l2, grad, indices});
}

template <class T>
Op<T> apply_ftrl(const Variable<T>& var, const Variable<T>& accum, const Variable<T>& linear,
                 const ValueArg<T>& grad, const ValueArg<T>& lr, const ValueArg<T>& l1,
                 const ValueArg<T>& l2, const ValueArg<T>& lr_power,
                 bool multiply_linear_by_lr = false, OpName name = {}) {
  return detail::apply<ops::ApplyFtrl, T>(name, var, {accum.ref(), linear.ref()},
                                          {grad, lr, l1, l2, lr_power},
                                          {"multiply_linear_by_lr", multiply_linear_by_lr});
}

template <class T>
Op<T> sparse_apply_ftrl(const Variable<T>& var, const Variable<T>& accum, const Variable<T>& linear,
                        const ValueArg<T>& grad, const IntegersArg& indices, const ValueArg<T>& lr,
                        const ValueArg<T>& l1, const ValueArg<T>& l2, const ValueArg<T>& lr_power,
                        bool multiply_linear_by_lr = false, OpName name = {}) {
  return detail::apply<ops::SparseApplyFtrl, T>(name, var, {accum.ref(), linear.ref()},
                                                {grad, indices, lr, l1, l2, lr_power},
                                                {"multiply_linear_by_lr", multiply_linear_by_lr});
}

template <class T>
Op<T> apply_ftrl_v2(const Variable<T>& var, const Variable<T>& accum, const Variable<T>& linear,
                    const ValueArg<T>& grad, const ValueArg<T>& lr, const ValueArg<T>& l1,
                    const ValueArg<T>& l2, const ValueArg<T>& l2_shrinkage,
                    const ValueArg<T>& lr_power, bool multiply_linear_by_lr = false,
                    OpName name = {}) {
  return detail::apply<ops::ApplyFtrlV2, T>(name, var, {accum.ref(), linear.ref()},
                                            {grad, lr, l1, l2, l2_shrinkage, lr_power},
                                            {"multiply_linear_by_lr", multiply_linear_by_lr});
}

template <class T>
Op<T> sparse_apply_ftrl_v2(const Variable<T>& var, const Variable<T>& accum,
                           const Variable<T>& linear, const ValueArg<T>& grad,
                           const IntegersArg& indices, const ValueArg<T>& lr, const ValueArg<T>& l1,
                           const ValueArg<T>& l2, const ValueArg<T>& l2_shrinkage,
                           const ValueArg<T>& lr_power, bool multiply_linear_by_lr = false,
                           OpName name = {}) {
  return detail::apply<ops::SparseApplyFtrlV2, T>(
      name, var, {accum.ref(), linear.ref()}, {grad, indices, lr, l1, l2, l2_shrinkage, lr_power},
      {"multiply_linear_by_lr", multiply_linear_by_lr});
}

template <class T>
Op<T> apply_momentum(const Variable<T>& var, const Variable<T>& accum, const ValueArg<T>& lr,
                     const ValueArg<T>& grad, const ValueArg<T>& momentum,
                     bool use_nesterov = false, OpName name = {}) {
  return detail::apply<ops::ApplyMomentum, T>(name, var, {accum.ref()}, {lr, grad, momentum},
                                              {"use_nesterov", use_nesterov});
}

template <class T>
Op<T> sparse_apply_momentum(const Variable<T>& var, const Variable<T>& accum, const ValueArg<T>& lr,
                            const ValueArg<T>& grad, const IntegersArg& indices,
                            const ValueArg<T>& momentum, bool use_nesterov = false,
                            OpName name = {}) {
  return detail::apply<ops::SparseApplyMomentum, T>(
      name, var, {accum.ref()}, {lr, grad, indices, momentum}, {"use_nesterov", use_nesterov});
}

template <class T>
Op<T> apply_rms_prop(const Variable<T>& var, const Variable<T>& ms, const Variable<T>& mom,
                     const ValueArg<T>& lr, const ValueArg<T>& rho, const ValueArg<T>& momentum,
                     const ValueArg<T>& epsilon, const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyRMSProp, T>(name, var, {ms.ref(), mom.ref()},
                                             {lr, rho, momentum, epsilon, grad});
}

template <class T>
Op<T> sparse_apply_rms_prop(const Variable<T>& var, const Variable<T>& ms, const Variable<T>& mom,
                            const ValueArg<T>& lr, const ValueArg<T>& rho,
                            const ValueArg<T>& momentum, const ValueArg<T>& epsilon,
                            const ValueArg<T>& grad, const IntegersArg& indices, OpName name = {}) {
  return detail::apply<ops::SparseApplyRMSProp, T>(name, var, {ms.ref(), mom.ref()},
                                                   {lr, rho, momentum, epsilon, grad, indices});
}

template <class T>
Op<T> apply_centered_rms_prop(const Variable<T>& var, const Variable<T>& mg, const Variable<T>& ms,
                              const Variable<T>& mom, const ValueArg<T>& lr, const ValueArg<T>& rho,
                              const ValueArg<T>& momentum, const ValueArg<T>& epsilon,
                              const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyCenteredRMSProp, T>(name, var, {mg.ref(), ms.ref(), mom.ref()},
                                                     {lr, rho, momentum, epsilon, grad});
}

template <class T>
Op<T> sparse_apply_centered_rms_prop(const Variable<T>& var, const Variable<T>& mg,
                                     const Variable<T>& ms, const Variable<T>& mom,
                                     const ValueArg<T>& lr, const ValueArg<T>& rho,
                                     const ValueArg<T>& momentum, const ValueArg<T>& epsilon,
                                     const ValueArg<T>& grad, const IntegersArg& indices,
                                     OpName name = {}) {
  return detail::apply<ops::SparseApplyCenteredRMSProp, T>(
      name, var, {mg.ref(), ms.ref(), mom.ref()}, {lr, rho, momentum, epsilon, grad, indices});
}

template <class T>
Op<T> apply_adam(const Variable<T>& var, const Variable<T>& m, const Variable<T>& v,
                 const ValueArg<T>& beta1_power, const ValueArg<T>& beta2_power,
                 const ValueArg<T>& lr, const ValueArg<T>& beta1, const ValueArg<T>& beta2,
                 const ValueArg<T>& epsilon, const ValueArg<T>& grad, bool use_nesterov = false,
                 OpName name = {}) {
  return detail::apply<ops::ApplyAdam, T>(
      name, var, {m.ref(), v.ref()}, {beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad},
      {"use_nesterov", use_nesterov});
}

template <class T>
Op<T> apply_ada_max(const Variable<T>& var, const Variable<T>& m, const Variable<T>& v,
                    const ValueArg<T>& beta1_power, const ValueArg<T>& lr, const ValueArg<T>& beta1,
                    const ValueArg<T>& beta2, const ValueArg<T>& epsilon, const ValueArg<T>& grad,
                    OpName name = {}) {
  return detail::apply<ops::ApplyAdaMax, T>(name, var, {m.ref(), v.ref()},
                                            {beta1_power, lr, beta1, beta2, epsilon, grad});
}

template <class T>
Op<T> apply_add_sign(const Variable<T>& var, const Variable<T>& m, const ValueArg<T>& lr,
                     const ValueArg<T>& alpha, const ValueArg<T>& sign_decay,
                     const ValueArg<T>& beta, const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyAddSign, T>(name, var, {m.ref()},
                                             {lr, alpha, sign_decay, beta, grad});
}

template <class T>
Op<T> apply_power_sign(const Variable<T>& var, const Variable<T>& m, const ValueArg<T>& lr,
                       const ValueArg<T>& logbase, const ValueArg<T>& sign_decay,
                       const ValueArg<T>& beta, const ValueArg<T>& grad, OpName name = {}) {
  return detail::apply<ops::ApplyPowerSign, T>(name, var, {m.ref()},
                                               {lr, logbase, sign_decay, beta, grad});
}
/// @}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/training_functions.ipp>
#endif
