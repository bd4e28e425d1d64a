#pragma once
#include <dgraph/graph/attr.hpp>

#include <cstring>
#include <functional>

namespace dgraph {
namespace detail {

DGRAPH_DECL std::uint64_t mix_hash(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t x = (seed ^ value) + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

DGRAPH_DECL bool equal_tensors(const Tensor& a, const Tensor& b) {
  constexpr std::size_t kMostCompared = 256;
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.raw() == b.raw()) return true;
  return is_plain(a.dtype()) && a.bytes() <= kMostCompared && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

}  // namespace detail

DGRAPH_DECL void AttrValue::wrong_kind() const {
  fail(Code::Internal, "attribute value ", *this, " was read as another kind");
}

DGRAPH_DECL std::string AttrValue::to_string() const {
  const auto element = [](const auto& x) -> std::string {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_same_v<T, DType>)
      return std::string(dtype_name(x));
    else if constexpr (std::is_same_v<T, std::string>)
      return '"' + x + '"';
    else
      return errors::text(x);
  };
  return std::visit(
      [&]<class T>(const T& x) -> std::string {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return "none";
        } else if constexpr (requires { x.begin(); } && !std::is_same_v<T, std::string>) {
          std::string out = "[";
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (i) out += ',';
            out += element(static_cast<const typename T::value_type&>(x[i]));
          }
          return out + "]";
        } else {
          return element(x);
        }
      },
      value_);
}

DGRAPH_DECL std::uint64_t AttrValue::hash() const {
  const auto element = []<class T>(const T& x) -> std::uint64_t {
    if constexpr (std::is_same_v<T, DType>) {
      return static_cast<std::uint64_t>(x);
    } else if constexpr (std::is_same_v<T, PartialShape>) {
      std::uint64_t h = x.has_rank();
      for (std::int64_t d : x.dims()) h = detail::mix_hash(h, static_cast<std::uint64_t>(d));
      return h;
    } else if constexpr (std::is_same_v<T, Tensor>) {
      std::uint64_t h = detail::mix_hash(static_cast<std::uint64_t>(x.dtype()), x.rank());
      for (std::int64_t d : x.shape()) h = detail::mix_hash(h, static_cast<std::uint64_t>(d));
      return h;
    } else {
      return std::hash<T>{}(x);
    }
  };
  return std::visit(
      [&]<class T>(const T& x) -> std::uint64_t {
        std::uint64_t h = value_.index();
        if constexpr (std::is_same_v<T, std::monostate>) {
          return h;
        } else if constexpr (requires { x.begin(); } && !std::is_same_v<T, std::string>) {
          for (std::size_t i = 0; i < x.size(); ++i)
            h = detail::mix_hash(h, element(static_cast<const typename T::value_type&>(x[i])));
          return h;
        } else {
          return detail::mix_hash(h, element(x));
        }
      },
      value_);
}

DGRAPH_DECL bool AttrValue::equal(const AttrValue& a, const AttrValue& b) {
  if (a.value_.index() != b.value_.index()) return false;
  if (const Tensor* t = std::get_if<Tensor>(&a.value_)) return detail::equal_tensors(*t, std::get<Tensor>(b.value_));
  return std::visit(
      [&]<class T>(const T& x) -> bool {
        if constexpr (std::is_same_v<T, Tensor>)
          return false;
        else
          return x == std::get<T>(b.value_);
      },
      a.value_);
}

}  // namespace dgraph
