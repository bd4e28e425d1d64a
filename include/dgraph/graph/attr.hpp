#pragma once
// AttrValue: the value of an op's attribute.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <dgraph/base/dtype.hpp>
#include <dgraph/base/shape.hpp>
#include <dgraph/base/tensor.hpp>

namespace dgraph {

/// One of TensorFlow's attribute kinds; a list attribute holds a vector. Float attributes are float32.
class AttrValue {
 public:
  using Variant =
      std::variant<std::monostate, std::int64_t, float, bool, std::string, DType, PartialShape, Tensor,
                   std::vector<std::int64_t>, std::vector<float>, std::vector<bool>, std::vector<std::string>,
                   std::vector<DType>, std::vector<PartialShape>>;

  AttrValue() = default;
  template <class T>
    requires std::is_integral_v<T> && (!std::is_same_v<T, bool>)
  AttrValue(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <class T>
    requires std::is_floating_point_v<T>
  AttrValue(T value) : value_(static_cast<float>(value)) {}
  AttrValue(bool value) : value_(value) {}
  AttrValue(const char* value) : value_(std::string(value)) {}
  AttrValue(std::string_view value) : value_(std::string(value)) {}
  AttrValue(std::string value) : value_(std::move(value)) {}
  AttrValue(DType value) : value_(value) {}
  AttrValue(Shape value) : value_(PartialShape(std::move(value))) {}
  AttrValue(PartialShape value) : value_(std::move(value)) {}
  AttrValue(Tensor value) : value_(std::move(value)) {}
  AttrValue(std::vector<std::int64_t> value) : value_(std::move(value)) {}
  AttrValue(std::vector<float> value) : value_(std::move(value)) {}
  AttrValue(std::vector<bool> value) : value_(std::move(value)) {}
  AttrValue(std::vector<std::string> value) : value_(std::move(value)) {}
  AttrValue(std::vector<DType> value) : value_(std::move(value)) {}
  AttrValue(std::vector<PartialShape> value) : value_(std::move(value)) {}

  bool has_value() const noexcept { return value_.index() != 0; }
  template <class T>
  bool holds() const noexcept {
    return std::holds_alternative<T>(value_);
  }
  /// The value; throws Internal where it is of another kind.
  template <class T>
  const T& get() const {
    if (const T* value = std::get_if<T>(&value_)) return *value;
    wrong_kind();
  }
  const Variant& variant() const noexcept { return value_; }
  /// "float32", "[1,2]", "true"; for messages.
  std::string to_string() const;
  std::uint64_t hash() const;
  /// Tensors are equal where they share dtype, shape and memory, or are small and equal in every bit.
  friend bool operator==(const AttrValue& a, const AttrValue& b) { return equal(a, b); }

 private:
  static bool equal(const AttrValue& a, const AttrValue& b);
  [[noreturn]] void wrong_kind() const;
  Variant value_;
};

namespace detail {
/// A hash of `value` that depends on all that went into `seed`.
std::uint64_t mix_hash(std::uint64_t seed, std::uint64_t value);
}  // namespace detail

/// The attributes of a node, in the order of its OpDef's.
using AttrList = std::vector<AttrValue>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/attr.ipp>
#endif
