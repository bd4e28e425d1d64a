#include <dgraph/transport/poll_window.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::PollWindow;

namespace {

/// Waits for something that comes after `after`; a sleep sees it `penalty` later. Returns how many waits polled.
template <class After>
int simulate(PollWindow& window, int rounds, After after, Duration penalty) {
  int polled = 0;
  for (int i = 0; i < rounds; ++i) {
    const Duration polls_for = window.next();
    polled += polls_for > 0us;
    const Duration comes = after(i);
    window.ended(polls_for >= comes ? comes : comes + penalty);
  }
  return polled;
}

auto always(Duration after) {
  return [after](int) { return after; };
}

}  // namespace

TEST_CASE("polling goes on while it hits and sleeping costs more") {
  PollWindow window(100us);
  CHECK(window.next() == 100us);
  CHECK(simulate(window, 6400, always(20us), 40us) > 6300);
  CHECK(window.pays());
}

TEST_CASE("polling goes on where some waits are long") {
  PollWindow window(100us);
  CHECK(simulate(window, 6400, [](int i) { return i % 4 == 0 ? 20us : 500us; }, 40us) >= 6300);
}

TEST_CASE("polling ends where nothing comes in time, and begins again when it does") {
  PollWindow window(100us);
  CHECK(simulate(window, 200, always(5ms), 40us) < 60);
  CHECK_FALSE(window.pays());
  CHECK(simulate(window, 6400, always(5ms), 40us) == 100);
  CHECK(simulate(window, 200, always(20us), 40us) > 180);
  CHECK(window.pays());
}

TEST_CASE("polling ends where sleeping is quicker, and begins again when it no longer is") {
  PollWindow window(100us);
  simulate(window, 4000, always(30us), -10us);
  CHECK_FALSE(window.pays());
  CHECK(simulate(window, 6400, always(30us), -10us) < 100);
  simulate(window, 20000, always(30us), 60us);
  CHECK(window.pays());
}

TEST_CASE("a window of zero never polls") {
  PollWindow window(0us);
  CHECK(simulate(window, 100, always(1us), 50us) == 0);
  CHECK_FALSE(window.pays());
}
