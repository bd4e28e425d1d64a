#pragma once
// Takes a fuzzer's bytes apart.

#include <dgraph/base/link.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fuzz {

/// What is missing at the end reads as zero.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::uint16_t number() {
    const unsigned low = byte();
    return static_cast<std::uint16_t>(low | static_cast<unsigned>(byte()) << 8);
  }
  /// Up to 15 bodies; one of size 0xffff was refused.
  std::vector<dgraph::Body> bodies() {
    std::vector<std::uint16_t> sizes(byte() % 16);
    for (std::uint16_t& size : sizes) size = number();
    std::vector<dgraph::Body> out;
    for (const std::uint16_t size : sizes) {
      if (size == 0xffff) {
        out.emplace_back();
        continue;
      }
      const std::size_t count = std::min<std::size_t>(size, left_);
      dgraph::Ref<dgraph::Buffer> buffer = dgraph::allocate_buffer(count);
      std::byte* const at = buffer->data();
      if (count) std::memcpy(at, data_, count);
      data_ += count;
      left_ -= count;
      out.push_back({std::move(buffer), at, count});
    }
    return out;
  }
  std::vector<std::byte> rest() {
    const auto* from = reinterpret_cast<const std::byte*>(data_);
    return {from, from + left_};
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace fuzz
