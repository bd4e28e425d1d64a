#include <dgraph/kernels/reversal.hpp>

#include <numeric>

#include <dgraph/ops/reversal.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<ReversalOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}

// 0, 1, 2, ... of any shape.
Tensor counting(Shape shape) {
  Tensor out(DType::Int32, std::move(shape));
  std::iota(out.mutable_data<std::int32_t>(), out.mutable_data<std::int32_t>() + out.elements(), 0);
  return out;
}

}  // namespace

TEST_CASE("ReverseV2") {
  CHECK(text(run("ReverseV2", {}, {counting({2, 3}), ints({-1, 0})})) == "int32[2,3]: 5 4 3 2 1 0");
  CHECK(text(run("ReverseV2", {}, {counting({2, 1, 2}), ints({1})})) == "int32[2,1,2]: 0 1 2 3");
  CHECK(text(run("ReverseV2", {}, {Tensor::vector<std::string>({"a", "b"}), ints({0})})) ==
        R"(string[2]: "b" "a")");
  CHECK(code_of([] {
          run("ReverseV2", {}, {counting({2}), ints({0, -1})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("ReverseV2", {}, {Tensor::scalar(1), ints({0})});
        }) == Code::InvalidArgument);
}

TEST_CASE("ReverseSequence") {
  const NamedAttrs along{{"seq_dim", 1}};
  CHECK(text(run("ReverseSequence", along, {counting({2, 3}), ints({2, 3})})) ==
        "int32[2,3]: 1 0 2 5 4 3");
  CHECK(text(run("ReverseSequence", {{"seq_dim", 0}, {"batch_dim", 1}},
                 {counting({2, 2}), ints({0, 2})})) == "int32[2,2]: 0 3 2 1");
  CHECK(code_of([&] {
          run("ReverseSequence", along, {counting({2, 3}), ints({4, 0})});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("ReverseSequence", {{"seq_dim", 5}}, {counting({2, 3}), ints({0, 0})});
        }) == Code::InvalidArgument);
}

TEST_CASE("Roll goes round, whatever the shift") {
  CHECK(text(run("Roll", {}, {counting({2, 3}), ints({1, -1}), ints({0, 1})})) ==
        "int32[2,3]: 4 5 3 1 2 0");
  CHECK(text(run("Roll", {}, {counting({3}), Tensor::scalar(INT32_MIN), Tensor::scalar(0)})) ==
        "int32[3]: 2 0 1");
  CHECK(text(run("Roll", {}, {counting({3}), ints({2, 2}), ints({0, -1})})) == "int32[3]: 2 0 1");
  CHECK(text(run("Roll", {}, {counting({0, 3}), ints({1}), ints({0})})) == "int32[0,3]:");
  CHECK(code_of([] {
          run("Roll", {}, {counting({3}), ints({1}), ints({1})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Roll", {}, {Tensor::scalar(1), ints({}), ints({})});
        }) == Code::InvalidArgument);
}
