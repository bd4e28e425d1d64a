#pragma once
#include <dgraph/ops/variable.hpp>

#include <dgraph/graph/flow.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

// The scope of this moment where it is the variable's graph's, changed so that a node is placed with the variable.
DGRAPH_DECL Scope scope_at_variable(const Output& ref) {
  Scope scope;
  if (const BuildContext* context = build_context(); context && context->core == ref.core()) scope = context->scope;
  const Node& node = ref.node();
  scope.device = node.device->spec;
  scope.device_function = nullptr;
  if (node.colocation)
    scope.colocation = *node.colocation;
  else
    scope.colocation.assign(1, std::string(node.name));
  return scope;
}

DGRAPH_DECL void need_variable(const Output& ref) {
  if (!ref) fail(Code::FailedPrecondition, "a Variable is used that was never made: it is default-constructed");
  if (!ref.is_ref() && ref.dtype() != DType::Resource)
    fail(Code::InvalidArgument, ref.name(), " (", ref.op_type(), ") is a value, not a variable");
}

DGRAPH_DECL Output add_at_variable(const OpDef& def, const OpName& name, const Output& ref,
                                   std::span<const Output> values, std::span<AttrArg> attrs) {
  need_variable(ref);
  std::vector<Endpoint> inputs{ref.endpoint()};
  for (const Output& value : values) {
    ref.core()->check_mine(value);
    inputs.push_back(value.endpoint());
  }
  const Scope scope = scope_at_variable(ref);
  AddOptions options;
  options.name = name.name;
  options.location = name.location;
  options.scope = &scope;
  return Output(ref.core(), ref.core()->add(def, inputs, attrs, options), 0);
}

DGRAPH_DECL Output read_variable(const Output& ref) {
  need_variable(ref);
  GraphCore& core = *ref.core();
  Scope scope = scope_at_variable(ref);
  scope.name_prefix.clear();
  // A branch or loop that says nothing of the order takes what is read before it, as TensorFlow's does.
  while (scope.flow && scope.controls.empty()) {
    scope.controls = scope.flow->entry_controls();
    scope.flow = scope.flow->parent();
  }
  if (const NodeId known = core.cached_read(ref.node_id(), scope.controls, scope.flow); known != kNoNode)
    return Output(&core, known, 0);
  const std::string name = std::string(ref.node().name) + "/read";
  AddOptions options;
  options.name = name;
  options.location = ref.node().location;
  options.scope = &scope;
  const Endpoint input = ref.endpoint();
  const NodeId read = core.add(definition<ops::Identity>(), std::span(&input, 1), {}, options);
  core.cache_read(ref.node_id(), scope.controls, scope.flow, read);
  return Output(&core, read, 0);
}

DGRAPH_DECL Output make_variable(const OpName& name, const Output& initial, bool trainable, Output& initializer) {
  const auto outside = flow_scope(nullptr);
  if (!initial.shape().fully_known()) {
    Status status = errors::InvalidArgument("the initial value ", initial.name(), " has shape ", initial.shape(),
                                            "; a variable needs one that is fully known");
    throw Error(status.at({std::string(name.name), "VariableV2", "", "", name.location.to_string()}));
  }
  const Output ref =
      add_op<ops::VariableV2>(name.name.empty() ? OpName("Variable", name.location) : name, "shape", initial.shape(),
                              "dtype", initial.dtype());
  ref.core()->check_mine(initial);
  const std::string assign_name = std::string(ref.node().name) + "/Assign";
  Scope scope = scope_at_variable(ref);
  scope.name_prefix.clear();
  AddOptions options;
  options.name = assign_name;
  options.location = name.location;
  options.scope = &scope;
  const Endpoint inputs[] = {ref.endpoint(), initial.endpoint()};
  initializer = Output(ref.core(), ref.core()->add(definition<ops::Assign>(), inputs, {}, options), 0);
  read_variable(ref);
  ref.core()->add_to_collection("variables", ref.endpoint());
  if (trainable) ref.core()->add_to_collection("trainable_variables", ref.endpoint());
  ref.core()->add_to_collection("variable_initializers", initializer.endpoint());
  return ref;
}

DGRAPH_DECL std::vector<Output> collected(const char* collection) {
  GraphCore& core = *need_build_context().core;
  std::vector<Output> out;
  for (const Endpoint& at : core.collection(collection)) out.emplace_back(&core, at.node, at.index);
  return out;
}

}  // namespace detail

DGRAPH_DECL std::vector<Output> global_variables() { return detail::collected("variables"); }
DGRAPH_DECL std::vector<Output> trainable_variables() { return detail::collected("trainable_variables"); }

DGRAPH_DECL Op<void> global_variables_initializer(OpName name) {
  return Op<void>(detail::run_all(detail::collected("variable_initializers"), name));
}

}  // namespace dgraph
