#pragma once
// while_loop: a body that runs as long as a condition on its own results holds.

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/ops/flow_values.hpp>

namespace dgraph {

/// The most iterations that a loop runs: none, a number, or an integer scalar of the graph.
class IterationLimit {
 public:
  IterationLimit() noexcept = default;
  template <std::integral I>
  IterationLimit(I count) : count_(static_cast<std::int64_t>(count)), is_set_(true) {}
  IterationLimit(const Output& count) : value_(count), is_set_(true) {}
  bool is_set() const noexcept { return is_set_; }
  /// In the graph: the value given, or a constant.
  Output value(SourceLocation at) const;

 private:
  Output value_;
  std::int64_t count_ = 0;
  bool is_set_ = false;
};

struct WhileOptions {
  int parallel_iterations = 10;   ///< iterations that may be under way at once; at least 1
  bool back_prop = true;          ///< false: no gradient passes through the loop
  bool swap_memory = false;       ///< TensorFlow's attribute of what is kept for the gradient; nothing is swapped here
  IterationLimit maximum_iterations = {};
  /// For each loop variable a shape that it has in every iteration; empty: the shapes of the initial values.
  std::vector<PartialShape> shape_invariants = {};
};

namespace detail {

using LoopCondition = FunctionRef<Output(const std::vector<Output>&)>;
using LoopBody = FunctionRef<std::vector<Output>(const std::vector<Output>&)>;

/// The values of the loop variables after the loop.
std::vector<Output> build_while(LoopCondition condition, LoopBody body, const std::vector<Output>& initial,
                                const WhileOptions& options, const OpName& name);

// Loop variables as arguments: those of a tuple one by one.
template <class V, class F>
decltype(auto) call_with(F& f, const V& variables) {
  return f(variables);
}
template <class... V, class F>
decltype(auto) call_with(F& f, const std::tuple<V...>& variables) {
  return std::apply(f, variables);
}

}  // namespace detail

/// Runs `body` as long as `condition` holds and returns the last values of the loop variables, as what was given first: a value, a
/// tuple of values or a std::vector<Output>. `auto [i, x] = dg::while_loop([&](auto i, auto) { return i < n; },
/// [&](auto i, auto x) { return std::tuple(i + 1, x * a); }, std::tuple(dg::constant(0), y));` Both are called once, now, with the
/// variables as Op<T>; `body` returns their next values, of the same dtypes and of shapes that fit (see shape_invariants).
/// Values from outside are taken as they are before the loop; a variable is read before it, unless control dependencies inside
/// ask for an order. Iterations run side by side where their values allow it, up to parallel_iterations.
template <class C, class B, class V>
auto while_loop(C&& condition, B&& body, const V& loop_variables, const WhileOptions& options = {}, OpName name = {}) {
  using R = detail::flow_type<V>;
  const SourceLocation at = name.location;
  const std::vector<Output> initial = detail::values_of(detail::packed<V>(loop_variables, at));
  const R like = detail::FlowLike<R, V>::of(loop_variables);
  const auto arguments = [&](const std::vector<Output>& values) { return detail::unpacked(like, values); };
  return arguments(detail::build_while(
      [&](const std::vector<Output>& values) {
        return detail::as_output<bool>(detail::call_with(condition, arguments(values)), at, nullptr);
      },
      [&](const std::vector<Output>& values) {
        return detail::values_of(detail::packed<R>(detail::call_with(body, arguments(values)), at));
      },
      initial, options, name));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/while_loop.ipp>
#endif
