#pragma once
#include <dgraph/base/buffer.hpp>

#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>
#endif

namespace dgraph {
namespace detail {

// From here on memory is asked for in huge pages where the system has them: the faults of small ones would cost as much as
// writing the bytes.
inline constexpr std::size_t kHugeBuffer = std::size_t{4} << 20;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

#if defined(__linux__)
// The number behind `key` in a file of the kernel's; `otherwise` where there is none.
DGRAPH_DECL std::size_t kernel_number(const char* path, const char* key, std::size_t otherwise) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return otherwise;
  char text[4096];
  const auto size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return otherwise;
  text[size] = '\0';
  const char* at = std::strstr(text, key);
  if (!at) return otherwise;
  at += std::strlen(key);
  char* end = nullptr;
  const unsigned long long value = std::strtoull(at, &end, 10);
  return end == at ? otherwise : static_cast<std::size_t>(value);
}
#endif

DGRAPH_DECL void check_memory(std::size_t bytes) {
#if defined(__linux__)
  constexpr std::size_t kLarge = std::size_t{256} << 20;
  if (bytes < kLarge) return;
  const char* const system = "/proc/meminfo";
  const std::size_t free = kernel_number(system, "MemAvailable:", SIZE_MAX >> 12);
  const std::size_t swap = kernel_number(system, "SwapFree:", 0);
  // A container's own limit; "max" where it has none.
  const std::size_t most = kernel_number("/sys/fs/cgroup/memory.max", "", SIZE_MAX);
  if (bytes >> 10 > free + swap || bytes > most) throw std::bad_alloc();
#else
  static_cast<void>(bytes);
#endif
}

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
  detail::check_memory(bytes);
  void* memory = ::operator new(kHeader + bytes, detail::buffer_alignment(bytes));
#if defined(MADV_HUGEPAGE)
  // Best effort: without it all works, slower.
  if (bytes >= detail::kHugeBuffer) ::madvise(memory, kHeader + bytes, MADV_HUGEPAGE);
#endif
  return Ref<Buffer>::adopt(
      ::new (memory) detail::HeapBuffer(static_cast<std::byte*>(memory) + kHeader, bytes));
}

}  // namespace dgraph
