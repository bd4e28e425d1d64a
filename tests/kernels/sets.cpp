#include <dgraph/kernels/sets.hpp>

#include <limits>

#include <dgraph/ops/sets.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<SetOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor longs(std::initializer_list<std::int64_t> values) {
  return Tensor::vector<std::int64_t>(values);
}

}  // namespace

TEST_CASE("Unique keeps the order of the first; 0 is -0 and NaN is nothing else") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(text(run("Unique", {}, {ints({7, 1, 7})})) == "int32[2]: 7 1; int32[3]: 0 1 0");
  CHECK(text(run("Unique", {{"out_idx", DType::Int64}},
                 {Tensor::vector<double>({0.0, nan, -0.0, nan})})) ==
        "float64[3]: 0 nan nan; int64[4]: 0 1 0 2");
  CHECK(text(run("UniqueWithCounts", {}, {Tensor::vector<std::string>({"b", "", "b"})})) ==
        R"(string[2]: "b" ""; int32[3]: 0 1 0; int32[2]: 2 1)");
  CHECK(text(run("Unique", {}, {Tensor::vector<std::complex<float>>({{1, 2}, {1, 3}, {1, 2}})})) ==
        "complex64[2]: (1,2) (1,3); int32[3]: 0 1 0");
  CHECK(code_of([] { run("Unique", {}, {Tensor::scalar(1.0f)}); }) == Code::InvalidArgument);
}

TEST_CASE("UniqueV2 takes slices along an axis") {
  const Tensor x = Tensor::of<std::int32_t>({2, 3}, {1, 2, 1, 3, 4, 3});
  CHECK(text(run("UniqueV2", {}, {x, longs({1})})) == "int32[2,2]: 1 2 3 4; int32[3]: 0 1 0");
  CHECK(text(run("UniqueWithCountsV2", {}, {x, longs({0})})) ==
        "int32[2,3]: 1 2 1 3 4 3; int32[2]: 0 1; int32[2]: 1 1");
  CHECK(text(run("UniqueV2", {}, {ints({5, 5}), Tensor(DType::Int64, {0})})) ==
        "int32[1]: 5; int32[2]: 0 0");
  CHECK(text(run("UniqueV2", {}, {Tensor::zeros(DType::Float32, {3, 0}), longs({0})})) ==
        "float32[1,0]:; int32[3]: 0 0 0");
  CHECK(code_of([&] { run("UniqueV2", {}, {x, longs({2})}); }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("UniqueV2", {}, {x, Tensor(DType::Int64, {0})});
        }) == Code::InvalidArgument);
}

TEST_CASE("many values") {
  Tensor x(DType::Int64, {20000});
  for (std::int64_t i = 0; i < x.elements(); ++i)
    x.mutable_data<std::int64_t>()[i] = (i * 7919 % 5003) << 20;
  const auto found = run("UniqueWithCounts", {}, {x});
  CHECK(found[0].elements() == 5003);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < x.elements(); ++i)
    wrong += found[0].data<std::int64_t>()[found[1].data<std::int32_t>()[i]] !=
             x.data<std::int64_t>()[i];
  CHECK(wrong == 0);
}

TEST_CASE("bounds in sorted rows") {
  const Tensor rows = Tensor::of<std::string>({1, 3}, {"a", "c", "c"});
  const Tensor values = Tensor::of<std::string>({1, 2}, {"c", "d"});
  CHECK(text(run("LowerBound", {}, {rows, values})) == "int32[1,2]: 1 3");
  CHECK(text(run("UpperBound", {{"out_type", DType::Int64}}, {rows, values})) == "int64[1,2]: 3 3");
  CHECK(code_of([&] { run("LowerBound", {}, {ints({1}), ints({1})}); }) == Code::InvalidArgument);
}
