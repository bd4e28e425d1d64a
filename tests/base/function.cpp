#include <dgraph/base/function.hpp>

#include <memory>

#include "support/catch.hpp"

using namespace dgraph;

namespace {

struct Counter {
  static inline int live = 0;
  Counter() { ++live; }
  Counter(const Counter&) { ++live; }
  Counter(Counter&&) noexcept { ++live; }
  ~Counter() { --live; }
};

}  // namespace

TEST_CASE("a function owns callables that cannot be copied") {
  auto value = std::make_unique<int>(5);
  Function<int(int)> f = [value = std::move(value)](int x) { return *value + x; };
  CHECK(f(2) == 7);
  Function<int(int)> moved = std::move(f);
  CHECK_FALSE(static_cast<bool>(f));
  CHECK(moved(1) == 6);
}

TEMPLATE_TEST_CASE_SIG("callables live exactly as long as their function, inside or on the heap", "", ((int N), N), 1, 200) {
  struct Big {
    Counter counter;
    char room[N];
    void operator()() const {}
  };
  REQUIRE(Counter::live == 0);
  {
    Task task = Big{};
    CHECK(Counter::live == 1);
    Task other = std::move(task);
    CHECK(Counter::live == 1);
    other();
    other = Big{};
    CHECK(Counter::live == 1);
    other = nullptr;
    CHECK(Counter::live == 0);
    other = Big{};
  }
  CHECK(Counter::live == 0);
}

TEST_CASE("arguments and results are passed through") {
  Function<std::unique_ptr<int>(std::unique_ptr<int>)> f = [](std::unique_ptr<int> p) {
    ++*p;
    return p;
  };
  CHECK(*f(std::make_unique<int>(1)) == 2);
  Function<void(int&)> g = [](int& x) { x = 9; };
  int x = 0;
  g(x);
  CHECK(x == 9);
  Function<void(int)> ignores = [](int) { return 3; };
  CHECK(static_cast<bool>(ignores));
}

TEST_CASE("a function reference calls what it borrows") {
  int calls = 0;
  const auto twice = [](FunctionRef<int(int)> f) { return f(1) + f(2); };
  CHECK(twice([&calls](int x) { return ++calls, x * 10; }) == 30);
  CHECK(calls == 2);
}
