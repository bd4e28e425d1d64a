#pragma once
#include <dgraph/ops/while_loop.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/flow_context.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {

DGRAPH_DECL Output IterationLimit::value(SourceLocation at) const {
  if (value_) return value_;
  return detail::add_constant(Tensor::scalar(count_), OpName(at), nullptr);
}

namespace detail {

DGRAPH_DECL void check_while(const std::vector<Output>& initial, const WhileOptions& options) {
  if (initial.empty()) fail(Code::InvalidArgument, "while_loop: no loop variables");
  if (options.parallel_iterations < 1)
    fail(Code::InvalidArgument, "while_loop: parallel_iterations must be at least 1, not ",
         options.parallel_iterations);
  const auto& shapes = options.shape_invariants;
  if (!shapes.empty() && shapes.size() != initial.size())
    fail(Code::InvalidArgument, "while_loop: ", shapes.size(), " shape invariants for ", initial.size(),
         " loop variables");
  for (std::size_t i = 0; i < initial.size(); ++i) {
    need_build_context().core->check_mine(initial[i]);
    if (!shapes.empty() && !shapes[i].compatible_with(initial[i].shape()))
      fail(Code::InvalidArgument, "while_loop: the shape invariant ", shapes[i], " does not fit loop variable ", i, ", ",
           initial[i].name(), ", of shape ", initial[i].shape());
  }
}

DGRAPH_DECL std::vector<Output> build_while(LoopCondition condition, LoopBody body, const std::vector<Output>& initial,
                                            const WhileOptions& options, const OpName& name) {
  GraphCore& core = *need_build_context().core;
  check_while(initial, options);
  const auto names = name_scope(name.name.empty() ? "while" : name.name);
  const std::vector<NodeId> after = need_build_context().scope.controls;
  const LoopSettings settings{options.parallel_iterations, options.back_prop, options.swap_memory};
  const bool limited = options.maximum_iterations.is_set();
  Output limit, zero;
  if (limited) {
    limit = options.maximum_iterations.value(name.location);
    zero = add_constant(scalar_tensor(limit.dtype(), 0), OpName(name.location), nullptr);
  }
  LoopContext& loop =
      core.adopt(std::make_unique<LoopContext>(core, value_context(), settings, nullptr, name.location));
  // Beside the limit a counter, the first of the variables.
  const std::size_t first = limited ? 1 : 0, count = first + initial.size();
  if (limited) loop.add_variable(core, zero.endpoint(), PartialShape::scalar(), after);
  for (std::size_t i = 0; i < initial.size(); ++i) {
    // A variable's handle stands for its value.
    const Output value = initial[i].is_ref() ? add_op<ops::Identity>(OpName(name.location), initial[i]) : initial[i];
    loop.add_variable(core, value.endpoint(),
                      options.shape_invariants.empty() ? value.shape() : options.shape_invariants[i], after);
  }
  {
    const auto inside = flow_scope(&loop);
    std::vector<Output> values;
    for (std::size_t i = first; i < count; ++i) values.push_back(output_at(core, loop.merged(i)));
    Output go_on = condition(values);
    core.check_mine(go_on);
    if (limited) {
      const Output more = add_op<ops::Less>(OpName(name.location), output_at(core, loop.merged(0)), limit);
      go_on = add_op<ops::LogicalAnd>(OpName(name.location), more, go_on);
    }
    loop.set_condition(core, go_on.endpoint());
    values.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const Output value = output_at(core, loop.open(core, i));
      if (i >= first) values.push_back(value);
    }
    const std::vector<Output> next = body(values);
    if (next.size() != initial.size())
      fail(Code::InvalidArgument, "while_loop: the body gives ", next.size(), " values for ", initial.size(),
           " loop variables");
    if (limited) {
      const Output one = add_constant(scalar_tensor(limit.dtype(), 1), OpName(name.location), nullptr);
      loop.close(core, 0, add_op<ops::Add>(OpName(name.location), output_at(core, loop.variables()[0].body), one).endpoint());
    }
    for (std::size_t i = 0; i < initial.size(); ++i) {
      core.check_mine(next[i]);
      const Endpoint stand_in = loop.stand_in(core, next[i].endpoint());
      loop.check_result(core, first + i, stand_in);
      loop.close(core, first + i, stand_in);
    }
  }
  std::vector<Output> out;
  for (std::size_t i = first; i < count; ++i) out.push_back(output_at(core, loop.leave(core, i)));
  return out;
}

}  // namespace detail
}  // namespace dgraph
