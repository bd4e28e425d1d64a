#include <dgraph/transport/thread_pool.hpp>

#include <atomic>
#include <chrono>
#include <future>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::ThreadPool;

TEST_CASE("threads start when they are needed, up to the number") {
  const auto pool = std::make_shared<ThreadPool>(3);
  CHECK(pool->threads() == 0);
  std::promise<void> open;
  const std::shared_future<void> gate = open.get_future().share();
  std::atomic<int> running{0}, done{0};
  for (int i = 0; i < 10; ++i) {
    pool->add([&, gate] {
      ++running;
      gate.wait();
      ++done;
    });
  }
  CHECK(pool->threads() == 3);
  while (running < 3) std::this_thread::yield();
  std::this_thread::sleep_for(2ms);
  CHECK(running == 3);
  open.set_value();
  while (done < 10) std::this_thread::yield();
  pool->stop();
  CHECK(done == 10);
}

TEST_CASE("one thread runs tasks in order and is reused") {
  const auto pool = std::make_shared<ThreadPool>(1);
  std::vector<int> order;
  std::promise<void> over;
  for (int i = 0; i < 100; ++i) pool->add([&, i] { order.push_back(i); });
  pool->add([&] { over.set_value(); });
  over.get_future().wait();
  CHECK(order.size() == 100);
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(pool->threads() == 1);
  pool->stop();
}

TEST_CASE("a pool that stops drops what has not started") {
  const auto pool = std::make_shared<ThreadPool>(1);
  std::promise<void> started;
  std::atomic<int> ran{0};
  pool->add([&] {
    started.set_value();
    std::this_thread::sleep_for(5ms);
    ++ran;
  });
  started.get_future().wait();
  const auto counted = std::make_shared<int>(1);
  pool->add([&, counted] { ran += 10; });
  pool->stop();
  CHECK(ran == 1);
  CHECK(counted.use_count() == 1);
  pool->add([&, counted] { ran += 10; });
  CHECK(counted.use_count() == 1);
}

TEST_CASE("a task may stop its own pool") {
  auto pool = std::make_shared<ThreadPool>(2);
  const std::weak_ptr<ThreadPool> watched = pool;
  std::promise<void> stopped;
  pool->add([&, raw = pool.get()] {
    raw->stop();
    stopped.set_value();
  });
  stopped.get_future().wait();
  pool.reset();
  for (int i = 0; i < 2000 && !watched.expired(); ++i) std::this_thread::sleep_for(1ms);
  CHECK(watched.expired());
}
