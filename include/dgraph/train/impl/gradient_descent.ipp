#pragma once
#include <dgraph/train/gradient_descent.hpp>

#include <map>

#include <dgraph/ops/math.hpp>

namespace dgraph {

class GradientDescentOptimizer::Descent final : public Update {
 public:
  Descent(const Hyperparameter& learning_rate, const std::vector<GradientAndVariable>& gradients, const OpName& name) {
    for (const GradientAndVariable& pair : gradients) {
      const DType dtype = pair.gradient.values().dtype();
      if (!rates_.contains(dtype)) rates_[dtype] = learning_rate.as(dtype, OpName("learning_rate", name.location));
    }
  }

  Output dense(const AnyVariable& variable, const Output& gradient, const OpName& name) override {
    const OpDef& def = variable.ref().is_ref() ? definition<ops::ApplyGradientDescent>()
                                               : definition<ops::ResourceApplyGradientDescent>();
    const Output inputs[] = {rates_.at(gradient.dtype()), gradient};
    return detail::add_at_variable(def, name, variable.ref(), inputs);
  }

  Output sparse(const AnyVariable& variable, const IndexedSlices& gradient, const OpName& name) override {
    if (!variable.ref().is_ref())
      fail(Code::Unimplemented, "a sparse gradient for the resource variable ", variable.ref().name());
    const auto where = colocate_with(variable.ref());
    const Output scaled = add_op<ops::Mul>(name, gradient.values, rates_.at(gradient.values.dtype()));
    const Output inputs[] = {gradient.indices, scaled};
    return detail::add_at_variable(definition<ops::ScatterSub>(), name, variable.ref(), inputs);
  }

 private:
  std::map<DType, Output> rates_;
};

DGRAPH_DECL std::unique_ptr<Optimizer::Update> GradientDescentOptimizer::begin_update(
    const std::vector<GradientAndVariable>& gradients, const OpName& name) const {
  return std::make_unique<Descent>(learning_rate_, gradients, name);
}

}  // namespace dgraph
