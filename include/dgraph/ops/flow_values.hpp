#pragma once
// What branches and loops take and give: values of the graph, C++ values that become constants, tuples of them, effects.

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/graph/output.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph::detail {

/// Values as they go through Switches, Merges and Enters; `effect`: a node that is only to be run.
struct FlowItem {
  Output value;
  bool effect = false;
};
using FlowItems = std::vector<FlowItem>;
std::vector<Output> values_of(const FlowItems& items);

/// How a value of type X is taken apart and put together again: `type` is what comes out at the other end.
template <class X>
struct FlowValue;

template <AnyOperand X>
struct FlowValue<X> {
  using type = Op<element_of<X>>;
  template <class From>
  static void pack(From&& x, FlowItems& items, SourceLocation at) {
    items.push_back({as_output<element_of<X>>(std::forward<From>(x), at, nullptr), false});
  }
  static type unpack(const type&, const Output*& at) { return type(*at++); }
};

template <>
struct FlowValue<Op<void>> {
  using type = Op<void>;
  static void pack(const Output& x, FlowItems& items, SourceLocation) { items.push_back({x, true}); }
  static type unpack(const type&, const Output*& at) { return type(*at++); }
};

template <>
struct FlowValue<Output> {
  using type = Output;
  static void pack(const Output& x, FlowItems& items, SourceLocation) { items.push_back({x, false}); }
  static type unpack(const type&, const Output*& at) { return *at++; }
};

template <>
struct FlowValue<std::vector<Output>> {
  using type = std::vector<Output>;
  static void pack(const std::vector<Output>& x, FlowItems& items, SourceLocation) {
    for (const Output& value : x) items.push_back({value, false});
  }
  static type unpack(const type& like, const Output*& at) {
    type out(at, at + like.size());
    at += like.size();
    return out;
  }
};

template <class... X>
struct FlowValue<std::tuple<X...>> {
  using type = std::tuple<typename FlowValue<std::remove_cvref_t<X>>::type...>;
  template <class From>
  static void pack(const From& x, FlowItems& items, SourceLocation at) {
    static_assert(std::tuple_size_v<From> == sizeof...(X), "dgraph: as many values are needed as the loop has variables");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (FlowValue<std::remove_cvref_t<X>>::pack(std::get<I>(x), items, at), ...);
    }(std::index_sequence_for<X...>{});
  }
  static type unpack(const type& like, const Output*& at) {
    // Braces: in the order of the elements.
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return type{FlowValue<std::remove_cvref_t<X>>::unpack(std::get<I>(like), at)...};
    }(std::index_sequence_for<X...>{});
  }
};
template <class A, class B>
struct FlowValue<std::pair<A, B>> : FlowValue<std::tuple<A, B>> {};

template <class X>
using flow_type = typename FlowValue<std::remove_cvref_t<X>>::type;

/// The type of both: a number beside a value of the graph takes its dtype.
template <class A, class B>
struct CommonFlow {
  using type = flow_type<A>;
};
template <AnyOperand A, AnyOperand B>
struct CommonFlow<A, B> {
  using type = Op<common_element<A, B>>;
};
template <class... A, class... B>
  requires(sizeof...(A) == sizeof...(B))
struct CommonFlow<std::tuple<A...>, std::tuple<B...>> {
  using type = std::tuple<typename CommonFlow<A, B>::type...>;
};

/// Of x what no value says, as an R: which array a TensorArray is, how long a vector is.
template <class R, class X>
struct FlowLike {
  static R of(const X& x) {
    if constexpr (std::is_same_v<R, X>)
      return x;
    else
      return R{};
  }
};
template <class... R, class... X>
  requires(sizeof...(R) == sizeof...(X))
struct FlowLike<std::tuple<R...>, std::tuple<X...>> {
  static std::tuple<R...> of(const std::tuple<X...>& x) {
    return std::apply([](const X&... each) { return std::tuple<R...>(FlowLike<R, X>::of(each)...); }, x);
  }
};

/// What FlowValue<T>::pack appends.
template <class T, class From>
FlowItems packed(From&& x, SourceLocation at) {
  FlowItems items;
  FlowValue<T>::pack(std::forward<From>(x), items, at);
  return items;
}
/// A T of these values; `like` says what no value says.
template <class T>
T unpacked(const T& like, const std::vector<Output>& values) {
  const Output* at = values.data();
  return FlowValue<T>::unpack(like, at);
}

}  // namespace dgraph::detail
