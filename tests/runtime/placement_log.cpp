#include <dgraph/runtime/placement_log.hpp>

#include "support/catch.hpp"

using namespace dgraph;

TEST_CASE("A placement is a line of name, op type, device and reason") {
  const Placement w{"W", "VariableV2", "/job:ps/replica:0/task:0/device:CPU:0",
                    "asked for /job:ps/task:0"};
  const Placement loss{"loss", "Mean", "/job:worker/replica:0/task:1/device:CPU:0",
                       "nothing asked: the master's task"};
  CHECK(placement_line(w) ==
        "W: (VariableV2): /job:ps/replica:0/task:0/device:CPU:0 (asked for /job:ps/task:0)");
  const Placement both[] = {w, loss};
  CHECK(placement_log(both) == placement_line(w) + "\n" + placement_line(loss) + "\n");
  CHECK(placement_log({}) == "");
}
