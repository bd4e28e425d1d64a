#pragma once
// Random values for every field of the plain structs of messages.hpp, and comparison field by
// field: a field that is added to a struct and forgotten by the codec makes its round trip fail.

#include <dgraph/base/error.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/wire/hello.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace dgraph::test {

struct Anything {
  template <class T>
  operator T() const;
};

/// Where counting by trial fails: nothing converts to an optional unambiguously.
template <class S>
inline constexpr int kFields = 0;
template <>
inline constexpr int kFields<Hello> = 5;

template <class T>
auto tie_fields(T& s) {
  using S = std::remove_const_t<T>;
  constexpr Anything x{};
  if constexpr (requires { S{x, x, x, x, x, x, x, x, x, x}; }) {
    static_assert(!std::is_same_v<S, S>, "too many fields: extend tie_fields");
  } else if constexpr (requires { S{x, x, x, x, x, x, x, x, x}; }) {
    auto& [a, b, c, d, e, f, g, h, i] = s;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (requires { S{x, x, x, x, x, x, x, x}; }) {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (requires { S{x, x, x, x, x, x, x}; }) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (requires { S{x, x, x, x, x, x}; }) {
    auto& [a, b, c, d, e, f] = s;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (kFields<S> == 5 || requires { S{x, x, x, x, x}; }) {
    auto& [a, b, c, d, e] = s;
    return std::tie(a, b, c, d, e);
  } else if constexpr (requires { S{x, x, x, x}; }) {
    auto& [a, b, c, d] = s;
    return std::tie(a, b, c, d);
  } else if constexpr (requires { S{x, x, x}; }) {
    auto& [a, b, c] = s;
    return std::tie(a, b, c);
  } else if constexpr (requires { S{x, x}; }) {
    auto& [a, b] = s;
    return std::tie(a, b);
  } else {
    auto& [a] = s;
    return std::tie(a);
  }
}

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t limit) {
  return static_cast<std::size_t>(random() % limit);
}

inline std::string random_text(Random& random) {
  std::string out(below(random, 20), '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

inline Tensor random_tensor(Random& random) {
  constexpr DType kAll[] = {DType::Float32,    DType::Float64,  DType::Int32,  DType::UInt8,
                            DType::Int16,      DType::Int8,     DType::String, DType::Complex64,
                            DType::Int64,      DType::Bool,     DType::UInt16, DType::Float16,
                            DType::Complex128, DType::BFloat16, DType::UInt64};
  const DType dtype = kAll[below(random, std::size(kAll))];
  Dims dims;
  for (std::size_t rank = below(random, 5); rank > 0; --rank)
    dims.push_back(static_cast<std::int64_t>(below(random, 6)));
  if (below(random, 20) == 0) dims = Dims(9, 1);
  Tensor out(dtype, Shape(dims));
  if (dtype == DType::String) {
    for (std::string& text : out.mutable_flat<std::string>()) text = random_text(random);
  } else {
    for (std::size_t i = 0; i < out.bytes(); ++i)
      out.mutable_raw()[i] = static_cast<std::byte>(dtype == DType::Bool ? random() & 1 : random());
  }
  return out;
}

inline Body random_body(Random& random) {
  const std::size_t size = 1 + below(random, 100);
  Ref<Buffer> buffer = allocate_buffer(size);
  std::byte* const data = buffer->data();
  for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(random());
  return {std::move(buffer), data, size};
}

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};

template <class T>
void fill(T& value, Random& random) {
  if constexpr (std::is_same_v<T, bool>) {
    value = random() & 1;
  } else if constexpr (std::is_same_v<T, DType>) {
    value = DType::Float32;
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(random() & 1);
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = static_cast<T>(random());
  } else if constexpr (std::is_same_v<T, Duration>) {
    value = Duration(static_cast<std::int64_t>(random()));
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = random_text(random);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    value = random_tensor(random);
  } else if constexpr (std::is_same_v<T, Body>) {
    value = random_body(random);
  } else if constexpr (std::is_same_v<T, std::byte>) {
    value = static_cast<std::byte>(random());
  } else if constexpr (std::is_same_v<T, Status>) {
    value = Status();
    if (below(random, 3) == 0) return;
    value = Status(
        static_cast<Code>(1 + below(random, 16)), random_text(random),
        {random_text(random), random_text(random), "", random_text(random), random_text(random)});
    if (random() & 1) value.mark_derived();
  } else if constexpr (IsList<T>::value) {
    value.resize(below(random, 5));
    for (auto& item : value) fill(item, random);
  } else if constexpr (IsOptional<T>::value) {
    value.reset();
    if (random() & 1) fill(value.emplace(), random);
  } else if constexpr (IsPair<T>::value) {
    fill(value.first, random);
    fill(value.second, random);
  } else {
    std::apply([&](auto&... fields) { (fill(fields, random), ...); }, tie_fields(value));
  }
}

inline bool same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.dtype() == DType::String)
    return std::ranges::equal(a.flat<std::string>(), b.flat<std::string>());
  return a.bytes() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Status>) {
    return a.to_string() == b.to_string() && a.derived() == b.derived();
  } else if constexpr (std::is_same_v<T, Body>) {
    return std::ranges::equal(a.bytes(), b.bytes());
  } else if constexpr (requires {
                         { a == b } -> std::same_as<bool>;
                       } &&
                       !IsList<T>::value && !IsPair<T>::value && !IsOptional<T>::value) {
    return a == b;
  } else if constexpr (IsList<T>::value) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](const auto& x, const auto& y) { return same(x, y); });
  } else if constexpr (IsOptional<T>::value) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  } else if constexpr (IsPair<T>::value) {
    return same(a.first, b.first) && same(a.second, b.second);
  } else {
    const auto x = tie_fields(a), y = tie_fields(b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(x), std::get<I>(y)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(x)>>());
  }
}

}  // namespace dgraph::test
