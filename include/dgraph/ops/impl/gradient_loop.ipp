#pragma once
#include <dgraph/ops/gradient_loop.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/stack.hpp>

namespace dgraph::detail {

DGRAPH_DECL Endpoint GradientLoop::add(GraphCore& core, const OpDef& def, std::span<const Endpoint> inputs,
                                       std::span<AttrArg> attrs, ValueContext* flow, std::span<const NodeId> controls,
                                       std::span<const PartialShape> shapes) const {
  Scope scope = flow ? flow->place() : need_build_context().scope;
  scope.flow = flow;
  scope.controls.clear();
  // On a stack they are where the stack is.
  if (def.stateful) {
    scope.device = {};
    scope.device_function = nullptr;
  }
  if (def.stateful || !flow) scope.colocation.clear();
  AddOptions options;
  options.location = location_;
  options.scope = &scope;
  options.controls = controls;
  options.shapes = shapes;
  return {core.add(def, inputs, attrs, options), 0};
}

DGRAPH_DECL Endpoint GradientLoop::integer(GraphCore& core, ValueContext* flow, std::int32_t value) const {
  AttrArg attrs[] = {{"value", Tensor::scalar(value)}, {"dtype", DType::Int32}};
  return add(core, definition<ops::Const>(), {}, attrs, flow, {});
}

DGRAPH_DECL Endpoint GradientLoop::count_forward(GraphCore& core, SourceLocation location) {
  location_ = location;
  std::vector<NodeId> after;
  // An inner loop pushes its values for one iteration of the outer one after those for the one before.
  if (around_) after.push_back(around_->forward_.variables()[around_->forward_counter_].body.node);
  const Endpoint zero = integer(core, forward_.outer(), 0);
  forward_counter_ = forward_.add_variable(core, zero, PartialShape::scalar(), after);
  forward_.open(core, forward_counter_);
  return forward_.leave(core, forward_counter_);
}

DGRAPH_DECL void GradientLoop::begin(GraphCore& core, LoopContext& backward, Endpoint count,
                                     std::span<const NodeId> after) {
  backward_ = &backward;
  backward.gradient = this;
  backward.add_variable(core, count, PartialShape::scalar(), after);
}

DGRAPH_DECL void GradientLoop::open(GraphCore& core) {
  const Endpoint inputs[] = {backward_->merged(0), integer(core, backward_, 1)};
  backward_->set_condition(core, add(core, definition<ops::GreaterEqual>(), inputs, {}, backward_, {}));
  backward_->open(core, 0);
}

DGRAPH_DECL Endpoint GradientLoop::stack_of(GraphCore& core, Endpoint value) {
  const Node& node = core.node(value.node);
  Scope scope = need_build_context().scope;
  scope.flow = base_;
  scope.controls.clear();
  scope.device = node.device->spec;
  scope.device_function = nullptr;
  scope.colocation = node.colocation ? *node.colocation : std::vector<std::string>();
  AddOptions options;
  options.location = location_;
  options.scope = &scope;
  const Endpoint unlimited = integer(core, base_, -1);
  AttrArg attrs[] = {{"elem_type", core.info(value).dtype}};
  return {core.add(definition<ops::StackV2>(), std::span(&unlimited, 1), attrs, options), 0};
}

DGRAPH_DECL Endpoint GradientLoop::remembered(GraphCore& core, Endpoint value, ValueContext& where) {
  const Endpoint stack = stack_of(core, value);
  const NodeId turn = forward_.variables()[forward_counter_].body.node;
  const Endpoint pushed[] = {stack, value};
  AttrArg swap[] = {{"swap_memory", forward_.settings().swap_memory}};
  auto* const flow = static_cast<ValueContext*>(core.node(value.node).flow);
  pushes_.push_back(add(core, definition<ops::StackPushV2>(), pushed, swap, flow, std::span(&turn, 1)).node);
  return take_back(core, stack, value, value, where);
}

DGRAPH_DECL Endpoint GradientLoop::send_back(GraphCore& core, Endpoint gradient, ValueContext& where) {
  const Endpoint stack = stack_of(core, gradient);
  const NodeId turn = backward_->variables()[0].body.node;
  const Endpoint pushed[] = {stack, gradient};
  AttrArg swap[] = {{"swap_memory", forward_.settings().swap_memory}};
  pops_.push_back(add(core, definition<ops::StackPushV2>(), pushed, swap, &where, std::span(&turn, 1)).node);
  return stack;
}

DGRAPH_DECL Endpoint GradientLoop::take_back(GraphCore& core, Endpoint stack, Endpoint like, Endpoint pushed,
                                             ValueContext& where) {
  const NodeId turn = backward_->variables()[0].body.node;
  AttrArg type[] = {{"elem_type", core.info(like).dtype}};
  const Endpoint popped = add(core, definition<ops::StackPopV2>(), std::span(&stack, 1), type, &where,
                              std::span(&turn, 1), std::span(&core.shape(like), 1));
  pops_.push_back(popped.node);
  where.remember({pushed, popped});
  return popped;
}

DGRAPH_DECL void GradientLoop::count(GraphCore& core, LoopContext& loop, std::size_t number,
                                     const std::vector<NodeId>& after, bool up) const {
  // Some may be dead: in a branch that was not taken.
  std::vector<NodeId> order;
  if (!after.empty()) order.push_back(loop.add_here(core, definition<ops::ControlTrigger>(), {}, {}, after).node);
  const Endpoint inputs[] = {loop.variables()[number].body, integer(core, &loop, 1)};
  const OpDef& step = up ? definition<ops::Add>() : definition<ops::Sub>();
  loop.close(core, number, add(core, step, inputs, {}, &loop, order));
}

DGRAPH_DECL Endpoint GradientLoop::finish(GraphCore& core) {
  count(core, forward_, forward_counter_, pushes_, true);
  count(core, *backward_, 0, pops_, false);
  const Endpoint ended = backward_->leave(core, 0);
  if (around_) around_->pops_.push_back(ended.node);
  return ended;
}

}  // namespace dgraph::detail
