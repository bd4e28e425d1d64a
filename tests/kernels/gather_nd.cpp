#include <dgraph/kernels/gather_nd.hpp>

#include <dgraph/ops/gather_nd.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<GatherNdOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor pairs(std::initializer_list<std::int32_t> values) {
  return Tensor::of<std::int32_t>({static_cast<std::int64_t>(values.size()) / 2, 2}, values);
}
const Tensor kRows = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("GatherNd takes elements and slices, and names what is out of range") {
  CHECK(text(run("GatherNd", {}, {kRows, pairs({0, 1, 2, 0})})) == "float32[2]: 2 5");
  CHECK(text(run("GatherNd", {}, {kRows, ints({1})})) == "float32[2]: 3 4");
  CHECK(text(run("GatherNd", {}, {kRows, Tensor(DType::Int32, {2, 0})})) ==
        "float32[2,3,2]: 1 2 3 4 5 6 1 2 3 4 5 6");
  CHECK_THROWS_WITH(run("GatherNd", {}, {kRows, pairs({0, 1, 2, 2})}),
                    contains("indices[1,1] = 2 is not in [0, 2)"));
  CHECK(text(run("GatherNd", {{"bad_indices_policy", std::string("IGNORE")}},
                 {kRows, pairs({0, -1, 2, 1})})) == "float32[2]: 0 6");
}

TEST_CASE("ScatterNd adds; of bools any, of strings one after another") {
  const Tensor twice = Tensor::of<std::int32_t>({2, 1}, {1, 1});
  CHECK(text(run("ScatterNd", {}, {twice, Tensor::vector<std::uint8_t>({200, 100}), ints({3})})) ==
        "uint8[3]: 0 44 0");
  CHECK(text(run("ScatterNd", {}, {twice, Tensor::vector<bool>({true, false}), ints({2})})) ==
        "bool[2]: false true");
  CHECK(text(run("ScatterNd", {}, {twice, Tensor::vector<std::string>({"a", "b"}), ints({2})})) ==
        R"(string[2]: "" "ab")");
  CHECK_THROWS_WITH(run("ScatterNd", {}, {twice, ints({1, 2}), ints({1})}),
                    contains("indices[0,0] = 1 is not in [0, 1)"));
  CHECK(code_of([&] {
          run("ScatterNd", {}, {twice, ints({1}), ints({2})});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("ScatterNd", {}, {twice, ints({1, 2}), ints({-1})});
        }) == Code::InvalidArgument);
}

TEST_CASE("TensorScatter changes a copy, unless nobody else holds the tensor") {
  const Tensor at = Tensor::of<std::int32_t>({2, 1}, {0, 0}), x = ints({5, 5, 5, 5, 5});
  CHECK(text(run("TensorScatterUpdate", {}, {x, at, ints({1, 2})})) == "int32[5]: 2 5 5 5 5");
  CHECK(text(run("TensorScatterSub", {}, {x, at, ints({1, 2})})) == "int32[5]: 2 5 5 5 5");
  CHECK(text(run("TensorScatterMin", {}, {x, at, ints({7, 2})})) == "int32[5]: 2 5 5 5 5");
  CHECK(text(run("TensorScatterMax", {}, {x, at, ints({7, 2})})) == "int32[5]: 7 5 5 5 5");
  CHECK(text(x) == "int32[5]: 5 5 5 5 5");
  CHECK(text(run("TensorScatterAdd", {}, {kRows, ints({2}), Tensor::vector<float>({10, 20})})) ==
        "float32[3,2]: 1 2 3 4 15 26");
  CHECK(code_of([&] {
          run("TensorScatterAdd", {},
              {Tensor::vector<bool>({true}), at, Tensor::vector<bool>({true, true})});
        }) == Code::Unimplemented);
}
