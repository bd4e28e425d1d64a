#include <dgraph/kernels/standard.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

using namespace dgraph;

TEST_CASE("every standard op has a kernel entry whose signature bears its name") {
  std::size_t count = 0;
  for_each_op<StandardOps>([&]<class Op>() {
    const std::string_view name = detail::op_name(Op::signature);
    const KernelEntry* entry = find_kernel<StandardOps>(name);
    INFO(name);
    REQUIRE(entry);
    CHECK(entry->signature().name == name);
    ++count;
  });
  CHECK(count > 100);
  CHECK(find_kernel<StandardOps>("Nonesuch") == nullptr);
}
