#include <dgraph/kernels/stack.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;

namespace {
Tensor stack_of(DType dtype, std::int32_t most) {
  return test::run<StackOps>("StackV2", {{"elem_type", dtype}}, {Tensor::scalar(most)})[0];
}
Tensor push(const Tensor& stack, Tensor value) { return test::run<StackOps>("StackPushV2", {}, {stack, value})[0]; }
Tensor pop(const Tensor& stack, DType dtype) { return test::run<StackOps>("StackPopV2", {{"elem_type", dtype}}, {stack})[0]; }
}  // namespace

TEST_CASE("a stack gives back what came last") {
  const Tensor stack = stack_of(DType::Int32, -1);
  CHECK(push(stack, Tensor::scalar(1)).item<int>() == 1);
  push(stack, Tensor::vector<int>({2, 3}));
  CHECK(test::text(pop(stack, DType::Int32)) == "int32[2]: 2 3");
  CHECK(pop(stack, DType::Int32).item<int>() == 1);
  CHECK_THROWS_WITH(pop(stack, DType::Int32), contains("empty"));
}

TEST_CASE("stacks with a limit, of another dtype, closed") {
  const Tensor stack = stack_of(DType::Float32, 1);
  push(stack, Tensor::scalar(1.f));
  CHECK_THROWS_WITH(push(stack, Tensor::scalar(1.f)), contains("max_size is 1"));
  CHECK(code_of([&] { push(stack, Tensor::scalar(1)); }) == Code::InvalidArgument);
  CHECK(code_of([&] { pop(stack, DType::Int32); }) == Code::InvalidArgument);
  test::run<StackOps>("StackCloseV2", {}, {stack});
  CHECK_THROWS_WITH(pop(stack, DType::Float32), contains("closed"));
  CHECK(code_of([&] { pop(Tensor::scalar(1.f), DType::Float32); }) == Code::InvalidArgument);
}
