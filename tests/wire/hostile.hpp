#pragma once
// Bytes that nobody sane would send, and how much memory they cost.

#include <dgraph/base/link.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace dgraph::test {

/// What operator new was asked for since `reset`; counted in allocations.cpp.
struct Allocated {
  static void reset() noexcept;
  static std::size_t largest() noexcept;
  static std::size_t total() noexcept;
};

/// What `f` allocates at once, at most.
template <class F>
std::size_t largest_allocation(F f) {
  Allocated::reset();
  f();
  return Allocated::largest();
}

/// Calls `f` with all prefixes of `bytes`, with each bit of it flipped, and with lengths that hurt
/// at each offset.
template <class F>
void mangle(const std::vector<std::byte>& bytes, F f) {
  for (std::size_t size = 0; size < bytes.size(); ++size)
    f(std::vector<std::byte>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
  std::vector<std::byte> copy = bytes;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    copy[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    f(copy);
    copy[bit / 8] = bytes[bit / 8];
  }
  for (const std::uint64_t length :
       {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{0x7fffffff},
        std::uint64_t{1} << 30, std::uint64_t{0xffffffff}}) {
    for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
      for (std::size_t at = 0; at + width <= bytes.size(); ++at) {
        std::memcpy(copy.data() + at, &length, width);
        f(copy);
        std::memcpy(copy.data() + at, bytes.data() + at, width);
      }
    }
  }
}

inline std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % 8 == 0) out += ' ';
    constexpr char kDigits[] = "0123456789abcdef";
    out += kDigits[std::to_integer<unsigned>(bytes[i]) / 16];
    out += kDigits[std::to_integer<unsigned>(bytes[i]) % 16];
  }
  return out;
}

/// A frame as it arrives: bodies in memory of the receiver's own.
inline Frame arrived(const Frame& sent) {
  Frame out;
  out.head = sent.head;
  for (const Body& body : sent.bodies) {
    Ref<Buffer> buffer = allocate_buffer(body.size);
    std::byte* const data = buffer->data();
    if (body.size) std::memcpy(data, body.data, body.size);
    out.bodies.push_back({std::move(buffer), data, body.size});
  }
  return out;
}

}  // namespace dgraph::test
