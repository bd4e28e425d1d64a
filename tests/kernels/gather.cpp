#include <dgraph/kernels/gather.hpp>

#include <dgraph/ops/gather.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<GatherOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor longs(std::initializer_list<std::int64_t> values) {
  return Tensor::vector<std::int64_t>(values);
}
Tensor number(std::int32_t value) { return Tensor::scalar(value); }
const Tensor kRows = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("Gather takes rows") {
  CHECK(text(run("Gather", {}, {kRows, ints({2, 0, 2})})) == "float32[3,2]: 5 6 1 2 5 6");
  CHECK(text(run("Gather", {}, {kRows, longs({1})})) == "float32[1,2]: 3 4");
  CHECK(text(run("Gather", {}, {kRows, number(1)})) == "float32[2]: 3 4");
  CHECK(text(run("Gather", {},
                 {Tensor::vector<std::string>({"a", "b"}),
                  Tensor::of<std::int32_t>({1, 2}, {1, 0})})) == R"(string[1,2]: "b" "a")");
  CHECK(text(run("Gather", {}, {Tensor::vector<std::int8_t>({7, 8}), ints({1, 1})})) ==
        "int8[2]: 8 8");
  CHECK(text(run("Gather", {}, {Tensor::vector<std::complex<double>>({1.0, 2.0}), ints({1})})) ==
        "complex128[1]: (2,0)");
  CHECK(text(run("Gather", {}, {Tensor::vector<half>({half(1.0f), half(2.0f)}), ints({1})})) ==
        "float16[1]: 2");
  CHECK(text(run("Gather", {}, {Tensor::vector<double>({1, 2}), ints({1})})) == "float64[1]: 2");
  CHECK(run("Gather", {}, {kRows, Tensor(DType::Int32, Shape{0})})[0].shape() == Shape{0, 2});
  CHECK(
      run("Gather", {}, {Tensor::zeros(DType::Float32, {0, 2}), Tensor(DType::Int32, Shape{0})})[0]
          .shape() == Shape{0, 2});
  CHECK_THROWS_WITH(run("Gather", {}, {kRows, ints({0, 7})}),
                    contains("indices[1] = 7 is not in [0, 3)"));
  CHECK_THROWS_WITH(run("Gather", {}, {kRows, longs({-1})}),
                    contains("indices[0] = -1 is not in [0, 3)"));
  CHECK_THROWS_WITH(run("Gather", {}, {Tensor::zeros(DType::Float32, {0, 2}), ints({0})}),
                    contains("is not in [0, 0)"));
  CHECK_THROWS_WITH(run("Gather", {}, {Tensor::zeros(DType::Float32, {3, 0}), ints({3})}),
                    contains("is not in [0, 3)"));
  CHECK(code_of([] {
          run("Gather", {}, {Tensor::scalar(1.0f), ints({0})});
        }) == Code::InvalidArgument);
}

TEST_CASE("GatherV2 takes slices along any axis, and by batches") {
  CHECK(text(run("GatherV2", {}, {kRows, ints({1}), number(1)})) == "float32[3,1]: 2 4 6");
  CHECK(text(run("GatherV2", {}, {kRows, number(0), number(-1)})) == "float32[3]: 1 3 5");
  CHECK(text(run("GatherV2", {},
                 {kRows, Tensor::vector<std::int16_t>({2}), Tensor::scalar(std::int64_t{0})})) ==
        "float32[1,2]: 5 6");
  const Tensor picks = Tensor::of<std::int32_t>({3, 1}, {1, 0, 1});
  for (const int batch : {1, -1})
    CHECK(text(run("GatherV2", {{"batch_dims", batch}}, {kRows, picks, number(1)})) ==
          "float32[3,1]: 2 3 6");
  // params[b, o, indices[b, i], s] by four loops.
  Tensor params(DType::Int32, Shape{2, 3, 4, 5});
  for (std::int32_t i = 0; i < 120; ++i) params.mutable_data<std::int32_t>()[i] = i;
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {3, 1, 0, 2});
  const Tensor out = run("GatherV2", {{"batch_dims", 1}}, {params, indices, number(2)})[0];
  REQUIRE(out.shape() == Shape{2, 3, 2, 5});
  for (int b = 0, at = 0; b < 2; ++b)
    for (int o = 0; o < 3; ++o)
      for (int i = 0; i < 2; ++i)
        for (int s = 0; s < 5; ++s, ++at)
          CHECK(out.data<std::int32_t>()[at] ==
                ((b * 3 + o) * 4 + indices.data<std::int64_t>()[b * 2 + i]) * 5 + s);
  CHECK_THROWS_WITH(run("GatherV2", {{"batch_dims", 1}},
                        {kRows, Tensor::of<std::int32_t>({3, 1}, {0, 2, 0}), number(1)}),
                    contains("indices[1,0] = 2 is not in [0, 2)"));
  CHECK(code_of([] {
          run("GatherV2", {}, {kRows, ints({0}), number(2)});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("GatherV2", {{"batch_dims", 1}}, {kRows, picks, number(0)});
        }) == Code::InvalidArgument);
  CHECK(code_of([&] {
          run("GatherV2", {{"batch_dims", 3}}, {kRows, picks, number(1)});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("GatherV2", {{"batch_dims", 1}}, {kRows, ints({0, 1}), number(1)});
        }) == Code::InvalidArgument);
}

TEST_CASE("Large gathers give the same when they are split") {
  Tensor params(DType::Float64, Shape{1000, 64});
  for (std::int64_t i = 0; i < params.elements(); ++i)
    params.mutable_data<double>()[i] = static_cast<double>(i);
  Tensor indices(DType::Int32, Shape{5000});
  for (std::int64_t i = 0; i < 5000; ++i)
    indices.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 7919 % 1000);
  test::ShardedServices services;
  const Tensor out = run_op(find_kernel<GatherOps>, "Gather", {}, {params, indices}, services)[0];
  CHECK(services.most_shards > 1);
  int wrong = 0;
  for (std::int64_t i = 0; i < out.elements(); ++i)
    wrong += out.data<double>()[i] !=
             static_cast<double>(indices.data<std::int32_t>()[i / 64] * 64 + i % 64);
  CHECK(wrong == 0);
}

TEST_CASE("OneHot") {
  const auto one_hot = [](const Tensor& indices, std::int32_t depth, int axis, const Tensor& on,
                          const Tensor& off) {
    return text(run("OneHot", {{"axis", axis}}, {indices, number(depth), on, off}));
  };
  const Tensor on = Tensor::scalar(1.0f), off = Tensor::scalar(0.0f);
  CHECK(one_hot(ints({1, 0}), 3, -1, on, off) == "float32[2,3]: 0 1 0 1 0 0");
  CHECK(one_hot(ints({1, 0}), 3, 0, on, off) == "float32[3,2]: 0 1 1 0 0 0");
  CHECK(one_hot(longs({-1, 3}), 3, -1, on, off) == "float32[2,3]: 0 0 0 0 0 0");
  CHECK(one_hot(Tensor::vector<std::uint8_t>({2}), 3, -1, Tensor::scalar(std::string("x")),
                Tensor::scalar(std::string("-"))) == R"(string[1,3]: "-" "-" "x")");
  CHECK(one_hot(number(1), 2, -1, Tensor::scalar(true), Tensor::scalar(false)) ==
        "bool[2]: false true");
  CHECK(one_hot(Tensor::of<std::int32_t>({2, 1}, {0, 1}), 2, 1, on, off) ==
        "float32[2,2,1]: 1 0 0 1");
  CHECK(one_hot(ints({1}), 0, -1, on, off) == "float32[1,0]:");
  CHECK(code_of([&] { one_hot(ints({1}), -1, -1, on, off); }) == Code::InvalidArgument);
  CHECK(code_of([&] { one_hot(ints({1}), 2, 2, on, off); }) == Code::InvalidArgument);
  CHECK(code_of([&] { one_hot(ints({1}), 2, -2, on, off); }) == Code::InvalidArgument);
  CHECK(code_of([&] { one_hot(ints({1}), 2, -1, Tensor::zeros(DType::Float32, {2}), off); }) ==
        Code::InvalidArgument);
}
