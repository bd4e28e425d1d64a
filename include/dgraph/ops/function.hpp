#pragma once
// function: a named part of a graph that is called with values, and handed to datasets as a value.

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/graph/function_body.hpp>
#include <dgraph/ops/flow_values.hpp>

namespace dgraph {
namespace detail {

/// A function as a value: its body, and values from outside that each call hands it after its own arguments.
struct TracedFunction {
  Tensor value;
  std::vector<Output> captured;
  std::vector<DType> result_dtypes;
  std::vector<PartialShape> result_shapes;
};

using FunctionTrace = FunctionRef<std::vector<Output>(const std::vector<Output>&)>;

/// Builds a graph of its own by calling `build` with placeholders. Values that it takes from graphs around become arguments more.
/// Throws InvalidArgument for a result that is a handle of a variable; it is read.
TracedFunction trace_function(const std::string& name, const std::vector<DType>& dtypes,
                              const std::vector<PartialShape>& shapes, FunctionTrace build, SourceLocation at);

/// Marks a function as being built in this thread; throws InvalidArgument where it is already: it calls itself.
class FunctionEntry {
 public:
  FunctionEntry(const void* function, const std::string& name);
  FunctionEntry(const FunctionEntry&) = delete;
  FunctionEntry& operator=(const FunctionEntry&) = delete;
  ~FunctionEntry();

 private:
  const void* function_;
  FunctionEntry* outer_;
};

}  // namespace detail

/// What `function` gives: called with values of the graph, numbers or arrays of dtypes T, it adds its nodes to the graph that is
/// being built, in a name scope of its own ("name/", "name_1/"). Placement, control dependencies and gradients are those of its
/// nodes. A dataset takes it as any callable. Copies are the same function.
template <class F, class... T>
class GraphFunction {
 public:
  GraphFunction(std::string name, F build) : held_(std::make_shared<Held>(Held{std::move(name), std::move(build)})) {}
  const std::string& name() const noexcept { return held_->name; }

  /// What the function returns. Throws InvalidArgument where the function, while it is being called, calls itself.
  template <class... X>
    requires(sizeof...(X) == sizeof...(T))
  auto operator()(const X&... x) const {
    const detail::FunctionEntry entry(held_.get(), held_->name);
    // Braces: in the order of the arguments, which are built outside the scope.
    const std::tuple<Op<T>...> arguments{Op<T>(detail::as_output<T>(x, SourceLocation(), nullptr))...};
    const ScopeGuard scope = name_scope(held_->name);
    return std::apply(held_->build, arguments);
  }

 private:
  struct Held {
    std::string name;
    F build;
  };
  std::shared_ptr<Held> held_;
};

/// A named function of the graph: `auto hypotenuse = dg::function<float, float>("hypotenuse", [](auto x, auto y) { ... });`.
/// T are the dtypes of its arguments; `build` takes an Op<T> for each and returns values. It cannot call itself: a loop is a
/// `while_loop`. Throws InvalidArgument for what is no name of a node.
template <Element... T, class F>
auto function(std::string name, F build) {
  detail::check_node_name(name);
  return GraphFunction<F, T...>(std::move(name), std::move(build));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/function.ipp>
#endif
