#pragma once
#include <dgraph/ops/flow_gradient.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <dgraph/ops/cond.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/gradient_loop.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

// Zeros for a value of which a branch or loop says nothing; of a handle: for what the variable holds. None where that is unknown.
DGRAPH_DECL Output flow_zeros(const GradientWalk& walk, Endpoint at) {
  GraphCore& core = walk.core();
  const Output value = output_at(core, at);
  if (value.dtype() != DType::Resource) return walk.ops().zeros_like(value);
  while (core.node(at.node).num_inputs > 0) at = core.node(at.node).inputs[0];
  const Node& node = core.node(at.node);
  if (!node.is("VarHandleOp") || !node.outputs[0].shape->fully_known()) return {};
  const Tensor zeros = filled_tensor(node.attr<DType>("dtype"), node.outputs[0].shape->to_shape(), 0);
  return add_constant(zeros, OpName(node.location), &core);
}

// The values of both branches for one from around them, of which a gradient is wanted.
struct TakenValue {
  Endpoint outer;
  Endpoint inner[2] = {};  // by branch; node is kNoNode where the branch does not use it
  Output gradient[2] = {};
};

DGRAPH_DECL std::vector<TakenValue> taken_values(const GradientWalk& walk, BranchContext* const (&sides)[2]) {
  std::vector<TakenValue> out;
  for (std::size_t side = 0; side < 2; ++side)
    for (const ValueContext::Capture& capture : sides[side]->captures()) {
      if (!walk.on_path(capture.inner)) continue;
      auto at = std::find_if(out.begin(), out.end(), [&](const TakenValue& v) { return v.outer == capture.outer; });
      if (at == out.end()) at = out.insert(at, TakenValue{capture.outer});
      at->inner[side] = capture.inner;
    }
  return out;
}

// The gradient loop around a branch or loop; null for none.
DGRAPH_DECL GradientLoop* gradient_loop_around(const FlowContext* context) {
  for (; context; context = context->parent())
    if (context->is_loop() && static_cast<const LoopContext*>(context)->gradient)
      return static_cast<const LoopContext*>(context)->gradient;
  return nullptr;
}

// Visits what is inside a branch or loop, from `where`, which computes its gradient. Values that it remembered for a gradient
// that is differentiated in turn get their parts over stacks.
DGRAPH_DECL void visit_from(GradientWalk& walk, const FlowContext& inside, ValueContext& where) {
  GraphCore& core = walk.core();
  GradientLoop* const loop = gradient_loop_around(&where);
  for (const GradientWalk::Returned& back : walk.returned)
    if (loop && core.node(back.value.node).flow == &inside)
      walk.arrive(back.value, output_at(core, loop->take_back(core, back.stack, back.value, back.pushed, where)));
  walk.visit_inside(inside);
  for (const FlowContext::Memory& memory : inside.memories()) {
    const Output part = walk.on_path(memory.popped) ? walk.take_dense(memory.popped) : Output();
    if (!loop || !part) continue;
    const Endpoint pushed = where.stand_in(core, part.endpoint());
    walk.returned.push_back({memory.value, loop->send_back(core, pushed, where), pushed});
  }
}

DGRAPH_DECL bool any_returned(const GradientWalk& walk, const FlowContext& context) {
  return std::any_of(walk.returned.begin(), walk.returned.end(), [&](const GradientWalk::Returned& back) {
    const FlowContext* const flow = walk.core().node(back.value.node).flow;
    return flow && flow->is_within(&context);
  });
}

// A conditional on the same predicate: each branch computes the gradient of the one like it.
DGRAPH_DECL void conditional_gradient(GradientWalk& walk, BranchContext& one) {
  if (!one.other()) return;
  BranchContext* const sides[] = {one.taken_if() ? one.other() : &one, one.taken_if() ? &one : one.other()};
  GraphCore& core = walk.core();
  std::vector<Output> dys;
  bool any = false;
  for (const BranchContext* side : sides) any = any || walk.any_within(*side) || any_returned(walk, *side);
  for (const NodeId merge : one.merges()) {
    dys.push_back(walk.on_path({merge, 0}) ? walk.take_dense({merge, 0}) : Output());
    any |= static_cast<bool>(dys.back());
  }
  std::vector<TakenValue> values = taken_values(walk, sides);
  if (!any || values.empty()) return;
  const SourceLocation at = core.node(one.merges()[0]).location;
  const auto names = name_scope("cond_grad");
  ValueContext* const around = value_context();
  Endpoint pred = around ? around->stand_in(core, one.pred()) : one.pred();
  if (!need_build_context().scope.controls.empty())
    pred = add_op<ops::Identity>(OpName("pred_id", at), output_at(core, pred)).endpoint();
  BranchContext* branches[2];
  for (std::size_t side = 0; side < 2; ++side) {
    branches[side] = &core.adopt(std::make_unique<BranchContext>(around, pred, side == 1, sides[side], at));
    const auto inside = flow_scope(branches[side]);
    for (std::size_t i = 0; i < dys.size(); ++i) {
      const Endpoint result = core.node(one.merges()[i]).inputs[side];
      if (dys[i] && walk.on_path(result))
        walk.arrive(result, output_at(core, branches[side]->stand_in(core, dys[i].endpoint())));
    }
    visit_from(walk, *sides[side], *branches[side]);
    for (TakenValue& value : values)
      if (value.inner[side].node != kNoNode) value.gradient[side] = walk.take_dense(value.inner[side]);
  }
  std::vector<std::pair<Endpoint, Endpoint>> results[2];
  for (std::size_t side = 0; side < 2; ++side) {
    const auto inside = flow_scope(branches[side]);
    for (TakenValue& value : values) {
      if (!value.gradient[0] && !value.gradient[1]) continue;
      if (!value.gradient[side]) value.gradient[side] = flow_zeros(walk, value.outer);
      if (value.gradient[side])
        value.gradient[side] = output_at(core, branches[side]->result(core, value.gradient[side].endpoint()));
    }
  }
  std::vector<NodeId> merges;
  for (const TakenValue& value : values) {
    if (!value.gradient[0] || !value.gradient[1]) continue;
    const std::vector<Output> both{value.gradient[0], value.gradient[1]};
    const Output merged = add_merge(core, both, at);
    merges.push_back(merged.node_id());
    walk.arrive(value.outer, merged);
  }
  BranchContext::join(*branches[0], *branches[1], std::move(merges));
}

// A loop of as many iterations, in reverse order.
class LoopGradient {
 public:
  LoopGradient(GradientWalk& walk, LoopContext& forward, GradientLoop* around)
      : walk_(walk), core_(walk.core()), forward_(forward),
        is_inner_(around != nullptr), memory_(forward, static_cast<ValueContext*>(walk.base()), around) {}

  void run() {
    const std::vector<LoopContext::Variable> variables = forward_.variables();
    bool any = walk_.any_within(forward_) || any_returned(walk_, forward_);
    for (const LoopContext::Variable& variable : variables) {
      if (!walk_.on_path({variable.take, 1})) continue;
      Active active{variable, 0, {}};
      if (variable.leave != kNoNode) active.gradient = walk_.take_dense({variable.leave, 0});
      any |= static_cast<bool>(active.gradient);
      active_.push_back(active);
    }
    for (const ValueContext::Capture& capture : forward_.captures())
      if (walk_.on_path(capture.inner)) sums_.push_back({capture, 0});
    if (!any || !forward_.settings().back_prop) return;
    const SourceLocation at = core_.node(forward_.first_output()).location;
    const auto names = name_scope("while_grad");
    LoopContext& backward = core_.adopt(
        std::make_unique<LoopContext>(core_, value_context(), forward_.settings(), &forward_, at));
    std::vector<NodeId> after = need_build_context().scope.controls;
    if (!is_inner_) after.insert(after.end(), walk_.completed.begin(), walk_.completed.end());
    memory_.begin(core_, backward, memory_.count_forward(core_, at), after);
    enter(backward);
    Endpoint ended;
    {
      const auto inside = flow_scope(&backward);
      memory_.open(core_);
      body(backward);
      ended = memory_.finish(core_);
    }
    if (!is_inner_) complete(ended, at);
    for (const Active& active : active_) walk_.arrive(active.forward.initial, left(backward, active.number));
    for (const Sum& sum : sums_) walk_.arrive(sum.capture.outer, left(backward, sum.number));
    backward.gradient = nullptr;
  }

 private:
  struct Active {
    LoopContext::Variable forward;
    std::size_t number;  // of the variable of the gradient loop
    Output gradient;     // of what leaves the loop
  };
  struct Sum {
    ValueContext::Capture capture;
    std::size_t number;
  };

  Output left(LoopContext& backward, std::size_t number) {
    return output_at(core_, backward.leave(core_, number));
  }

  // Loops begun later find all that this one returns. It may be in a branch that is not taken, which a ControlTrigger ignores.
  void complete(Endpoint ended, SourceLocation at) {
    if (walk_.returned.empty()) return;
    Scope scope = need_build_context().scope;
    scope.controls.clear();
    AddOptions options;
    options.location = at;
    options.scope = &scope;
    options.controls = std::span(&ended.node, 1);
    options.own_flow = true;
    options.flow = walk_.base();
    walk_.completed.push_back(core_.add(definition<ops::ControlTrigger>(), {}, {}, options));
  }

  void enter(LoopContext& backward) {
    for (Active& active : active_) {
      if (!active.gradient) active.gradient = flow_zeros(walk_, {active.forward.leave, 0});
      active.number = backward.add_variable(core_, active.gradient.endpoint(), core_.shape({active.forward.merge, 0}));
    }
    std::erase_if(sums_, [&](Sum& sum) {
      const Output zeros = flow_zeros(walk_, sum.capture.outer);
      if (zeros) sum.number = backward.add_variable(core_, zeros.endpoint(), zeros.shape());
      return !zeros;
    });
  }

  void body(LoopContext& backward) {
    std::vector<Output> sums;
    for (const Active& active : active_)
      walk_.arrive(active.forward.result, output_at(core_, backward.open(core_, active.number)));
    for (const Sum& sum : sums_) sums.push_back(output_at(core_, backward.open(core_, sum.number)));
    visit_from(walk_, forward_, backward);
    for (const Active& active : active_) {
      const Endpoint taken{active.forward.take, 1};
      Output next = walk_.take_dense(taken);
      if (!next) next = walk_.ops().zeros_like(output_at(core_, active.forward.body));
      backward.close(core_, active.number, next.endpoint());
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Output part = walk_.take_dense(sums_[i].capture.inner);
      const Output total = part ? add_op<ops::Add>(OpName(part.node().location), sums[i], part) : sums[i];
      backward.close(core_, sums_[i].number, total.endpoint());
    }
  }

  GradientWalk& walk_;
  GraphCore& core_;
  LoopContext& forward_;
  const bool is_inner_;
  GradientLoop memory_;
  std::vector<Active> active_;
  std::vector<Sum> sums_;
};

DGRAPH_DECL void flow_gradient(GradientWalk& walk, FlowContext& context) {
  if (auto* branch = dynamic_cast<BranchContext*>(&context)) return conditional_gradient(walk, *branch);
  LoopGradient(walk, static_cast<LoopContext&>(context), gradient_loop_around(value_context())).run();
}

}  // namespace dgraph::detail
