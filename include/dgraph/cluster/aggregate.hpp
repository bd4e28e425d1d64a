#pragma once
// The fields of an aggregate, as a tuple of references: a struct of graph values can be fetched as it is.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace dgraph::detail {

// Stands for a value of any field, the I-th.
template <class Whole, std::size_t I>
struct AnyField {
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Whole>) operator T() const;
};

template <class Whole, std::size_t... I>
constexpr bool takes_fields(std::index_sequence<I...>) {
  return requires { Whole{AnyField<Whole, I>{}...}; };
}

inline constexpr std::size_t kMostFields = 12;

/// How many fields an aggregate has, none of which is an array; at most kMostFields.
template <class Whole, std::size_t N = kMostFields>
consteval std::size_t count_fields() {
  if constexpr (N == 0)
    return 0;
  else if constexpr (takes_fields<Whole>(std::make_index_sequence<N>()))
    return N;
  else
    return count_fields<Whole, N - 1>();
}

template <class T>
concept Aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !std::is_empty_v<T>;

template <Aggregate T>
constexpr auto fields(const T& whole) {
  constexpr std::size_t count = count_fields<T>();
  static_assert(count > 0, "dgraph: the fields of this struct cannot be told apart");
#define DGRAPH_DETAIL_FIELDS(number, ...) \
  if constexpr (count == number) {        \
    const auto& [__VA_ARGS__] = whole;    \
    return std::tie(__VA_ARGS__);         \
  } else
  DGRAPH_DETAIL_FIELDS(1, a)
  DGRAPH_DETAIL_FIELDS(2, a, b)
  DGRAPH_DETAIL_FIELDS(3, a, b, c)
  DGRAPH_DETAIL_FIELDS(4, a, b, c, d)
  DGRAPH_DETAIL_FIELDS(5, a, b, c, d, e)
  DGRAPH_DETAIL_FIELDS(6, a, b, c, d, e, f)
  DGRAPH_DETAIL_FIELDS(7, a, b, c, d, e, f, g)
  DGRAPH_DETAIL_FIELDS(8, a, b, c, d, e, f, g, h)
  DGRAPH_DETAIL_FIELDS(9, a, b, c, d, e, f, g, h, i)
  DGRAPH_DETAIL_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  DGRAPH_DETAIL_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  DGRAPH_DETAIL_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l) {}
#undef DGRAPH_DETAIL_FIELDS
}

}  // namespace dgraph::detail
