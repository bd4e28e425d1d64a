#include <dgraph/transport/host_core.hpp>

#include <atomic>

#include <dgraph/base/error.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::HostCore;
using detail::HostDependent;
using detail::Reactor;

namespace {

/// A reactor with nothing in it, that counts what it is asked.
class Counting final : public Reactor {
 public:
  bool poll(AfterEvent after_event) override {
    ++polls;
    return take_event(after_event);
  }
  // Ends for an event too, which may come when the driver is here already.
  bool wait(Time, FunctionRef<void()> awake, AfterEvent after_event) override {
    ++waits;
    while (!woken.exchange(false) && events == 0) std::this_thread::yield();
    awake();
    return take_event(after_event);
  }
  void wake() override {
    ++wakes;
    woken = true;
  }
  std::shared_ptr<detail::Watch> watch(int, bool, std::shared_ptr<detail::WatchHandler>) override { return nullptr; }
  void resolve(const std::string&, std::uint16_t,
               Function<void(const Status&, std::vector<detail::SocketAddress>)>) override {}
  std::size_t busy() const override { return outstanding; }

  bool take_event(AfterEvent after_event) {
    if (events == 0) return false;
    --events;
    after_event();
    return true;
  }

  std::atomic<int> polls{0}, waits{0}, wakes{0}, events{0};
  std::atomic<bool> woken{false};
  std::atomic<std::size_t> outstanding{0};
};

Counting* last_made = nullptr;
std::unique_ptr<Reactor> make_counting(HostCore&) {
  auto made = std::make_unique<Counting>();
  last_made = made.get();
  return made;
}

struct Dependent : HostDependent {
  void on_abandoned() override { ++abandoned; }
  std::atomic<int> abandoned{0};
};

struct Core {
  ~Core() { core->shutdown(); }
  std::shared_ptr<HostCore> core = std::make_shared<HostCore>(transport::HostOptions());
};

}  // namespace

TEST_CASE("core: the reactor is made once, at need, and polled before the driver sleeps in it") {
  Core core;
  Reactor& reactor = core.core->reactor(&make_counting);
  CHECK(&core.core->reactor(&make_counting) == &reactor);
  Counting& counting = *last_made;
  std::thread waker([&] {
    while (counting.waits == 0) std::this_thread::sleep_for(1ms);
    core.core->post([] {});
  });
  CHECK(core.core->drive([&] { return counting.waits > 0; }, core.core->now() + 20s));
  waker.join();
  CHECK(counting.polls > 0);
  CHECK(counting.wakes == 1);
}

TEST_CASE("core: a driver that sleeps without a reactor is moved to the one that is made") {
  Core core;
  std::thread maker([&] {
    while (core.core->counters().sleeps == 0) std::this_thread::sleep_for(1ms);
    core.core->reactor(&make_counting);
    last_made->events = 1;
  });
  std::atomic<bool> polled{false};
  CHECK(core.core->drive(
      [&] {
        polled = core.core->counters().events > 0;
        return polled.load();
      },
      core.core->now() + 20s));
  maker.join();
}

TEST_CASE("core: dependents are kept, released, and told when the host goes") {
  auto kept = std::make_shared<Dependent>();
  auto released = std::make_shared<Dependent>();
  auto late = std::make_shared<Dependent>();
  const auto core = std::make_shared<HostCore>(transport::HostOptions());
  core->keep(kept);
  core->keep(released);
  CHECK(kept.use_count() == 2);
  core->release(released.get());
  core->release(released.get());
  CHECK(released.use_count() == 1);
  core->shutdown();
  core->shutdown();
  CHECK(kept->abandoned == 1);
  CHECK(kept.use_count() == 1);
  CHECK(released->abandoned == 0);
  core->keep(late);
  CHECK(late->abandoned == 1);
}

TEST_CASE("core: once it has ended nothing runs any more") {
  const auto core = std::make_shared<HostCore>(transport::HostOptions());
  const auto counted = std::make_shared<int>(0);
  core->shutdown();
  core->post([counted] { ++*counted; });
  core->compute([counted] { ++*counted; });
  CHECK(core->after(0s, [counted] { ++*counted; }) == 0);
  CHECK(counted.use_count() == 1);
  CHECK_FALSE(core->drive([] { return false; }, kNever));
  CHECK(core->drive([] { return true; }, kNever));
  CHECK(core->counters().threads == 0);
  try {
    core->reactor(&make_counting);
    FAIL("a reactor was made");
  } catch (const Error& error) {
    CHECK(error.code() == Code::Cancelled);
  }
}

TEST_CASE("core: a caller whose condition is not met by many events is woken less often, and still in time") {
  Core core;
  const auto hold = core.core->hold_driver();
  std::atomic<int> ran{0};
  std::atomic<int> asked{0};
  struct Again {
    HostCore* core;
    std::atomic<int>* ran;
    void operator()() {
      if (++*ran < 20000) core->post(Again{core, ran});
    }
  };
  core.core->post(Again{core.core.get(), &ran});
  CHECK(core.core->drive(
      [&] {
        ++asked;
        return ran == 20000;
      },
      core.core->now() + 60s));
  CHECK(asked < 20000);
}
