#pragma once
// Order and flow: NoOp, group, tuple, Assert, Print, and the primitives of conditionals and loops.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Nothing; runs after its control inputs.
struct NoOp {
  static constexpr auto signature = "NoOp() -> ()";
};

/// Nothing; runs after its control inputs, also where some of them are dead.
struct ControlTrigger {
  static constexpr auto signature = "ControlTrigger() -> ()";
};

/// Fails the step with InvalidArgument and the first `summarize` elements of each of `data` where `condition` is false.
struct Assert {
  static constexpr auto signature =
      "Assert(condition: bool, data: T) -> (); T: list(type) >= 1; summarize: int = 3; stateful";
  static void shape(ShapeContext& c) { c.with_rank(0, 0); }
  static void gradient(GradientContext&) {}
};

/// Its input; writes `message` and the first `summarize` elements of each of `data` to the log of its task, the first `first_n`
/// times (-1: always).
struct Print {
  static constexpr auto signature =
      "Print(input: T, data: U) -> (output: T); T: type; U: list(type) >= 0; message: string = ''; first_n: int = -1; "
      "summarize: int = 3; stateful";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Passes data to output_true or output_false; the other is dead.
struct Switch {
  static constexpr auto signature = "Switch(data: T, pred: bool) -> (output_false: T, output_true: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

struct RefSwitch {
  static constexpr auto signature =
      "RefSwitch(data: Ref(T), pred: bool) -> (output_false: Ref(T), output_true: Ref(T)); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The first of its inputs that is alive, and its number.
struct Merge {
  static constexpr auto signature = "Merge(inputs: N * T) -> (output: T, value_index: int32); T: type; N: int >= 1";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

struct RefMerge {
  static constexpr auto signature =
      "RefMerge(inputs: Ref(N * T)) -> (output: Ref(T), value_index: int32); T: type; N: int >= 1";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Brings a value into the frame `frame_name`: into its first iteration, or into all where is_constant.
struct Enter {
  static constexpr auto signature =
      "Enter(data: T) -> (output: T); T: type; frame_name: string; is_constant: bool = false; "
      "parallel_iterations: int = 10";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

struct RefEnter {
  static constexpr auto signature =
      "RefEnter(data: Ref(T)) -> (output: Ref(T)); T: type; frame_name: string; is_constant: bool = false; "
      "parallel_iterations: int = 10";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// Brings a value out of its frame.
struct Exit {
  static constexpr auto signature = "Exit(data: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

struct RefExit {
  static constexpr auto signature = "RefExit(data: Ref(T)) -> (output: Ref(T)); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// Brings a value to the next iteration of its frame.
struct NextIteration {
  static constexpr auto signature = "NextIteration(data: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

struct RefNextIteration {
  static constexpr auto signature = "RefNextIteration(data: Ref(T)) -> (output: Ref(T)); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// The condition of a loop: decides all Switches of its frame.
struct LoopCond {
  static constexpr auto signature = "LoopCond(input: bool) -> (output: bool)";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank(0, 0)); }
  static void gradient(GradientContext&) {}
};

}  // namespace ops

namespace detail {
/// A NoOp that runs after all of these nodes. Throws InvalidArgument for an empty handle.
Output run_all(const std::vector<Output>& nodes, const OpName& name);
/// The same under a full name that a name scope has reserved.
Output run_all_named(const std::vector<Output>& nodes, const std::string& full_name, SourceLocation at);
/// Each value through an Identity on its own device, once all of them and `also` are there.
std::vector<Output> gated(const std::vector<Output>& values, const std::vector<Output>& also, const OpName& name);
}  // namespace detail

/// Does nothing.
Op<void> no_op(OpName name = {});

/// Runs all of these: `group({step, metrics}, "train")`. Its result is no value.
Op<void> group(const std::vector<Output>& nodes, OpName name = {});

/// The values, none of which is there before all of them, and all of `control_inputs`, are.
std::vector<Output> tuple(const std::vector<Output>& values, const std::vector<Output>& control_inputs = {},
                          OpName name = {});
/// The same, typed: `auto [a, b] = tuple(x, y)`.
template <class... T>
std::tuple<Op<T>...> tuple(const Op<T>&... values) {
  const std::vector<Output> out = detail::gated({values...}, {}, OpName("tuple"));
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<Op<T>...>(Op<T>(out[I])...);
  }(std::index_sequence_for<T...>());
}

/// x, once all of `dependencies` have run.
template <AnyOperand X>
Op<element_of<X>> with_dependencies(const std::vector<Output>& dependencies, X&& x, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(detail::gated({detail::as_output<T>(x, name.location, nullptr)}, dependencies, name)[0]);
}

/// Fails the step that runs it with InvalidArgument where `condition`, a bool scalar, is false; the message has the first
/// `summarize` elements of each of `data`.
template <AnyOperand C>
Op<void> assert_true(C&& condition, const std::vector<Output>& data, int summarize = 3, OpName name = {}) {
  const Output c = detail::as_output<bool>(condition, name.location, nullptr);
  return Op<void>(add_op<ops::Assert>(name.name.empty() ? OpName("Assert", name.location) : name, c, data, "summarize",
                                      summarize));
}

/// How `print` prints.
struct PrintOptions {
  std::string_view message;
  int first_n = -1;   ///< only this many times; -1: always
  int summarize = 3;  ///< elements of each tensor
};

/// x; when it passes, the first elements of each of `data` go to the log of its task.
template <AnyOperand X>
Op<element_of<X>> print(X&& x, const std::vector<Output>& data, const PrintOptions& options = {}, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(add_op<ops::Print>(name, detail::as_output<T>(x, name.location, nullptr), data, "message",
                                  options.message, "first_n", options.first_n, "summarize", options.summarize));
}

using ControlFlowOps = OpSet<ops::NoOp, ops::ControlTrigger, ops::Assert, ops::Print, ops::Switch, ops::RefSwitch,
                             ops::Merge, ops::RefMerge, ops::Enter, ops::RefEnter, ops::Exit, ops::RefExit,
                             ops::NextIteration, ops::RefNextIteration, ops::LoopCond>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/control_flow.ipp>
#endif
