#pragma once
// What `run` and `make_callable` take and give: feeds, fetches and the types of their results.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/xtensor.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

template <class T>
class Variable;

/// A value for a node of the graph during one run: `{x, batch}`. Anything that `to_tensor` takes: numbers, strings, vectors,
/// xtensor containers and expressions of x's dtype; an rvalue container is moved in, `borrow(batch)` is not copied.
class Feed {
 public:
  template <Element T, class X>
    requires HostValue<X>
  Feed(const Op<T>& target, X&& value) : target_(target), value_(to_tensor<T>(std::forward<X>(value))) {}
  /// A variable has this value in the run, whatever it holds; nothing can write to it then.
  template <Element T, class X>
    requires HostValue<X>
  Feed(const Variable<T>& target, X&& value) : target_(target.ref()), value_(to_tensor<T>(std::forward<X>(value))) {}
  /// Untyped: throws InvalidArgument in `run` where the dtypes differ.
  Feed(const Output& target, Tensor value) : target_(target), value_(std::move(value)) {}

  const Output& target() const noexcept { return target_; }
  const Tensor& value() const noexcept { return value_; }

 private:
  Output target_;
  Tensor value_;
};

/// The feeds of one run: `session.run({{x, batch}, {y, labels}}, loss)`.
using Feeds = std::initializer_list<Feed>;

/// Fetches a value as a read-only xtensor container over the fetched memory: `session.run(dg::view(op))`; no copy.
template <Element T>
struct View {
  Op<T> op;
};
template <Element T>
View<T> view(const Op<T>& op) {
  return {op};
}

namespace detail {

/// What can be fetched, and what it gives. The primary template is for what cannot.
template <class F>
struct Fetched {
  static_assert(sizeof(F) == 0,
                "dgraph: run fetches graph values: Op<T>, Variable<T>, Output, Op<void>, dg::view(op); feeds and options come first");
};
template <Element T>
struct Fetched<Op<T>> {
  using type = xt::xarray<T>;
  static Output output(const Op<T>& op) { return op; }
  static type take(Tensor value) { return from_tensor<T>(std::move(value)); }
};
template <>
struct Fetched<Op<void>> {
  using type = void;
  static Output output(const Op<void>& op) { return op; }
};
template <class T>
struct Fetched<Variable<T>> {
  using type = xt::xarray<T>;
  static Output output(const Variable<T>& variable) { return variable.ref(); }
  static type take(Tensor value) { return from_tensor<T>(std::move(value)); }
};
template <>
struct Fetched<Output> {
  using type = Tensor;
  static Output output(const Output& output) { return output; }
  static type take(Tensor value) { return value; }
};
template <Element T>
struct Fetched<View<T>> {
  using type = TensorView<T>;
  static Output output(const View<T>& view) { return view.op; }
  static type take(const Tensor& value) { return tensor_view<T>(value); }
};

template <class F>
inline constexpr bool gives_value = !std::is_void_v<typename Fetched<F>::type>;

/// Nodes whose values come back, and nodes that are only run. An untyped Output without outputs is the latter.
struct RunNodes {
  std::vector<Output> fetches, targets;
  template <class F>
  void add(const F& fetch) {
    (gives_value<F> ? fetches : targets).push_back(Fetched<F>::output(fetch));
  }
};

/// The tuple of what the fetches give, without those that give nothing.
template <class... F>
using FetchTuple = decltype(std::tuple_cat(
    std::declval<std::conditional_t<gives_value<F>, std::tuple<typename Fetched<F>::type>, std::tuple<>>>()...));

template <class F>
auto take_one(std::vector<Tensor>& values, std::size_t& at) {
  if constexpr (gives_value<F>)
    return std::tuple<typename Fetched<F>::type>(Fetched<F>::take(std::move(values[at++])));
  else
    return std::tuple<>();
}

/// Nothing, the one value, or a tuple.
template <class... F>
auto take_results(std::vector<Tensor>& values) {
  using Tuple = FetchTuple<F...>;
  [[maybe_unused]] std::size_t at = 0;
  if constexpr (std::tuple_size_v<Tuple> == 0) {
    return;
  } else {
    // Braces: from left to right.
    std::tuple<decltype(take_one<F>(values, at))...> parts{take_one<F>(values, at)...};
    Tuple all = std::apply([](auto&&... part) { return std::tuple_cat(std::move(part)...); }, std::move(parts));
    if constexpr (std::tuple_size_v<Tuple> == 1)
      return std::get<0>(std::move(all));
    else
      return all;
  }
}

}  // namespace detail
}  // namespace dgraph
