#pragma once
#include <dgraph/train/optimizer.hpp>

#include <optional>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/math.hpp>

namespace dgraph {
namespace detail {

// Makes the graph of a node this thread's default where it is not.
class BuildIn {
 public:
  explicit BuildIn(const Output& node) {
    if (node && (!build_context() || build_context()->core != node.core())) graph_.emplace(*node.core());
  }

 private:
  std::optional<DefaultGraph> graph_;
};

DGRAPH_DECL DType variable_dtype(const AnyVariable& variable) {
  const Output& ref = variable.ref();
  return ref.dtype() == DType::Resource ? ref.node().attr<DType>("dtype") : ref.dtype();
}

DGRAPH_DECL Output count_step(const AnyVariable& global_step, const OpName& name) {
  const DType dtype = variable_dtype(global_step);
  const Output one = add_constant(scalar_tensor(dtype, 1), OpName(name.location), nullptr);
  const OpDef& def = global_step.ref().is_ref() ? definition<ops::AssignAdd>() : definition<ops::AssignAddVariableOp>();
  return add_at_variable(def, name, global_step.ref(), std::span(&one, 1));
}

}  // namespace detail

DGRAPH_DECL Output Hyperparameter::as(DType dtype, const OpName& name) const {
  if (!node_) return detail::add_constant(detail::scalar_tensor(dtype, value_), name, nullptr);
  return node_.dtype() == dtype ? node_ : add_op<ops::Cast>(name, node_, "DstT", dtype);
}

DGRAPH_DECL Op<void> Optimizer::minimize(const Output& loss, const MinimizeOptions& options, OpName name) const {
  const detail::BuildIn graph(loss);
  return apply_gradients(compute_gradients(loss, options), options.global_step, name);
}

DGRAPH_DECL std::vector<GradientAndVariable> Optimizer::compute_gradients(const Output& loss,
                                                                          const MinimizeOptions& options) const {
  if (!loss) fail(Code::InvalidArgument, "the loss is an empty handle");
  const detail::BuildIn graph(loss);
  std::vector<AnyVariable> variables = options.var_list;
  if (variables.empty())
    for (const Output& ref : trainable_variables()) variables.emplace_back(ref);
  if (variables.empty()) fail(Code::InvalidArgument, "the graph has no trainable variables: there is nothing to train");
  std::vector<Output> refs;
  for (const AnyVariable& variable : variables) {
    detail::need_variable(variable.ref());
    refs.push_back(variable.ref());
  }
  GradientOptions how;
  how.colocate_gradients_with_ops = options.colocate_gradients_with_ops;
  how.gate_gradients = options.gate_gradients;
  if (options.grad_loss) how.grad_ys.push_back(options.grad_loss);
  const std::vector<Gradient> found = sparse_gradients({loss}, refs, how);
  std::vector<GradientAndVariable> out;
  for (std::size_t i = 0; i < refs.size(); ++i) out.push_back({found[i], variables[i]});
  return out;
}

DGRAPH_DECL Op<void> Optimizer::apply_gradients(const std::vector<GradientAndVariable>& gradients,
                                                const AnyVariable& global_step, OpName name) const {
  std::vector<GradientAndVariable> given;
  std::string all;
  for (const GradientAndVariable& pair : gradients) {
    detail::need_variable(pair.variable.ref());
    all += (all.empty() ? "" : ", ") + pair.variable.ref().name();
    if (pair.gradient) given.push_back(pair);
  }
  if (given.empty())
    fail(Code::InvalidArgument, "the loss depends on none of the variables that are to be trained: ",
         all.empty() ? "there are none" : all);
  const detail::BuildIn graph(given[0].variable.ref());

  std::string whole;  // the scope's name, which the last node takes
  std::vector<Output> updates;
  {
    const auto scope = name_scope(name.name.empty() ? std::string_view(name_) : name.name);
    whole = need_build_context().scope.name_prefix;
    whole.pop_back();
    const std::unique_ptr<Update> update = begin_update(given, OpName(name.location));
    for (const GradientAndVariable& pair : given) {
      const auto inner = name_scope("update_" + std::string(pair.variable.ref().node().name));
      updates.push_back(pair.gradient.is_sparse()
                            ? update->sparse(pair.variable, pair.gradient.slices(), OpName(name.location))
                            : update->dense(pair.variable, pair.gradient.values(), OpName(name.location)));
    }
  }
  if (global_step) {
    const auto after = control_dependencies(updates);
    return Op<void>(detail::count_step(global_step, OpName(whole + "/global_step", name.location)));
  }
  return Op<void>(detail::run_all_named(updates, whole, name.location));
}

}  // namespace dgraph
