#include <dgraph/kernels/array.hpp>

#include <dgraph/ops/array.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;

TEST_CASE("Every op of the array family has a kernel") {
  int ops = 0;
  for_each_op<ArrayOps>([&]<class Op>() {
    ++ops;
    const auto* entry = find_kernel<ArrayOps>(detail::op_name(Op::signature));
    REQUIRE(entry != nullptr);
    CHECK(entry->make == &make_kernel<Op>);
  });
  CHECK(ops >= 35);
}
