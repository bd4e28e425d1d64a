#pragma once
// Stacks: values that a loop keeps for its gradient, last in first out. They live as long as the step.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// A handle of a new, empty stack of this step; `max_size` below 0: of any size.
struct StackV2 {
  static constexpr auto signature =
      "StackV2(max_size: int32) -> (handle: resource); elem_type: type; stack_name: string = ''; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};

/// Puts `elem` on the stack and gives it on. InvalidArgument beyond max_size, and for a value of another dtype than the stack's.
struct StackPushV2 {
  static constexpr auto signature =
      "StackPushV2(handle: resource, elem: T) -> (output: T); T: type; swap_memory: bool = false; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(1)); }
};

/// Takes what was put last. InvalidArgument where the stack is empty.
struct StackPopV2 {
  static constexpr auto signature = "StackPopV2(handle: resource) -> (elem: elem_type); elem_type: type; stateful";
  static void shape(ShapeContext&) {}
};

/// Empties the stack; it takes no more.
struct StackCloseV2 {
  static constexpr auto signature = "StackCloseV2(handle: resource) -> (); stateful";
  static void shape(ShapeContext&) {}
};

}  // namespace ops

using StackOps = OpSet<ops::StackV2, ops::StackPushV2, ops::StackPopV2, ops::StackCloseV2>;

}  // namespace dgraph
