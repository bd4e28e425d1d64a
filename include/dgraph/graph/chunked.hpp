#pragma once
// ChunkedArray: grows without moving its elements, so that readers need no lock; Arena: small arrays that live as long as it.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace dgraph::detail {

/// One thread appends at a time (the caller locks); any thread may read elements below `size()` meanwhile.
template <class T>
class ChunkedArray {
 public:
  ChunkedArray() = default;
  ChunkedArray(const ChunkedArray&) = delete;
  ChunkedArray& operator=(const ChunkedArray&) = delete;
  ~ChunkedArray() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  T& operator[](std::size_t i) const noexcept {
    const auto [chunk, offset] = place(i);
    return chunks_[chunk].load(std::memory_order_relaxed)[offset];
  }
  T& push_back(T value) {
    const std::size_t i = size_.load(std::memory_order_relaxed);
    const auto [chunk, offset] = place(i);
    T* memory = chunks_[chunk].load(std::memory_order_relaxed);
    if (!memory) {
      memory = new T[kFirst << chunk];
      chunks_[chunk].store(memory, std::memory_order_relaxed);
    }
    memory[offset] = std::move(value);
    size_.store(i + 1, std::memory_order_release);
    return memory[offset];
  }

 private:
  static constexpr std::size_t kFirst = 64;
  // Chunk k holds kFirst << k elements.
  static std::pair<std::size_t, std::size_t> place(std::size_t i) noexcept {
    const std::size_t k = static_cast<std::size_t>(std::bit_width(i / kFirst + 1)) - 1;
    return {k, i - ((std::size_t{1} << k) - 1) * kFirst};
  }
  std::atomic<T*> chunks_[40] = {};
  std::atomic<std::size_t> size_{0};
};

/// Bump allocation for trivially destructible elements.
class Arena {
 public:
  template <class T>
  T* allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
    if (count == 0) return nullptr;
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  template <class T>
  T* copy(std::span<const T> values) {
    T* out = allocate<T>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) ::new (static_cast<void*>(out + i)) T(values[i]);
    return out;
  }

 private:
  std::byte* take(std::size_t bytes) {
    bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
    if (bytes > kBlock / 4) return blocks_.emplace_back(new std::byte[bytes]).get();
    if (bytes > left_) {
      next_ = blocks_.emplace_back(new std::byte[kBlock]).get();
      left_ = kBlock;
    }
    std::byte* out = next_;
    next_ += bytes;
    left_ -= bytes;
    return out;
  }
  static constexpr std::size_t kBlock = 32 * 1024;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace dgraph::detail
