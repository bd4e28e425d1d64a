#include <dgraph/transport/sim_world.hpp>

#include <atomic>

#include <dgraph/base/error.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::SimTask;
using detail::SimWorld;

TEST_CASE("sim world: events happen in the order of time, and of their making where that is equal") {
  transport::SimOptions options;
  options.max_post_delay = 0ns;
  const auto world = std::make_shared<SimWorld>(1, options);
  const auto task = std::make_shared<SimTask>(world, "a");
  std::vector<int> order;
  for (const int ms : {3, 1, 2, 1}) task->after(ms * 1ms, [&, ms] { order.push_back(ms); });
  task->after(1ms, [&] { order.push_back(10); });
  CHECK(world->pending() == 5);
  CHECK(world->run(1500us) == 3);
  CHECK(world->now() == 1500us);
  CHECK(order == std::vector<int>{1, 1, 10});
  CHECK(world->run(kNever) == 2);
  CHECK(world->now() == 3ms);
  CHECK(order == std::vector<int>{1, 1, 10, 2, 3});
  CHECK(world->pending() == 0);
  CHECK(world->events() == 5);
}

TEST_CASE("sim world: timers are cancelled by name, of their own task only") {
  const auto world = std::make_shared<SimWorld>(1, transport::SimOptions());
  const auto a = std::make_shared<SimTask>(world, "a");
  const auto b = std::make_shared<SimTask>(world, "b");
  int rang = 0;
  const auto counted = std::make_shared<int>(0);
  const TimerId never = a->after(kNever, [&] { rang += 100; });
  const TimerId first = a->after(1ms, [&, counted] { ++rang; });
  const TimerId second = a->after(1ms, [&, counted] { ++rang; });
  CHECK(never != first);
  b->cancel(first);
  a->cancel(second);
  a->cancel(second);
  a->cancel(0);
  CHECK(counted.use_count() == 2);
  world->run(kNever);
  CHECK(rang == 1);
  a->cancel(first);
}

TEST_CASE("sim world: a task that ends takes its events with it") {
  const auto world = std::make_shared<SimWorld>(1, transport::SimOptions());
  auto a = std::make_shared<SimTask>(world, "a");
  const auto b = std::make_shared<SimTask>(world, "b");
  const auto counted = std::make_shared<int>(0);
  a->after(1ms, [counted] { ++*counted; });
  a->post([counted] { ++*counted; });
  b->post([counted] { ++*counted; });
  CHECK(world->find_task("a") == a->id());
  // It may end in the middle of its own event, too.
  a->post([&a] { a.reset(); });
  world->run(kNever);
  CHECK(*counted == 2);
  CHECK(counted.use_count() == 1);
  CHECK(world->find_task("a") == 0);
  CHECK(world->find_task("b") == b->id());
}

TEST_CASE("sim world: events of nobody run on no host") {
  const auto world = std::make_shared<SimWorld>(1, transport::SimOptions());
  const auto a = std::make_shared<SimTask>(world, "a");
  int ran = 0, on_driver = 0;
  world->after(0, 1ms, [&] {
    ++ran;
    on_driver += a->on_driver();
  });
  world->run(kNever);
  CHECK(ran == 1);
  CHECK(on_driver == 0);
  world->after(0, 1ms, [&] { ++ran; });
  world->drop_world_events();
  world->run(kNever);
  CHECK(ran == 1);
}

TEST_CASE("sim world: threads drive one after another, and may post meanwhile") {
  const auto world = std::make_shared<SimWorld>(1, transport::SimOptions());
  const auto a = std::make_shared<SimTask>(world, "a");
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        std::atomic<bool> mine{false};
        a->post([&] {
          ++ran;
          mine = true;
        });
        a->drive([&] { return mine.load(); }, a->now() + 1h);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(ran == 400);
}

TEST_CASE("sim world: ids come from the seed and the name") {
  const auto ids = [](std::uint64_t seed, const std::string& name) {
    const auto world = std::make_shared<SimWorld>(seed, transport::SimOptions());
    const auto task = std::make_shared<SimTask>(world, name);
    return std::pair(task->random_id(), task->random_id());
  };
  CHECK(ids(1, "a") == ids(1, "a"));
  CHECK(ids(1, "a") != ids(2, "a"));
  CHECK(ids(1, "a") != ids(1, "b"));
  CHECK(ids(1, "a").first != ids(1, "a").second);
}
