#include <dgraph/wire/pulse.hpp>

#include "support/catch.hpp"

#include <cstring>

#include "wire/fake_link.hpp"

using namespace dgraph;
using namespace std::chrono_literals;

namespace {

struct Beating final : Pulse::Member {
  Time beat(Time now, bool was_late) override {
    beats.push_back(now);
    late |= was_late;
    return wish;
  }
  std::vector<Time> beats;
  Time wish = kNever;
  bool late = false;
};

}  // namespace

TEST_CASE("a pulse beats for its members, and without members there is no timer") {
  const auto host = std::make_shared<test::FakeHost>();
  const auto pulse = std::make_shared<Pulse>(host, 500ms);
  CHECK(host->timers() == 0);
  const auto one = std::make_shared<Beating>(), two = std::make_shared<Beating>();
  pulse->add(one);
  host->pass(300ms);
  pulse->add(two);
  CHECK(host->timers() == 1);
  host->pass(900ms);
  CHECK(one->beats == std::vector<Time>{500ms, 1000ms});
  CHECK(two->beats == std::vector<Time>{500ms, 1000ms});
  CHECK(pulse->members() == 2);
  pulse->remove(one.get());
  CHECK(host->timers() == 1);
  pulse->remove(two.get());
  CHECK(host->timers() == 0);
  pulse->remove(two.get());
  pulse->add(one);
  host->pass(500ms);
  CHECK(one->beats.size() == 3);
  CHECK(two->beats.size() == 2);
}

TEST_CASE("a member is called earlier where it wants to be") {
  const auto host = std::make_shared<test::FakeHost>();
  const auto pulse = std::make_shared<Pulse>(host, 500ms);
  const auto member = std::make_shared<Beating>();
  member->wish = 600ms;
  pulse->add(member);
  host->pass(604ms);
  CHECK(member->beats == std::vector<Time>{500ms, 600ms});
  // It stays with a wish that lies in the past: that is no reason to spin.
  host->pass(1s);
  CHECK(member->beats.size() < 150);
}

TEST_CASE("a pulse that stood still says so") {
  const auto host = std::make_shared<test::FakeHost>();
  const auto pulse = std::make_shared<Pulse>(host, 500ms);
  const auto member = std::make_shared<Beating>();
  pulse->add(member);
  host->pass(500ms);
  CHECK_FALSE(member->late);
  host->stall(3s);
  CHECK(member->late);
  CHECK(host->timers() == 1);
}

TEST_CASE("a member that is gone is not called, a pulse that is gone calls none") {
  const auto host = std::make_shared<test::FakeHost>();
  auto pulse = std::make_shared<Pulse>(host, 500ms);
  auto member = std::make_shared<Beating>();
  pulse->add(member);
  member.reset();
  host->pass(600ms);
  pulse.reset();
  host->pass(2s);
  CHECK(host->timers() == 0);
}
