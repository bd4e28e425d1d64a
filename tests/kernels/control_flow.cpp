#include <dgraph/kernels/control_flow.hpp>

#include <dgraph/ops/control_flow.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;

TEST_CASE("An assertion that fails shows its data") {
  const auto check = [](const Tensor& condition, std::vector<Tensor> data, int summarize) {
    data.insert(data.begin(), condition);
    test::run<ControlFlowOps>("Assert", {{"summarize", summarize}}, std::move(data));
  };
  const Tensor numbers = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
               words = Tensor::vector<std::string>({"x", "y"});
  check(Tensor::scalar(true), {numbers}, 3);
  CHECK_THROWS_WITH(check(Tensor::scalar(false), {numbers, words}, 3),
                    contains(R"(assertion failed: [[1 2 3]...] ["x" "y"])"));
  CHECK_THROWS_WITH(check(Tensor::scalar(false), {numbers}, 4), contains("[[1 2 3][4...]...]"));
  CHECK_THROWS_WITH(check(Tensor::scalar(false), {numbers}, -1), contains("[[1 2 3][4 5 6]]"));
  CHECK_THROWS_WITH(check(Tensor::scalar(false), {Tensor::scalar(7)}, 3), contains("[7]"));
  CHECK_THROWS_WITH(check(Tensor::scalar(false), {Tensor(DType::Float32, Shape{0})}, 3),
                    contains("[]"));
  CHECK(code_of([&] { check(Tensor::scalar(false), {numbers}, 3); }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          check(Tensor::vector<bool>({true, true}), {numbers}, 3);
        }) == Code::InvalidArgument);
}

TEST_CASE("Print logs and passes on, as often as first_n says") {
  const Tensor x = Tensor::zeros(DType::Float32, {50});
  test::Bound<ops::Print> print({{"message", "loss: "}, {"first_n", 2}, {"summarize", 2}},
                                {x, x, Tensor::scalar(3)});
  EagerServices services;
  for (int i = 0; i < 4; ++i)
    CHECK(print({x, Tensor::vector<float>({1, 2, 3}), Tensor::scalar(3)}, services)[0].raw() ==
          x.raw());
  CHECK(services.lines() == std::vector<std::string>{"loss: [1 2...][3]", "loss: [1 2...][3]"});
  test::Bound<ops::Print> always({}, {x, x});
  for (int i = 0; i < 3; ++i) always({x, Tensor::scalar(1.0f)}, services);
  CHECK(services.lines().size() == 5);
}

TEST_CASE("Structure has no kernels") {
  for (const char* op : {"NoOp", "ControlTrigger", "Switch", "Merge", "Enter", "Exit",
                         "NextIteration", "LoopCond"}) {
    const KernelEntry* entry = find_kernel<ControlFlowOps>(op);
    REQUIRE(entry != nullptr);
    CHECK(entry->make({entry->signature(), {}, op, {}, {}}).run == nullptr);
  }
}
