#pragma once
#include <dgraph/ops/flow_context.hpp>

#include <algorithm>

#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/gradient_loop.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

DGRAPH_DECL std::uint64_t endpoint_key(Endpoint at) { return std::uint64_t{at.node} << 32 | at.index; }

DGRAPH_DECL ValueContext::ValueContext(FlowContext* parent, bool is_loop, ValueContext* forward, SourceLocation location)
    : FlowContext(parent, is_loop), scope_(need_build_context().scope), location_(location), forward_(forward) {
  entry_controls_ = scope_.controls;
  scope_.controls.clear();
  scope_.flow = nullptr;
}

DGRAPH_DECL Endpoint ValueContext::add_here(GraphCore& core, const OpDef& def, std::span<const Endpoint> inputs,
                                            std::span<AttrArg> attrs, std::span<const NodeId> controls,
                                            std::span<const PartialShape> shapes) {
  AddOptions options;
  options.location = location_;
  options.scope = &scope_;
  options.controls = controls;
  options.shapes = shapes;
  options.own_flow = true;
  options.flow = this;
  return {core.add(def, inputs, attrs, options), 0};
}

DGRAPH_DECL void ValueContext::bring_in(GraphCore& core, std::vector<Endpoint>& inputs,
                                        std::vector<NodeId>& controls) {
  for (Endpoint& in : inputs) in = stand_in(core, in);
  bring_in_controls(core, controls);
  if (needs_pivot(core, inputs, controls)) controls.push_back(pivot(core));
}

DGRAPH_DECL Endpoint ValueContext::stand_in(GraphCore& core, Endpoint value) {
  const FlowContext* const at = core.node(value.node).flow;
  if (at == this) return value;
  const std::uint64_t key = endpoint_key(value);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  Endpoint inside;
  if (forward_ && at == forward_) {
    inside = from_forward(core, value);
  } else if (is_same_branch(core, at)) {
    inside = value;
  } else {
    Endpoint around = value;
    if (outer()) {
      around = outer()->stand_in(core, value);
    } else if (at) {
      fail(Code::InvalidArgument, core.node(value.node).name,
           " is computed inside a branch or loop: only what that returns can be used outside");
    }
    inside = wrap(core, around);
    captures_.push_back({around, inside});
  }
  known_[key] = inside;
  return inside;
}

// A value of the branch or loop whose gradient is computed here.
DGRAPH_DECL Endpoint ValueContext::from_forward(GraphCore& core, Endpoint value) {
  for (const Capture& capture : forward_->captures())
    if (capture.inner == value) return stand_in(core, capture.outer);
  const Node& node = core.node(value.node);
  if (node.is("Const")) {
    const NodeId runs = pivot(core);
    AttrArg attrs[] = {{"value", node.attr<Tensor>("value")}, {"dtype", node.outputs[0].dtype}};
    return add_here(core, definition<ops::Const>(), {}, attrs, std::span(&runs, 1));
  }
  for (FlowContext* around = this; around; around = around->parent())
    if (around->is_loop() && static_cast<LoopContext*>(around)->gradient)
      return static_cast<LoopContext*>(around)->gradient->remembered(core, value, *this);
  return value;
}

// Its gradient loop is this one or one around.
DGRAPH_DECL bool ValueContext::runs_after(const FlowContext* loop) const {
  if (!loop) return false;
  for (const ValueContext* around = this; around; around = around->outer())
    if (around->is_loop() && around->forward_ && loop->is_within(around->forward_)) return true;
  return false;
}

DGRAPH_DECL Endpoint ValueContext::token_of(GraphCore& core, NodeId id) {
  if (core.node(id).num_outputs > 0) return {id, 0};
  const auto [at, fresh] = tokens_.try_emplace(id);
  if (fresh) {
    AddOptions options;
    options.location = location_;
    options.scope = &scope_;
    options.controls = std::span(&id, 1);
    options.own_flow = true;
    options.flow = core.node(id).flow;
    AttrArg attrs[] = {{"value", Tensor::scalar(false)}, {"dtype", DType::Bool}};
    at->second = {core.add(definition<ops::Const>(), {}, attrs, options), 0};
  }
  return at->second;
}

DGRAPH_DECL void ValueContext::bring_in_controls(GraphCore& core, std::vector<NodeId>& controls) {
  std::size_t kept = 0;
  for (const NodeId control : controls) {
    FlowContext* const theirs = loop_of(core.node(control).flow);
    if (theirs == loop())
      controls[kept++] = control;
    else if (!runs_after(theirs))
      controls[kept++] = stand_in(core, token_of(core, control)).node;
  }
  controls.resize(kept);
}

DGRAPH_DECL BranchContext::BranchContext(FlowContext* parent, Endpoint pred, bool taken_if, BranchContext* forward,
                                         SourceLocation location)
    : ValueContext(parent, false, forward, location), pred_(pred), taken_if_(taken_if) {}

DGRAPH_DECL bool BranchContext::is_border(const Node& node) const {
  return std::any_of(captures_.begin(), captures_.end(), [&](const Capture& c) { return c.inner.node == node.id; });
}

DGRAPH_DECL void BranchContext::join(BranchContext& if_false, BranchContext& if_true, std::vector<NodeId> merges) {
  if_false.other_ = &if_true;
  if_true.other_ = &if_false;
  for (BranchContext* side : {&if_false, &if_true})
    if (!merges.empty()) side->first_output_ = *std::min_element(merges.begin(), merges.end());
  if_true.merges_ = merges;
  if_false.merges_ = std::move(merges);
}

DGRAPH_DECL bool BranchContext::is_same_branch(const GraphCore& core, const FlowContext* other) const {
  const auto* branch = dynamic_cast<const BranchContext*>(other);
  if (!branch || branch->taken_if_ != taken_if_ || branch->parent() != parent()) return false;
  // An Identity only delays a predicate.
  const auto decides = [&core](Endpoint at) {
    while (core.node(at.node).is("Identity") && !core.info(core.node(at.node).inputs[0]).ref)
      at = core.node(at.node).inputs[0];
    return at;
  };
  return decides(branch->pred_) == decides(pred_);
}

DGRAPH_DECL bool BranchContext::needs_pivot(const GraphCore& core, std::span<const Endpoint> inputs,
                                            std::span<const NodeId> controls) const {
  if (!inputs.empty()) return false;
  return std::none_of(controls.begin(), controls.end(), [&](NodeId id) { return core.node(id).flow == this; });
}

DGRAPH_DECL Endpoint BranchContext::add_switch(GraphCore& core, Endpoint data) {
  const Node& source = core.node(data.node);
  const bool ref = core.info(data).ref;
  std::vector<Endpoint> inputs{data, pred_};
  std::vector<NodeId> controls;
  if (outer()) outer()->bring_in(core, inputs, controls);
  Scope scope = scope_;
  // Beside the value, so that only what the branch takes leaves its task.
  if (!source.is("Const")) {
    scope.device = source.device->spec;
    scope.device_function = nullptr;
    scope.colocation = source.colocation ? *source.colocation : std::vector<std::string>();
  }
  AddOptions options;
  options.location = location_;
  options.scope = &scope;
  options.controls = controls;
  options.own_flow = true;
  options.flow = this;
  const NodeId id = core.add(ref ? definition<ops::RefSwitch>() : definition<ops::Switch>(), inputs, {}, options);
  return {id, taken_if_ ? 1u : 0u};
}

DGRAPH_DECL Endpoint BranchContext::wrap(GraphCore& core, Endpoint outer) { return add_switch(core, outer); }

DGRAPH_DECL NodeId BranchContext::pivot(GraphCore& core) {
  if (pivot_ == kNoNode) {
    const Endpoint taken = add_switch(core, pred_);
    pivot_ = add_here(core, definition<ops::Identity>(), std::span(&taken, 1), {}).node;
  }
  return pivot_;
}

DGRAPH_DECL Endpoint BranchContext::result(GraphCore& core, Endpoint value) {
  Endpoint inside = stand_in(core, value);
  const FlowContext* const at = core.node(inside.node).flow;
  if (at == this && !core.info(inside).ref) return inside;
  const NodeId runs = pivot(core);
  return add_here(core, definition<ops::Identity>(), std::span(&inside, 1), {}, std::span(&runs, 1));
}

DGRAPH_DECL Endpoint BranchContext::done(GraphCore& core, std::span<const NodeId> effects) {
  const Endpoint runs{pivot(core), 0};
  if (effects.empty()) return runs;
  std::vector<NodeId> controls(effects.begin(), effects.end());
  std::vector<Endpoint> inputs{runs};
  bring_in(core, inputs, controls);
  return add_here(core, definition<ops::Identity>(), inputs, {}, controls);
}

DGRAPH_DECL LoopContext::LoopContext(GraphCore& core, FlowContext* parent, const LoopSettings& settings,
                                     LoopContext* forward, SourceLocation location)
    : ValueContext(parent, true, forward, location), settings_(settings),
      frame_(core.unique_name(scope_.name_prefix + "while_context")) {}

DGRAPH_DECL bool LoopContext::is_border(const Node& node) const {
  if (is_invariant(node)) return true;
  return std::any_of(variables_.begin(), variables_.end(), [&](const Variable& v) {
    return v.enter == node.id || v.merge == node.id || v.take == node.id;
  });
}

DGRAPH_DECL bool LoopContext::is_invariant(const Node& node) const {
  return node.flow == this && (node.is("Enter") || node.is("RefEnter")) && node.attr<bool>("is_constant");
}

DGRAPH_DECL bool LoopContext::needs_pivot(const GraphCore& core, std::span<const Endpoint> inputs,
                                          std::span<const NodeId> controls) const {
  const auto lasts = [&](NodeId id) { return is_invariant(core.node(id)); };
  if (!std::all_of(inputs.begin(), inputs.end(), [&](Endpoint at) { return lasts(at.node); })) return false;
  return std::all_of(controls.begin(), controls.end(), lasts);
}

DGRAPH_DECL Endpoint LoopContext::add_enter(GraphCore& core, Endpoint outside, bool constant, const PartialShape& shape,
                                            std::span<const NodeId> after) {
  std::vector<Endpoint> inputs{outside};
  std::vector<NodeId> controls(after.begin(), after.end());
  if (outer()) outer()->bring_in(core, inputs, controls);
  const bool ref = core.info(inputs[0]).ref;
  AttrArg attrs[] = {{"frame_name", frame_}, {"is_constant", constant},
                     {"parallel_iterations", settings_.parallel_iterations}};
  return add_here(core, ref ? definition<ops::RefEnter>() : definition<ops::Enter>(), inputs, attrs, controls,
                  std::span(&shape, 1));
}

DGRAPH_DECL Endpoint LoopContext::wrap(GraphCore& core, Endpoint outer) {
  return add_enter(core, outer, true, core.shape(outer), {});
}

DGRAPH_DECL NodeId LoopContext::pivot(GraphCore&) {
  const Variable& first = variables_.at(0);
  return first.take == kNoNode ? first.merge : first.body.node;
}

DGRAPH_DECL std::size_t LoopContext::add_variable(GraphCore& core, Endpoint initial, const PartialShape& shape,
                                                  std::span<const NodeId> after) {
  Variable out;
  out.initial = outer() ? outer()->stand_in(core, initial) : initial;
  const Endpoint enter = add_enter(core, out.initial, false, shape, after);
  out.enter = enter.node;
  const Endpoint both[] = {enter, enter};
  const PartialShape shapes[] = {shape, PartialShape::scalar()};
  const bool ref = core.info(enter).ref;
  out.merge = add_here(core, ref ? definition<ops::RefMerge>() : definition<ops::Merge>(), both, {}, {}, shapes).node;
  variables_.push_back(out);
  return variables_.size() - 1;
}

DGRAPH_DECL void LoopContext::set_condition(GraphCore& core, Endpoint pred) {
  const Endpoint inside = stand_in(core, pred);
  std::vector<NodeId> controls;
  if (needs_pivot(core, std::span(&inside, 1), {})) controls.push_back(pivot(core));
  condition_ = add_here(core, definition<ops::LoopCond>(), std::span(&inside, 1), {}, controls).node;
}

DGRAPH_DECL Endpoint LoopContext::open(GraphCore& core, std::size_t i) {
  Variable& variable = variables_[i];
  const Endpoint inputs[] = {{variable.merge, 0}, {condition_, 0}};
  const bool ref = core.info(inputs[0]).ref;
  const Endpoint taken{
      add_here(core, ref ? definition<ops::RefSwitch>() : definition<ops::Switch>(), inputs, {}).node, 1};
  // Set together: until then the first variable's Merge is the pivot.
  const Endpoint body = ref ? taken : add_here(core, definition<ops::Identity>(), std::span(&taken, 1), {});
  variable.take = taken.node;
  return variable.body = body;
}

DGRAPH_DECL void LoopContext::check_result(GraphCore& core, std::size_t i, Endpoint result) {
  const Variable& variable = variables_[i];
  const OutputInfo &from = core.info({variable.merge, 0}), &to = core.info(result);
  if (from.dtype != to.dtype)
    fail(Code::InvalidArgument, "loop variable ", i, " is of ", dtype_name(from.dtype), ", but the body gives ",
         core.node(result.node).name, ", which is of ", dtype_name(to.dtype));
  const PartialShape &kept = *from.shape, &given = *to.shape;
  bool fits = !kept.has_rank() || (given.has_rank() && given.rank() == kept.rank());
  for (std::size_t k = 0; fits && kept.has_rank() && k < kept.rank(); ++k) fits = kept[k] < 0 || kept[k] == given[k];
  if (!fits)
    fail(Code::InvalidArgument, "loop variable ", i, ", ", core.node(variable.initial.node).name,
         ", enters the loop with shape ", kept, " but has shape ", given,
         " after one iteration: give the shape that it always has as a shape invariant");
}

DGRAPH_DECL void LoopContext::close(GraphCore& core, std::size_t i, Endpoint result) {
  Variable& variable = variables_[i];
  const Endpoint inside = stand_in(core, result);
  std::vector<NodeId> controls;
  if (needs_pivot(core, std::span(&inside, 1), {})) controls.push_back(pivot(core));
  const bool ref = core.info(inside).ref;
  const Endpoint next = add_here(core, ref ? definition<ops::RefNextIteration>() : definition<ops::NextIteration>(),
                                 std::span(&inside, 1), {}, controls);
  core.set_back_edge(variable.merge, 1, next);
  variable.result = inside;
}

DGRAPH_DECL Endpoint LoopContext::leave(GraphCore& core, std::size_t i) {
  Variable& variable = variables_[i];
  AddOptions options;
  options.location = location_;
  options.scope = &scope_;
  options.own_flow = true;
  options.flow = parent();
  const Endpoint ended{variable.take, 0};
  const bool ref = core.info(ended).ref;
  variable.leave =
      core.add(ref ? definition<ops::RefExit>() : definition<ops::Exit>(), std::span(&ended, 1), {}, options);
  first_output_ = std::min(first_output_, variable.leave);
  return {variable.leave, 0};
}

}  // namespace dgraph::detail
