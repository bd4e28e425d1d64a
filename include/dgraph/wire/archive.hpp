#pragma once
// OutArchive and InArchive: cereal archives over ByteWriter and ByteReader that believe no length
// (D15).
//
// Own save and load for the standard containers lie in the archives' namespace and win over
// cereal's, whether or not somebody includes cereal/types/*: cereal's own resize a container to any
// length that the input claims.

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <cereal/cereal.hpp>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/graph/attr.hpp>
#include <dgraph/wire/bytes.hpp>
#include <dgraph/wire/tensor_codec.hpp>

namespace dgraph::wire {

/// Writes numbers, text, containers of them and whatever has a cereal `serialize`, `save` or member
/// of these names.
class OutArchive : public cereal::OutputArchive<OutArchive, cereal::AllowEmptyClassElision> {
 public:
  /// Large tensors go to `bodies`.
  OutArchive(ByteWriter& to, std::vector<Body>& bodies)
      : OutputArchive(this), writer_(to), bodies_(bodies) {}
  ByteWriter& writer() noexcept { return writer_; }
  std::vector<Body>& bodies() noexcept { return bodies_; }

 private:
  ByteWriter& writer_;
  std::vector<Body>& bodies_;
};

/// Reads the same. Throws Error DataLoss where the input is malformed; what it takes is bounded by
/// what has arrived.
class InArchive : public cereal::InputArchive<InArchive, cereal::AllowEmptyClassElision> {
 public:
  static constexpr int kDeepest = 32;  ///< containers in containers

  InArchive(ByteReader& from, BodyReader& bodies)
      : InputArchive(this), reader_(from), bodies_(bodies) {}
  ByteReader& reader() noexcept { return reader_; }
  BodyReader& bodies() noexcept { return bodies_; }

  /// Held while the elements of a container are read.
  class Nested {
   public:
    explicit Nested(InArchive& archive) : archive_(archive) {
      if (++archive_.depth_ > kDeepest) {
        --archive_.depth_;
        archive_.reader().wrong("containers lie too deep in each other");
      }
    }
    Nested(const Nested&) = delete;
    ~Nested() { --archive_.depth_; }

   private:
    InArchive& archive_;
  };

 private:
  ByteReader& reader_;
  BodyReader& bodies_;
  int depth_ = 0;
};

}  // namespace dgraph::wire

CEREAL_SETUP_ARCHIVE_TRAITS(dgraph::wire::InArchive, dgraph::wire::OutArchive)

namespace dgraph::wire {

template <class A>
concept Archive = std::same_as<A, OutArchive> || std::same_as<A, InArchive>;

/// Bytes that a value takes at least; what a count is checked with. 1 where nothing better is
/// known.
template <class T>
inline constexpr std::size_t kLeastBytes = 1;
template <Number T>
inline constexpr std::size_t kLeastBytes<T> = sizeof(T);
template <class... Rest>
inline constexpr std::size_t kLeastBytes<std::basic_string<Rest...>> = 4;
template <class... Rest>
inline constexpr std::size_t kLeastBytes<std::vector<Rest...>> = 4;
template <class... Rest>
inline constexpr std::size_t kLeastBytes<std::map<Rest...>> = 4;
template <class A, class B>
inline constexpr std::size_t kLeastBytes<std::pair<A, B>> = kLeastBytes<A> + kLeastBytes<B>;
template <>
inline constexpr std::size_t kLeastBytes<Tensor> = kLeastTensor;
template <>
inline constexpr std::size_t kLeastBytes<AttrValue> = kLeastAttr;
template <>
inline constexpr std::size_t kLeastBytes<Shape> = kLeastShape;
template <>
inline constexpr std::size_t kLeastBytes<PartialShape> = kLeastShape;

template <class T>
concept NumberValue = Number<T> && !std::is_enum_v<T>;

// Numbers. Enumerations go by cereal's own rule: as their underlying type.
template <NumberValue T>
void save(OutArchive& ar, const T& value) {
  ar.writer().put(value);
}
template <NumberValue T>
void load(InArchive& ar, T& value) {
  ar.reader().get(value);
}
template <std::same_as<bool> T>
void save(OutArchive& ar, const T& value) {
  ar.writer().put(value);
}
template <std::same_as<bool> T>
void load(InArchive& ar, T& value) {
  ar.reader().get(value);
}
template <class Rep, class Period>
void save(OutArchive& ar, const std::chrono::duration<Rep, Period>& value) {
  ar(value.count());
}
template <class Rep, class Period>
void load(InArchive& ar, std::chrono::duration<Rep, Period>& value) {
  Rep count{};
  ar(count);
  value = std::chrono::duration<Rep, Period>(count);
}

// Text and containers: a count in 4 bytes, then the elements.
template <class Traits, class Alloc>
void save(OutArchive& ar, const std::basic_string<char, Traits, Alloc>& text) {
  ar.writer().put_text({text.data(), text.size()});
}
template <class Traits, class Alloc>
void load(InArchive& ar, std::basic_string<char, Traits, Alloc>& text) {
  const std::string_view from = ar.reader().get_text();
  text.assign(from.data(), from.size());
}

namespace detail {
template <class T>
inline constexpr bool kHostOrder = sizeof(T) == 1 || std::endian::native == std::endian::little;

// Lies in memory as it does on the wire.
template <class T>
concept AsBlock = kHostOrder<T> && (NumberValue<T> || std::same_as<T, std::byte>);
}  // namespace detail

template <class T, class Alloc>
void save(OutArchive& ar, const std::vector<T, Alloc>& values) {
  ar.writer().put_count(values.size());
  if constexpr (detail::AsBlock<T>) {
    ar.writer().put_bytes(values.data(), values.size() * sizeof(T));
  } else {
    for (const T& value : values) ar(value);
  }
}
template <class T, class Alloc>
void load(InArchive& ar, std::vector<T, Alloc>& values) {
  const std::size_t count = ar.reader().get_count(kLeastBytes<T>);
  values.clear();
  if constexpr (detail::AsBlock<T>) {
    const std::byte* from = ar.reader().take(count * sizeof(T));
    values.resize(count);
    if (count) std::memcpy(values.data(), from, count * sizeof(T));
  } else {
    const InArchive::Nested nested(ar);
    for (std::size_t i = 0; i < count; ++i) ar(values.emplace_back());
  }
}
template <class Alloc>
void save(OutArchive& ar, const std::vector<bool, Alloc>& values) {
  ar.writer().put_count(values.size());
  for (const bool value : values) ar.writer().put(value);
}
template <class Alloc>
void load(InArchive& ar, std::vector<bool, Alloc>& values) {
  const std::size_t count = ar.reader().get_count(1);
  values.clear();
  for (std::size_t i = 0; i < count; ++i) values.push_back(ar.reader().get_bool());
}
template <class Key, class Value, class Compare, class Alloc>
void save(OutArchive& ar, const std::map<Key, Value, Compare, Alloc>& values) {
  ar.writer().put_count(values.size());
  for (const auto& [key, value] : values) ar(key, value);
}
template <class Key, class Value, class Compare, class Alloc>
void load(InArchive& ar, std::map<Key, Value, Compare, Alloc>& values) {
  const std::size_t count = ar.reader().get_count(kLeastBytes<Key> + kLeastBytes<Value>);
  const InArchive::Nested nested(ar);
  values.clear();
  for (std::size_t i = 0; i < count; ++i) {
    std::pair<Key, Value> item;
    ar(item.first, item.second);
    values.insert_or_assign(values.end(), std::move(item.first), std::move(item.second));
  }
}
template <class T>
void save(OutArchive& ar, const std::optional<T>& value) {
  ar(value.has_value());
  if (value) ar(*value);
}
template <class T>
void load(InArchive& ar, std::optional<T>& value) {
  const InArchive::Nested nested(ar);
  bool given = false;
  ar(given);
  value.reset();
  if (given) ar(value.emplace());
}
template <Archive A, class First, class Second>
void serialize(A& ar, std::pair<First, Second>& value) {
  ar(value.first, value.second);
}

// The library's own values. Templates, so that nothing arrives here by conversion.
template <std::same_as<Tensor> T>
void save(OutArchive& ar, const T& value) {
  write_tensor(ar.writer(), ar.bodies(), value);
}
template <std::same_as<Tensor> T>
void load(InArchive& ar, T& value) {
  value = read_tensor(ar.reader(), ar.bodies());
}
template <std::same_as<AttrValue> T>
void save(OutArchive& ar, const T& value) {
  write_attr(ar.writer(), ar.bodies(), value);
}
template <std::same_as<AttrValue> T>
void load(InArchive& ar, T& value) {
  value = read_attr(ar.reader(), ar.bodies());
}
template <std::same_as<Shape> T>
void save(OutArchive& ar, const T& value) {
  write_shape(ar.writer(), value);
}
template <std::same_as<Shape> T>
void load(InArchive& ar, T& value) {
  value = read_shape(ar.reader());
}
template <std::same_as<PartialShape> T>
void save(OutArchive& ar, const T& value) {
  write_partial_shape(ar.writer(), value);
}
template <std::same_as<PartialShape> T>
void load(InArchive& ar, T& value) {
  value = read_partial_shape(ar.reader());
}
template <std::same_as<Status> T>
void save(OutArchive& ar, const T& value) {
  write_status(ar.writer(), value);
}
template <std::same_as<Status> T>
void load(InArchive& ar, T& value) {
  value = read_status(ar.reader());
}

}  // namespace dgraph::wire
