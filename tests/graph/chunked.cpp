#include <dgraph/graph/chunked.hpp>

#include <thread>

#include "support/catch.hpp"

using dgraph::detail::Arena;
using dgraph::detail::ChunkedArray;

TEST_CASE("elements keep their address while the array grows") {
  ChunkedArray<int> array;
  std::vector<int*> addresses;
  for (int i = 0; i < 5000; ++i) addresses.push_back(&array.push_back(i));
  REQUIRE(array.size() == 5000);
  for (int i = 0; i < 5000; ++i) {
    CHECK(&array[static_cast<std::size_t>(i)] == addresses[static_cast<std::size_t>(i)]);
    CHECK(array[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("others read what is there while one thread appends") {
  ChunkedArray<std::size_t> array;
  std::atomic<bool> wrong{false};
  std::thread reader([&] {
    for (std::size_t seen = 0; seen < 20000; seen = array.size())
      for (std::size_t i = seen > 100 ? seen - 100 : 0; i < seen; ++i)
        if (array[i] != i) wrong = true;
  });
  for (std::size_t i = 0; i < 20000; ++i) array.push_back(i);
  reader.join();
  CHECK_FALSE(wrong);
}

TEST_CASE("an arena gives aligned memory that stays") {
  Arena arena;
  std::vector<std::pair<int*, int>> all;
  for (int i = 0; i < 3000; ++i) {
    const std::vector<int> values(static_cast<std::size_t>(i % 50 + 1), i);
    int* copy = arena.copy(std::span<const int>(values));
    CHECK(reinterpret_cast<std::uintptr_t>(copy) % alignof(std::max_align_t) == 0);
    all.emplace_back(copy, i);
  }
  for (const auto& [at, value] : all) CHECK(at[value % 50] == value);
  CHECK(arena.allocate<int>(0) == nullptr);
  int* large = arena.allocate<int>(100000);
  large[99999] = 1;
  CHECK(arena.copy(std::span<const int>(&all[0].second, 1))[0] == 0);
}
