#include <dgraph/kernels/declare.hpp>

#include "support/catch.hpp"

namespace dgraph {
DGRAPH_KERNEL(OnlyDeclared);

Kernel Kernels<ops::OnlyDeclared>::make(const KernelRequest&) {
  Kernel kernel;
  kernel.async = true;
  return kernel;
}

namespace ops {
struct OnlyDeclared {
  static constexpr auto signature = "OnlyDeclared() -> ()";
};
}  // namespace ops
}  // namespace dgraph

TEST_CASE("a kernel may be declared before its op is defined") {
  const auto entry = dgraph::find_kernel<dgraph::OpSet<dgraph::ops::OnlyDeclared>>("OnlyDeclared");
  REQUIRE(entry);
  const dgraph::KernelRequest request{entry->signature(), {}, "n", {}, {}};
  CHECK(entry->make(request).async);
}
