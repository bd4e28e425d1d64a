#pragma once
// map_fn, scan, foldl, foldr: a function over the elements of a tensor along its first axis, as a loop.

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/ops/flow_values.hpp>
#include <dgraph/ops/while_loop.hpp>

namespace dgraph {

struct FunctionalOptions {
  int parallel_iterations = 10;
  bool back_prop = true;      ///< false: no gradient passes through
  bool swap_memory = false;
  bool infer_shape = true;    ///< all results have one shape
};

namespace detail {

using ElementFunction = FunctionRef<std::vector<Output>(const std::vector<Output>&)>;
using FoldFunction = FunctionRef<std::vector<Output>(const std::vector<Output>&, const std::vector<Output>&)>;

/// The results for each element side by side; `dtypes`: of the results.
std::vector<Output> map_elements(const std::vector<Output>& elements, const std::vector<DType>& dtypes,
                                 ElementFunction function, const FunctionalOptions& options, const OpName& name);

struct FoldOrder {
  bool reverse = false;
  bool all = false;  ///< the value after each element, at its place; false: the last one
};
/// `initial` is empty where the first element is the first value.
std::vector<Output> fold_elements(const std::vector<Output>& elements, const std::vector<Output>& initial,
                                  FoldFunction function, FoldOrder order, const FunctionalOptions& options,
                                  const OpName& name);

// The dtypes of what a function returns.
template <class X>
struct FlowTypes {
  static void add(std::vector<DType>& out) { out.push_back(dtype_of<typename X::value_type>); }
};
template <class... X>
struct FlowTypes<std::tuple<X...>> {
  static void add(std::vector<DType>& out) { (FlowTypes<X>::add(out), ...); }
};

template <class F, class V>
decltype(auto) call_on_element(F& f, const V& element) {
  if constexpr (std::is_invocable_v<F&, const V&>)
    return f(element);
  else
    return std::apply(f, element);
}

template <class R, class A, class F, class E>
R fold(F& function, const E& elements, const std::vector<Output>& initial, FoldOrder order,
       const FunctionalOptions& options, const OpName& name) {
  using X = flow_type<E>;
  const auto step = [&](const std::vector<Output>& value, const std::vector<Output>& element) {
    return values_of(packed<A>(function(unpacked(A{}, value), unpacked(X{}, element)), name.location));
  };
  return unpacked(R{}, fold_elements(values_of(packed<E>(elements, name.location)), initial, step, order, options, name));
}

}  // namespace detail

/// `function` of each element of `elements` along the first axis, side by side. `elements` is a value or a tuple of values of one
/// first size, of which the function then takes one element each; it returns a value or a tuple: `map_fn([](auto x) { return
/// x * x; }, xs)`. Elements are worked on side by side, up to parallel_iterations.
template <class F, class E>
auto map_fn(F&& function, const E& elements, const FunctionalOptions& options = {}, OpName name = {}) {
  using X = detail::flow_type<E>;
  using R = detail::flow_type<decltype(detail::call_on_element(function, std::declval<const X&>()))>;
  std::vector<DType> dtypes;
  detail::FlowTypes<R>::add(dtypes);
  const auto each = [&](const std::vector<Output>& element) {
    return detail::values_of(
        detail::packed<R>(detail::call_on_element(function, detail::unpacked(X{}, element)), name.location));
  };
  return detail::unpacked(R{}, detail::map_elements(detail::values_of(detail::packed<E>(elements, name.location)), dtypes,
                                                    each, options, name));
}

/// @name value = function(value, element) for one element after another.
/// @{
/// All values, side by side; with `reverse` from the last element on, each value at its element's place.
template <class F, class E, class A>
auto scan(F&& function, const E& elements, const A& initializer, bool reverse = false,
          const FunctionalOptions& options = {}, OpName name = {}) {
  using R = detail::flow_type<A>;
  return detail::fold<R, R>(function, elements, detail::values_of(detail::packed<A>(initializer, name.location)),
                            {reverse, true}, options, name);
}
/// The first element is the first value.
template <class F, class E>
auto scan(F&& function, const E& elements) {
  using R = detail::flow_type<E>;
  return detail::fold<R, R>(function, elements, {}, {false, true}, {}, OpName());
}
/// The last value, from the first element to the last.
template <class F, class E, class A>
auto foldl(F&& function, const E& elements, const A& initializer, const FunctionalOptions& options = {},
           OpName name = {}) {
  using R = detail::flow_type<A>;
  return detail::fold<R, R>(function, elements, detail::values_of(detail::packed<A>(initializer, name.location)), {},
                            options, name);
}
template <class F, class E>
auto foldl(F&& function, const E& elements) {
  using R = detail::flow_type<E>;
  return detail::fold<R, R>(function, elements, {}, {}, {}, OpName());
}
/// The last value, from the last element to the first.
template <class F, class E, class A>
auto foldr(F&& function, const E& elements, const A& initializer, const FunctionalOptions& options = {},
           OpName name = {}) {
  using R = detail::flow_type<A>;
  return detail::fold<R, R>(function, elements, detail::values_of(detail::packed<A>(initializer, name.location)),
                            {true, false}, options, name);
}
template <class F, class E>
auto foldr(F&& function, const E& elements) {
  using R = detail::flow_type<E>;
  return detail::fold<R, R>(function, elements, {}, {true, false}, {}, OpName());
}
/// @}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/functional.ipp>
#endif
