#pragma once
// What can be fetched, and the types of the values: nodes, names, and containers and structs of them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/xtensor.hpp>
#include <dgraph/cluster/aggregate.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

template <class T>
class Variable;

/// Fetches a value as a read-only xtensor container over the fetched memory: `session.run(dg::view(op))`; no copy.
template <Element T>
struct View {
  Op<T> op;
};
template <Element T>
View<T> view(const Op<T>& op) {
  return {op};
}

/// Fetches a value as an X: `dg::as<float>(loss)` (InvalidArgument unless it has one element), `dg::as<std::string>(name)`,
/// `dg::as<std::vector<int>>(labels)` (of rank 1), `dg::as<xt::xtensor<float, 2>>(weights)` (of that rank).
template <class X>
struct As {
  Output op;
};
template <class X, Element T>
As<X> as(const Op<T>& op) {
  static_assert(std::is_same_v<host_element<X>, T>,
                "dgraph: as<X> needs an X whose elements have the value's dtype");
  return {op};
}
template <class X, class T>
As<X> as(const Variable<T>& variable) {
  static_assert(std::is_same_v<host_element<X>, T>,
                "dgraph: as<X> needs an X whose elements have the variable's dtype");
  return {variable.ref()};
}

namespace detail {

/// Collects the nodes whose values come back, and those that are only run.
struct RunNodes {
  explicit RunNodes(GraphCore& core) : graph(core) {}
  void fetch(const Output& output) { fetches.push_back(output); }
  void target(const Output& node) { targets.push_back(node); }
  /// A node known at run time only: where it has no outputs, it is run.
  void fetch_or_run(const Output& output) {
    const bool value = !output || output.core() != &graph || output.dtype() != DType::Invalid;
    value ? fetch(output) : target(output);
    has_value.push_back(value);
  }
  GraphCore& graph;
  std::vector<Output> fetches, targets;
  std::vector<bool> has_value;  // by calls of fetch_or_run
};

/// Gives the fetched values in the order in which RunNodes heard of them.
class Results {
 public:
  Results(std::vector<Tensor>& values, const std::vector<bool>& has_value)
      : values_(values), has_value_(has_value) {}
  Tensor take() { return std::move(values_[at_++]); }
  Tensor take_if_any() { return has_value_[asked_++] ? take() : Tensor(); }

 private:
  std::vector<Tensor>& values_;
  const std::vector<bool>& has_value_;
  std::size_t at_ = 0, asked_ = 0;
};

/// `type`: what fetching an F gives, void for nothing; `add` names its nodes; `take` makes the value. The primary template is
/// for what cannot be fetched.
template <class F>
struct Fetched {
  static_assert(sizeof(F) == 0,
                "dgraph: run fetches graph values: Op<T>, Variable<T>, Output, Op<void>, "
                "dg::view(op); feeds and options come first");
  using type = void;
};

/// How a fetch is kept beyond the call: a name as a string of its own.
template <class F>
using Stored = std::conditional_t<std::is_array_v<F> || std::is_same_v<F, const char*> ||
                                      std::is_same_v<F, std::string_view>,
                                  std::string, F>;

template <class F>
inline constexpr bool gives_value = !std::is_void_v<typename Fetched<F>::type>;

/// The tuple of what the fetches give, without those that give nothing.
template <class... F>
using FetchTuple = decltype(std::tuple_cat(
    std::declval<std::conditional_t<gives_value<F>, std::tuple<typename Fetched<F>::type>,
                                    std::tuple<>>>()...));

template <class F>
auto take_one(const F& fetch, Results& results) {
  if constexpr (gives_value<F>)
    return std::tuple<typename Fetched<F>::type>(Fetched<F>::take(fetch, results));
  else
    return std::tuple<>();
}
template <class... F>
FetchTuple<F...> take_tuple(Results& results, const F&... fetches) {
  // Braces: from left to right.
  std::tuple<decltype(take_one(fetches, results))...> parts{take_one(fetches, results)...};
  return std::apply([](auto&&... part) { return std::tuple_cat(std::move(part)...); },
                    std::move(parts));
}

/// Nothing, the one value, or a tuple.
template <class... F>
auto take_results(Results results, const F&... fetches) {
  using Tuple = FetchTuple<F...>;
  if constexpr (std::tuple_size_v<Tuple> == 0)
    return;
  else if constexpr (std::tuple_size_v<Tuple> == 1)
    return std::get<0>(take_tuple(results, fetches...));
  else
    return take_tuple(results, fetches...);
}

template <Element T>
struct Fetched<Op<T>> {
  using type = xt::xarray<T>;
  static void add(RunNodes& nodes, const Op<T>& op) { nodes.fetch(op); }
  static type take(const Op<T>&, Results& results) { return from_tensor<T>(results.take()); }
};
template <>
struct Fetched<Op<void>> {
  using type = void;
  static void add(RunNodes& nodes, const Op<void>& op) { nodes.target(op); }
};
template <class T>
struct Fetched<Variable<T>> {
  using type = xt::xarray<T>;
  static void add(RunNodes& nodes, const Variable<T>& variable) { nodes.fetch(variable.ref()); }
  static type take(const Variable<T>&, Results& results) { return from_tensor<T>(results.take()); }
};
/// Nothing is known of its dtype: a Tensor, without a value for a node without outputs.
template <>
struct Fetched<Output> {
  using type = Tensor;
  static void add(RunNodes& nodes, const Output& output) { nodes.fetch_or_run(output); }
  static type take(const Output&, Results& results) { return results.take_if_any(); }
};
/// "loss", "split:1".
template <>
struct Fetched<std::string_view> {
  using type = Tensor;
  static void add(RunNodes& nodes, std::string_view name) {
    nodes.fetch_or_run(nodes.graph.output(name));
  }
  static type take(std::string_view, Results& results) { return results.take_if_any(); }
};
template <>
struct Fetched<std::string> : Fetched<std::string_view> {};
template <>
struct Fetched<const char*> : Fetched<std::string_view> {};
template <std::size_t N>
struct Fetched<char[N]> : Fetched<std::string_view> {};

template <Element T>
struct Fetched<View<T>> {
  using type = TensorView<T>;
  static void add(RunNodes& nodes, const View<T>& view) { nodes.fetch(view.op); }
  static type take(const View<T>&, Results& results) { return tensor_view<T>(results.take()); }
};

template <class X>
struct Fetched<As<X>> {
  using type = X;
  static void add(RunNodes& nodes, const As<X>& as) { nodes.fetch(as.op); }
  static type take(const As<X>&, Results& results) {
    using T = host_element<X>;
    const Tensor value = results.take();
    const std::span<const T> flat = value.flat<T>();
    if constexpr (std::is_same_v<X, T>) {
      if (flat.size() != 1)
        fail(Code::InvalidArgument, "a value of shape ", value.shape(),
             " is fetched as one element");
      return flat[0];
    } else if constexpr (XtensorExpression<X>) {
      typename X::shape_type shape{};
      if constexpr (requires { std::tuple_size<typename X::shape_type>::value; })
        check_rank(value, std::tuple_size_v<typename X::shape_type>);
      else
        shape.resize(value.shape().rank());
      std::copy(value.shape().begin(), value.shape().end(), shape.begin());
      X out;
      out.resize(shape);
      std::copy(flat.begin(), flat.end(), out.begin());
      return out;
    } else {
      check_rank(value, 1);
      return X(flat.begin(), flat.end());
    }
  }
  static void check_rank(const Tensor& value, std::size_t rank) {
    if (value.shape().rank() != rank)
      fail(Code::InvalidArgument, "a value of shape ", value.shape(),
           " is fetched as a container of rank ", rank);
  }
};

template <class F>
struct Fetched<std::vector<F>> {
  using type = void;
  static void add(RunNodes& nodes, const std::vector<F>& list) {
    for (const F& fetch : list) Fetched<F>::add(nodes, fetch);
  }
};
template <class F>
requires(gives_value<F>) struct Fetched<std::vector<F>> {
  using type = std::vector<typename Fetched<F>::type>;
  static void add(RunNodes& nodes, const std::vector<F>& list) {
    for (const F& fetch : list) Fetched<F>::add(nodes, fetch);
  }
  static type take(const std::vector<F>& list, Results& results) {
    type out;
    for (const F& fetch : list) out.push_back(Fetched<F>::take(fetch, results));
    return out;
  }
};
template <class F, std::size_t N>
struct Fetched<std::array<F, N>> {
  using type = std::array<typename Fetched<F>::type, N>;
  static void add(RunNodes& nodes, const std::array<F, N>& list) {
    for (const F& fetch : list) Fetched<F>::add(nodes, fetch);
  }
  static type take(const std::array<F, N>& list, Results& results) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return type{Fetched<F>::take(list[I], results)...};
    }
    (std::make_index_sequence<N>());
  }
};
/// A map of what is fetched, with the same keys.
template <class K, class F>
struct Fetched<std::map<K, F>> {
  using type = std::map<K, typename Fetched<F>::type>;
  static void add(RunNodes& nodes, const std::map<K, F>& map) {
    for (const auto& [key, fetch] : map) Fetched<F>::add(nodes, fetch);
  }
  static type take(const std::map<K, F>& map, Results& results) {
    type out;
    for (const auto& [key, fetch] : map) out.emplace(key, Fetched<F>::take(fetch, results));
    return out;
  }
};
template <class... F>
struct Fetched<std::tuple<F...>> {
  using Tuple = FetchTuple<F...>;
  using type = std::conditional_t<std::tuple_size_v<Tuple> == 0, void, Tuple>;
  static void add(RunNodes& nodes, const std::tuple<F...>& list) {
    std::apply([&](const F&... fetch) { (Fetched<F>::add(nodes, fetch), ...); }, list);
  }
  static Tuple take(const std::tuple<F...>& list, Results& results) {
    return std::apply([&](const F&... fetch) { return take_tuple(results, fetch...); }, list);
  }
};
template <class A, class B>
struct Fetched<std::pair<A, B>> : Fetched<std::tuple<A, B>> {};

template <class Refs>
struct Unref;
template <class... F>
struct Unref<std::tuple<const F&...>> {
  using type = std::tuple<F...>;
};
/// A struct gives the tuple of what its fields give, in their order.
template <Aggregate F>
struct Fetched<F> {
  using Fields = typename Unref<decltype(fields(std::declval<const F&>()))>::type;
  using type = typename Fetched<Fields>::type;
  static void add(RunNodes& nodes, const F& whole) {
    Fetched<Fields>::add(nodes, Fields(fields(whole)));
  }
  static auto take(const F& whole, Results& results) {
    return Fetched<Fields>::take(Fields(fields(whole)), results);
  }
};

}  // namespace detail
}  // namespace dgraph
