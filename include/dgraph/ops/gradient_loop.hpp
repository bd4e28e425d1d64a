#pragma once
// GradientLoop: what a loop keeps of each iteration for the loop that computes its gradient, and in which order.

#include <vector>

#include <dgraph/ops/flow_context.hpp>

namespace dgraph::detail {

/// Adds a counter to the loop whose gradient is computed, which ends as the number of iterations; the other loop counts it down.
/// Values go over stacks: what an iteration pushes is there before the next one pushes, and they are popped in reverse.
class GradientLoop {
 public:
  /// `base`: where `gradients` was called; stacks are made there. `around`: the gradient loop that this one is inside, if any.
  GradientLoop(LoopContext& forward, ValueContext* base, GradientLoop* around) noexcept
      : forward_(forward), base_(base), around_(around) {}

  /// Adds the counter to the forward loop; the number of iterations, as a value around that loop.
  Endpoint count_forward(GraphCore& core, SourceLocation location);
  /// Makes the first variable of the loop and its condition: as often as the forward loop, after these.
  void begin(GraphCore& core, LoopContext& backward, Endpoint count, std::span<const NodeId> after);
  /// Opens the counter; after all variables are added.
  void open(GraphCore& core);
  /// What stands in `where`, inside the gradient loop, for a value of the forward loop's same iteration.
  Endpoint remembered(GraphCore& core, Endpoint value, ValueContext& where);
  /// Puts a gradient that is computed in `where`, inside the gradient loop, on a stack; the stack.
  Endpoint send_back(GraphCore& core, Endpoint gradient, ValueContext& where);
  /// Takes one from a stack, in `where`: what `pushed` was there, of the shape of `like`.
  Endpoint take_back(GraphCore& core, Endpoint stack, Endpoint like, Endpoint pushed, ValueContext& where);
  /// Ends both counters; the gradient loop's after it. Nothing can be remembered any more.
  Endpoint finish(GraphCore& core);

 private:
  Endpoint stack_of(GraphCore& core, Endpoint value);
  Endpoint add(GraphCore& core, const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> attrs,
               ValueContext* flow, std::span<const NodeId> controls, std::span<const PartialShape> shapes = {}) const;
  void count(GraphCore& core, LoopContext& loop, std::size_t number, const std::vector<NodeId>& after, bool up) const;
  Endpoint integer(GraphCore& core, ValueContext* flow, std::int32_t value) const;

  LoopContext& forward_;
  ValueContext* const base_;
  GradientLoop* const around_;
  LoopContext* backward_ = nullptr;
  SourceLocation location_;
  std::size_t forward_counter_ = 0;
  std::vector<NodeId> pushes_, pops_;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/flow_context.ipp>
#include <dgraph/ops/impl/gradient_loop.ipp>
#endif
