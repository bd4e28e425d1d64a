#pragma once
#include <dgraph/base/buffer.hpp>

namespace dgraph {
namespace detail {

class HeapBuffer final : public Buffer {
 public:
  HeapBuffer(std::byte* data, std::size_t size) noexcept : Buffer(data, size) {}

 private:
  ~HeapBuffer() override = default;
  // Header and bytes are one allocation.
  void dispose() noexcept override {
    this->~HeapBuffer();
    ::operator delete(static_cast<void*>(this), std::align_val_t{64});
  }
};

}  // namespace detail

DGRAPH_DECL Ref<Buffer> allocate_buffer(std::size_t bytes) {
  constexpr std::size_t kHeader = (sizeof(detail::HeapBuffer) + 63) / 64 * 64;
  if (bytes > SIZE_MAX - kHeader) throw std::bad_alloc();
  void* memory = ::operator new(kHeader + bytes, std::align_val_t{64});
  return Ref<Buffer>::adopt(
      ::new (memory) detail::HeapBuffer(static_cast<std::byte*>(memory) + kHeader, bytes));
}

}  // namespace dgraph
