#pragma once
#include <dgraph/base/buffer.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace dgraph {
namespace detail {

// From here on memory is asked for in huge pages where the system has them: the faults of small ones would cost as much as
// writing the bytes.
inline constexpr std::size_t kHugeBuffer = std::size_t{4} << 20;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline std::align_val_t buffer_alignment(std::size_t bytes) noexcept {
  return std::align_val_t{bytes >= kHugeBuffer ? kHugePage : 64};
}

class HeapBuffer final : public Buffer {
 public:
  HeapBuffer(std::byte* data, std::size_t size) noexcept : Buffer(data, size) {}

 private:
  ~HeapBuffer() override = default;
  // Header and bytes are one allocation.
  void dispose() noexcept override {
    const std::align_val_t alignment = buffer_alignment(size());
    this->~HeapBuffer();
    ::operator delete(static_cast<void*>(this), alignment);
  }
};

}  // namespace detail

DGRAPH_DECL Ref<Buffer> allocate_buffer(std::size_t bytes) {
  constexpr std::size_t kHeader = (sizeof(detail::HeapBuffer) + 63) / 64 * 64;
  if (bytes > SIZE_MAX - kHeader) throw std::bad_alloc();
  void* memory = ::operator new(kHeader + bytes, detail::buffer_alignment(bytes));
#if defined(MADV_HUGEPAGE)
  // Best effort: without it all works, slower.
  if (bytes >= detail::kHugeBuffer) ::madvise(memory, kHeader + bytes, MADV_HUGEPAGE);
#endif
  return Ref<Buffer>::adopt(
      ::new (memory) detail::HeapBuffer(static_cast<std::byte*>(memory) + kHeader, bytes));
}

}  // namespace dgraph
