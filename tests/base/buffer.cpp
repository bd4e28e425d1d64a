#include <dgraph/base/buffer.hpp>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace dgraph;

namespace {
struct Thing : Counted {
  explicit Thing(int& gone) : gone_(gone) {}
  ~Thing() override { ++gone_; }
  int& gone_;
};
}  // namespace

TEST_CASE("a counted object goes with its last reference") {
  int gone = 0;
  Ref<Thing> first = make_ref<Thing>(gone);
  CHECK(first->unique());
  {
    Ref<Thing> second = first;
    CHECK_FALSE(first->unique());
    Ref<Counted> base = second;
    Ref<Thing> moved = std::move(second);
    CHECK_FALSE(static_cast<bool>(second));
    CHECK(moved == first);
  }
  CHECK(first->unique());
  CHECK(gone == 0);
  first = nullptr;
  CHECK(gone == 1);
}

TEST_CASE("a leaked reference is taken back by adopt") {
  int gone = 0;
  Thing* raw = make_ref<Thing>(gone).leak();
  CHECK(gone == 0);
  {
    Ref<Thing> shared = Ref<Thing>::share(raw);
  }
  CHECK(gone == 0);
  Ref<Thing>::adopt(raw);
  CHECK(gone == 1);
}

TEST_CASE("references are counted from many threads") {
  int gone = 0;
  {
    Ref<Thing> shared = make_ref<Thing>(gone);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([shared] {
        for (int i = 0; i < 10000; ++i) Ref<Thing> copy = shared;
      });
    for (auto& thread : threads) thread.join();
    CHECK(shared->unique());
  }
  CHECK(gone == 1);
}

TEST_CASE("allocated memory is aligned to 64 bytes and as large as asked") {
  for (std::size_t bytes : {0, 1, 63, 64, 100000}) {
    const Ref<Buffer> buffer = allocate_buffer(bytes);
    CHECK(buffer->size() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer->data()) % 64 == 0);
    CHECK(buffer->writable());
    std::memset(buffer->data(), 7, bytes);
  }
  CHECK_THROWS_AS(allocate_buffer(SIZE_MAX - 8), std::bad_alloc);
}

TEST_CASE("a buffer keeps an owner of any type where its memory is") {
  std::vector<int> values{1, 2, 3};
  const int* data = values.data();
  const auto locate = [](std::vector<int>& v) { return std::pair<void*, std::size_t>(v.data(), v.size() * sizeof(int)); };
  auto buffer = make_ref<OwnedBuffer<std::vector<int>>>(std::move(values), locate);
  CHECK(buffer->data() == reinterpret_cast<const std::byte*>(data));
  CHECK(buffer->size() == 12);
  CHECK(buffer->owner().size() == 3);
  auto borrowed = make_ref<OwnedBuffer<std::vector<int>>>(std::vector<int>{1}, locate, false);
  CHECK_FALSE(borrowed->writable());
}

TEST_CASE("memory that the system has not got is not asked for") {
  CHECK_NOTHROW(detail::check_memory(std::size_t{1} << 20));
  // Below what an address can tell, above what any machine has.
  CHECK_THROWS_AS(detail::check_memory(std::size_t{1} << 46), std::bad_alloc);
  CHECK_THROWS_AS(allocate_buffer(std::size_t{1} << 46), std::bad_alloc);
}
