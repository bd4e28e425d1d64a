#include <dgraph/transport/sim_random.hpp>

#include <array>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;
using detail::SimRandom;

TEST_CASE("SplitMix64 gives the published numbers") {
  // The first outputs of the reference implementation for seed 1234567 (S. Vigna, splitmix64.c).
  SimRandom random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("ranges are kept and filled") {
  SimRandom random(1);
  std::array<int, 6> seen{};
  for (int i = 0; i < 6000; ++i) ++seen.at(random.up_to(5));
  for (const int count : seen) CHECK((count > 800 && count < 1200));
  CHECK(random.up_to(0) == 0);
  for (int i = 0; i < 100; ++i) {
    const Duration drawn = random.between(5us, 7us);
    CHECK((drawn >= 5us && drawn <= 7us));
  }
  CHECK(random.between(3us, 3us) == 3us);
  CHECK(SimRandom::hash("a", 1) != SimRandom::hash("b", 1));
  CHECK(SimRandom::hash("a", 1) != SimRandom::hash("a", 2));
}
