#include <dgraph/transport/host_options.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace std::chrono_literals;

TEST_CASE("a host polls 100 us unless told otherwise, and has a thread a core") {
  const transport::HostOptions options;
  CHECK(options.poll_window == 100us);
  CHECK(options.compute_threads == 0);
  CHECK(transport::HostCounters().events == 0);
}
