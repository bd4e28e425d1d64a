#pragma once
// ByteWriter and ByteReader: fixed-width little-endian numbers and text in memory, every read
// checked against what is left.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph::wire {

/// Numbers that travel as they are: integers, enumerations, float and double.
template <class T>
concept Number = !std::same_as<T, bool> && !std::same_as<T, long double> &&
                 (std::is_arithmetic_v<T> || std::is_enum_v<T>);

/// Little-endian, at any alignment.
template <Number T>
void store(std::byte* to, T value) noexcept {
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) {
    std::memcpy(to, &value, sizeof value);
  } else {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i) to[i] = bytes[sizeof value - 1 - i];
  }
}
template <Number T>
T load(const std::byte* from) noexcept {
  T value;
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) {
    std::memcpy(&value, from, sizeof value);
  } else {
    std::byte bytes[sizeof value];
    for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = from[sizeof value - 1 - i];
    std::memcpy(&value, bytes, sizeof value);
  }
  return value;
}

/// Appends to a vector, which has its right size once `finish` was called.
class ByteWriter {
 public:
  /// `room` bytes are set aside at once; more is taken as it is needed.
  explicit ByteWriter(std::vector<std::byte>& to, std::size_t room = 128)
      : to_(to), size_(to.size()) {
    to_.resize(size_ + room);
  }
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;

  std::size_t size() const noexcept { return size_; }
  /// The next `count` bytes, to be filled by the caller before the next call.
  std::byte* take(std::size_t count) {
    if (DGRAPH_UNLIKELY(to_.size() - size_ < count)) grow(count);
    std::byte* out = to_.data() + size_;
    size_ += count;
    return out;
  }
  template <Number T>
  void put(T value) {
    store(take(sizeof(T)), value);
  }
  void put(bool value) { put(static_cast<std::uint8_t>(value)); }
  void put_bytes(const void* from, std::size_t count) {
    if (count) std::memcpy(take(count), from, count);
  }
  /// Length in 4 bytes, then the text. Throws InvalidArgument for a text of 4 GiB.
  void put_text(std::string_view text);
  /// A count in 4 bytes. Throws InvalidArgument for more than 2^32 - 1.
  void put_count(std::size_t count) {
    if (DGRAPH_UNLIKELY(count > UINT32_MAX)) too_many(count);
    put(static_cast<std::uint32_t>(count));
  }
  /// Overwrites what was written at `at`.
  template <Number T>
  void patch(std::size_t at, T value) noexcept {
    store(to_.data() + at, value);
  }
  void finish() { to_.resize(size_); }

 private:
  void grow(std::size_t count);
  [[noreturn]] static void too_many(std::size_t count);
  std::vector<std::byte>& to_;
  std::size_t size_;
};

/// Reads what ByteWriter wrote. Throws Error DataLoss at the end of the bytes, before any memory is
/// taken.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> from) noexcept
      : begin_(from.data()), at_(from.data()), end_(from.data() + from.size()) {}

  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  const std::byte* take(std::size_t count) {
    if (DGRAPH_UNLIKELY(left() < count)) cut_short(count);
    const std::byte* out = at_;
    at_ += count;
    return out;
  }
  template <Number T>
  T get() {
    return load<T>(take(sizeof(T)));
  }
  template <Number T>
  void get(T& value) {
    value = get<T>();
  }
  /// Throws DataLoss unless 0 or 1.
  bool get_bool() {
    const auto value = get<std::uint8_t>();
    if (DGRAPH_UNLIKELY(value > 1)) wrong("a truth value is neither 0 nor 1");
    return value != 0;
  }
  void get(bool& value) { value = get_bool(); }
  /// Valid as long as the bytes are.
  std::string_view get_text() {
    const std::size_t size = get<std::uint32_t>();
    return {reinterpret_cast<const char*>(take(size)), size};
  }
  /// A count in 4 bytes of elements that take at least `least` (≥ 1) bytes each: never more than
  /// the bytes left hold.
  std::size_t get_count(std::size_t least) {
    const std::size_t count = get<std::uint32_t>();
    if (DGRAPH_UNLIKELY(count > left() / least)) too_many(count);
    return count;
  }
  /// Throws DataLoss where bytes are left over.
  void expect_end() const {
    if (DGRAPH_UNLIKELY(at_ != end_)) wrong("bytes are left over");
  }
  /// Throws DataLoss with the position.
  [[noreturn]] void wrong(std::string_view why) const;

 private:
  [[noreturn]] void cut_short(std::size_t wanted) const;
  [[noreturn]] void too_many(std::size_t count) const;
  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
};

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/bytes.ipp>
#endif
