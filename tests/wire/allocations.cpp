#include <dgraph/base/buffer.hpp>

#include "support/catch.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "wire/hostile.hpp"

// Replaces the program's operator new, to see how much memory decoders ask for.

namespace {

std::atomic<std::size_t> largest_size{0}, total_size{0};

void* take(std::size_t size, std::size_t alignment) {
  std::size_t old = largest_size.load();
  while (old < size && !largest_size.compare_exchange_weak(old, size)) {
  }
  total_size += size;
  void* const memory =
      alignment == 0
          ? std::malloc(size ? size : 1)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* try_take(std::size_t size) noexcept {
  try {
    return take(size, 0);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t size) { return take(size, 0); }
void* operator new[](std::size_t size) { return take(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_take(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace dgraph::test {

void Allocated::reset() noexcept {
  largest_size = 0;
  total_size = 0;
}
std::size_t Allocated::largest() noexcept { return largest_size; }
std::size_t Allocated::total() noexcept { return total_size; }

}  // namespace dgraph::test

TEST_CASE("allocations of text and buffers are seen") {
  using dgraph::test::largest_allocation;
  CHECK(largest_allocation([] { CHECK(std::string(5000, 'x').size() == 5000); }) >= 5000);
  CHECK(largest_allocation([] { CHECK(dgraph::allocate_buffer(70000)->size() == 70000); }) >=
        70000);
}
