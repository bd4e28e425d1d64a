#include <dgraph/kernels/constant.hpp>

#include <dgraph/ops/constant.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;

TEST_CASE("A constant is the executor's, not a kernel's") {
  const test::Bound<ops::Const> constant(
      {{"value", Tensor::scalar(1.0f)}, {"dtype", DType::Float32}}, {});
  CHECK(constant.kernel().run == nullptr);
}
