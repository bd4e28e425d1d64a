#include <dgraph/transport/poll_window.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::PollWindow;

namespace {

/// Waits that end after `waited`, plus `penalty` where they end in a sleep. Returns how many of them polled to the end.
int simulate(PollWindow& window, int rounds, Duration waited, Duration penalty) {
  int polled = 0;
  for (int i = 0; i < rounds; ++i) {
    if (window.next() >= waited) {
      window.polled(waited);
      ++polled;
    } else {
      window.slept(waited + penalty);
    }
  }
  return polled;
}

}  // namespace

TEST_CASE("polling goes on while it hits and sleeping costs more") {
  PollWindow window(100us);
  CHECK(window.next() == 100us);
  CHECK(simulate(window, 1000, 20us, 40us) > 900);
  CHECK(window.window() == 100us);
}

TEST_CASE("polling ends where nothing comes in time, and begins again when it does") {
  PollWindow window(100us);
  CHECK(simulate(window, 100, 5ms, 40us) == 0);
  CHECK(window.window() == 0us);
  CHECK(simulate(window, 200, 20us, 40us) > 100);
  CHECK(window.window() == 100us);
}

TEST_CASE("polling ends where sleeping is as quick, and begins again when it no longer is") {
  PollWindow window(100us);
  simulate(window, 1000, 20us, 0us);
  CHECK(window.window() == 0us);
  CHECK(simulate(window, 320, 20us, 0us) <= 10);
  simulate(window, 1000, 20us, 60us);
  CHECK(window.window() > 20us);
}

TEST_CASE("a window of zero never polls") {
  PollWindow window(0us);
  CHECK(simulate(window, 100, 1us, 50us) == 0);
  CHECK(window.next() == 0us);
}
