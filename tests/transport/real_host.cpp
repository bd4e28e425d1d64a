#include <dgraph/transport/real_host.hpp>

#include <dirent.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <dgraph/base/error.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using transport::HostCounters;
using transport::HostOptions;
using transport::RealHost;

namespace {

std::size_t count_threads() {
  DIR* const entries = ::opendir("/proc/self/task");
  std::size_t count = 0;
  while (::readdir(entries) != nullptr) ++count;
  ::closedir(entries);
  return count;
}

/// Drives a host that is not used yet; `start` is called once this thread is the driver, so that no other can be.
template <class Start, class Until>
bool drive_fresh(RealHost& host, Start start, Until until) {
  int asked = 0;
  return host.drive(
      [&] {
        if (++asked == 2) start();
        return asked > 2 && until();
      },
      host.now() + 20s);
}

/// Waits for what another thread does.
template <class Until>
bool soon(Until until) {
  for (int i = 0; i < 20000; ++i) {
    if (until()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

TEST_CASE("host: posted tasks run in order, in the thread that drives") {
  RealHost host;
  std::vector<int> order;
  std::set<std::thread::id> where;
  bool on_driver = true;
  CHECK_FALSE(host.on_driver());
  CHECK(drive_fresh(
      host,
      [&] {
        for (int i = 0; i < 100; ++i) {
          host.post([&, i] {
            order.push_back(i);
            where.insert(std::this_thread::get_id());
            on_driver = on_driver && host.on_driver();
          });
        }
      },
      [&] { return order.size() == 100; }));
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(where == std::set{std::this_thread::get_id()});
  CHECK(on_driver);
  CHECK_FALSE(host.on_driver());
}

TEST_CASE("host: until is asked after each task") {
  RealHost host;
  int ran = 0;
  std::vector<int> seen;
  CHECK(drive_fresh(
      host,
      [&] {
        for (int i = 0; i < 5; ++i) host.post([&] { ++ran; });
      },
      [&] {
        seen.push_back(ran);
        return ran == 5;
      }));
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("host: timers fire in order, not before their time, and not once cancelled") {
  RealHost host;
  std::vector<int> order;
  Time began{}, last{};
  TimerId never = 0;
  const auto start = [&] {
    began = host.now();
    host.after(20ms, [&] {
      order.push_back(4);
      last = host.now();
    });
    host.after(10ms, [&] {
      order.push_back(3);
      host.cancel(never);
    });
    host.after(-5s, [&] { order.push_back(0); });
    host.after(0ms, [&] { order.push_back(1); });
    const TimerId cancelled = host.after(5ms, [&] { order.push_back(9); });
    host.after(4ms, [&, cancelled] {
      order.push_back(2);
      host.cancel(cancelled);
      host.cancel(cancelled);
    });
    never = host.after(kNever, [&] { order.push_back(9); });
    host.cancel(0);
  };
  CHECK(drive_fresh(host, start, [&] { return last != Time(); }));
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(last - began >= 20ms);
}

TEST_CASE("host: drive ends at its deadline, though nothing happens") {
  RealHost host;
  const Time began = host.now();
  int asked = 0;
  CHECK_FALSE(host.drive(
      [&] {
        ++asked;
        return false;
      },
      began + 15ms));
  CHECK(host.now() - began >= 15ms);
  CHECK(asked < 10);
  CHECK(host.drive([] { return true; }, Time()));
  CHECK_FALSE(host.drive([] { return false; }, Time()));
}

TEST_CASE("host: a post from another thread wakes a driver that sleeps") {
  RealHost host(HostOptions{.compute_threads = 1, .poll_window = 0us});
  std::atomic<bool> done{false};
  std::thread poster([&] {
    soon([&] { return host.counters().sleeps > 0; });
    host.post([&] { done = true; });
  });
  CHECK(host.drive([&] { return done.load(); }, host.now() + 20s));
  poster.join();
  CHECK(host.counters().wakeups > 0);
}

TEST_CASE("host: many threads drive at once, and each returns when its own condition holds") {
  RealHost host;
  std::atomic<int> state{0};
  std::vector<std::thread> threads;
  std::atomic<int> returned{0};
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back([&, i] {
      if (host.drive([&] { return state >= i; }, host.now() + 20s)) ++returned;
    });
  }
  for (int i = 1; i <= 4; ++i) {
    host.post([&] { ++state; });
    CHECK(soon([&] { return returned >= i; }));
    CHECK(state == i);
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("host: two callers drive in turns as each waits for what the other posts") {
  RealHost host;
  std::atomic<int> ball{0};
  const auto play = [&](int mine) {
    for (int i = 0; i < 200; ++i) {
      if (!host.drive([&] { return ball % 2 == mine; }, host.now() + 20s)) return false;
      const int before = ball;
      host.post([&] { ++ball; });
      if (!host.drive([&] { return ball > before; }, host.now() + 20s)) return false;
    }
    return true;
  };
  std::atomic<bool> other{false};
  std::thread thread([&] { other = play(1); });
  CHECK(play(0));
  thread.join();
  CHECK(other);
  CHECK(ball == 400);
}

TEST_CASE("host: it takes over by itself when nobody drives, and gives way to a caller") {
  RealHost host;
  std::atomic<int> ran{0};
  std::atomic<bool> on_driver{false};
  host.post([&] {
    on_driver = host.on_driver();
    ++ran;
  });
  CHECK(soon([&] { return ran == 1; }));
  CHECK(on_driver);
  host.after(3ms, [&] { ++ran; });
  CHECK(soon([&] { return ran == 2; }));
  CHECK(host.counters().keeper_turns > 0);
  // It sits in its sleep now; a caller gets the driver's place, so its task runs in the caller's thread.
  CHECK(soon([&] {
    std::atomic<std::thread::id> where{};
    host.after(5ms, [&] { where = std::this_thread::get_id(); });
    return host.drive([&] { return where.load() != std::thread::id(); }, host.now() + 20s) &&
           where.load() == std::this_thread::get_id();
  }));
}

TEST_CASE("host: somebody who holds the driver has it driven by a thread of its own") {
  RealHost host;
  CHECK(host.counters().threads == 0);
  std::atomic<int> ran{0};
  std::atomic<std::thread::id> where{};
  {
    const auto hold = host.hold_driver();
    const auto too = host.hold_driver();
    CHECK(host.counters().threads == 1);
    host.post([&] {
      where = std::this_thread::get_id();
      ++ran;
    });
    CHECK(host.drive([&] { return ran == 1; }, host.now() + 20s));
    CHECK(where.load() != std::this_thread::get_id());
  }
  // Then whoever waits drives again.
  CHECK(soon([&] {
    const int before = ran;
    host.post([&] {
      where = std::this_thread::get_id();
      ++ran;
    });
    CHECK(host.drive([&] { return ran > before; }, host.now() + 20s));
    return where.load() == std::this_thread::get_id();
  }));
}

TEST_CASE("host: a caller that drives gives way to the thread that is held meanwhile") {
  RealHost host;
  std::shared_ptr<void> hold;
  std::vector<std::thread::id> where;
  std::atomic<int> ran{0};
  const auto note = [&] {
    where.push_back(std::this_thread::get_id());
    ++ran;
  };
  const auto start = [&] {
    host.post([&] {
      note();
      hold = host.hold_driver();
      host.after(1ms, note);
    });
  };
  CHECK(drive_fresh(host, start, [&] { return ran == 2; }));
  CHECK(where[0] == std::this_thread::get_id());
  CHECK(where[1] != where[0]);
}

TEST_CASE("host: an idle one sleeps and does not wake up") {
  RealHost host;
  const auto hold = host.hold_driver();
  std::atomic<bool> ran{false};
  host.post([&] { ran = true; });
  CHECK(soon([&] { return ran.load(); }));
  const auto still = [&] {
    const HostCounters before = host.counters();
    std::this_thread::sleep_for(50ms);
    const HostCounters after = host.counters();
    return before.sleeps == before.wakeups + 1 && after.sleeps == before.sleeps && after.wakeups == before.wakeups &&
           after.keeper_checks == before.keeper_checks;
  };
  CHECK(soon(still));
}

TEST_CASE("host: so does one that nobody drives any more, and one that a caller waits in") {
  RealHost host;
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    host.post([&] { ++ran; });
    CHECK(host.drive([&] { return ran == i + 1; }, host.now() + 20s));
  }
  const auto still = [&] {
    const HostCounters before = host.counters();
    std::this_thread::sleep_for(50ms);
    const HostCounters after = host.counters();
    return after.sleeps == before.sleeps && after.wakeups == before.wakeups && after.keeper_checks == before.keeper_checks;
  };
  CHECK(soon(still));
  std::atomic<bool> over{false};
  std::thread waiter([&] { host.drive([&] { return over.load(); }, kNever); });
  CHECK(soon([&] { return host.counters().sleeps > 0 && still(); }));
  host.post([&] { over = true; });
  waiter.join();
}

TEST_CASE("host: drive from inside a task is an error") {
  RealHost host;
  std::atomic<Code> code{Code::Ok};
  host.post([&] {
    try {
      host.drive([] { return true; }, kNever);
    } catch (const Error& error) {
      code = error.code();
    }
  });
  CHECK(host.drive([&] { return code.load() != Code::Ok; }, kNever));
  CHECK(code.load() == Code::FailedPrecondition);
  // Another host's driver is another matter.
  RealHost other;
  std::atomic<int> drove{0};
  host.post([&] {
    const bool before = host.on_driver() && !other.on_driver();
    drove = before && other.drive([&] { return other.on_driver() && host.on_driver(); }, kNever) ? 1 : -1;
  });
  CHECK(host.drive([&] { return drove != 0; }, kNever));
  CHECK(drove == 1);
}

TEST_CASE("host: the pool has the threads asked for") {
  RealHost host(HostOptions{.compute_threads = 3});
  CHECK(host.compute_threads() == 3);
  CHECK(RealHost().compute_threads() >= 1);
  std::atomic<int> ran{0}, misplaced{0};
  for (int i = 0; i < 20; ++i) {
    host.compute([&] {
      misplaced += host.on_driver();
      host.post([&] { ++ran; });
    });
  }
  CHECK(host.drive([&] { return ran == 20; }, host.now() + 20s));
  CHECK(misplaced == 0);
  CHECK(host.counters().threads <= 4);
}

TEST_CASE("host: destroyed, it leaves no thread and drops what it had") {
  const std::size_t threads = count_threads();
  const auto counted = std::make_shared<int>(0);
  {
    RealHost host;
    const auto hold = host.hold_driver();
    host.after(1h, [counted] {});
    std::atomic<bool> started{false};
    host.compute([&, counted] {
      started = true;
      std::this_thread::sleep_for(3ms);
      host.post([counted] { *counted = 1; });
    });
    CHECK(soon([&] { return started.load(); }));
  }
  CHECK(counted.use_count() == 1);
  CHECK(*counted == 0);
  CHECK(count_threads() == threads);
}

TEST_CASE("host: may be destroyed by its own driver and by its own pool") {
  for (const bool pool : {false, true}) {
    auto host = std::make_shared<RealHost>();
    const std::weak_ptr<RealHost> watched = host;
    auto hold = host->hold_driver();
    RealHost* const raw = host.get();
    std::atomic<bool> over{false};
    Task last = [&over, host = std::move(host)]() mutable {
      host.reset();
      over = true;
    };
    if (pool) {
      raw->compute(std::move(last));
    } else {
      raw->post(std::move(last));
    }
    CHECK(soon([&] { return over.load(); }));
    CHECK(watched.expired());
  }
}

TEST_CASE("host: ids are never 0 and never the same") {
  RealHost host;
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 100; ++i) ids.insert(host.random_id());
  CHECK(ids.size() == 100);
  CHECK_FALSE(ids.contains(0));
}
