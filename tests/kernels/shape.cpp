#include <dgraph/kernels/shape.hpp>

#include <dgraph/ops/shape.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<ShapeOps>(op, attrs, std::move(inputs));
}
Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor longs(std::initializer_list<std::int64_t> values) {
  return Tensor::vector<std::int64_t>(values);
}
const std::int64_t kHuge = std::int64_t{1} << 62;

}  // namespace

TEST_CASE("Identities give the same memory") {
  const Tensor x = Tensor::zeros(DType::Float32, {10, 10}),
               names = Tensor::vector<std::string>({"a", "b"});
  CHECK(run("Identity", {}, {x})[0].raw() == x.raw());
  CHECK(run("StopGradient", {}, {x})[0].raw() == x.raw());
  const auto both = run("IdentityN", {}, {x, names});
  CHECK(both[0].raw() == x.raw());
  CHECK(text(both[1]) == R"(string[2]: "a" "b")");
}

TEST_CASE("An unfed placeholder says which one it is") {
  CHECK_THROWS_WITH(
      run("Placeholder", {{"dtype", DType::Float32}, {"shape", PartialShape{-1, 2}}}, {}),
      contains("You must feed a value for placeholder tensor 'Placeholder' with dtype float32 and "
               "shape [?,2]"));
  CHECK(code_of([] {
          run("Placeholder", {{"dtype", DType::Int32}}, {});
        }) == Code::InvalidArgument);
  CHECK(text(run("PlaceholderWithDefault", {{"shape", PartialShape{2}}}, {ints({1, 2})})) ==
        "int32[2]: 1 2");
}

TEST_CASE("Shape, ShapeN, Size and Rank") {
  const Tensor x = Tensor::zeros(DType::String, {2, 0, 3});
  CHECK(text(run("Shape", {}, {x})) == "int32[3]: 2 0 3");
  CHECK(text(run("Shape", {{"out_type", DType::Int64}}, {Tensor::scalar(1.0)})) == "int64[0]:");
  CHECK(text(run("ShapeN", {},
                 {Tensor::zeros(DType::Bool, {4}), Tensor::zeros(DType::Bool, {5, 6})})) ==
        "int32[1]: 4; int32[2]: 5 6");
  CHECK(text(run("Size", {}, {x})) == "int32[]: 0");
  CHECK(text(run("Size", {{"out_type", DType::Int64}}, {Tensor::zeros(DType::UInt8, {3, 4})})) ==
        "int64[]: 12");
  CHECK(text(run("Rank", {}, {x})) == "int32[]: 3");
}

TEST_CASE("A size that int32 cannot hold is an error, not another number") {
  const Tensor large = Tensor::zeros(DType::String, {0, kHuge});
  CHECK(code_of([&] { run("Shape", {}, {large}); }) == Code::InvalidArgument);
  CHECK(text(run("Shape", {{"out_type", DType::Int64}}, {large})) ==
        "int64[2]: 0 4611686018427387904");
}

TEST_CASE("Reshape shares memory and finds one missing size") {
  const Tensor x = Tensor::zeros(DType::Float32, {4, 6});
  const Tensor y = run("Reshape", {}, {x, ints({3, -1, 2})})[0];
  CHECK(y.shape() == Shape{3, 4, 2});
  CHECK(y.raw() == x.raw());
  CHECK(run("Reshape", {}, {Tensor::zeros(DType::Int8, {0, 3}), longs({3, -1})})[0].shape() ==
        Shape{3, 0});
  CHECK(run("Reshape", {}, {Tensor::scalar(1.0f), Tensor(DType::Int32, Shape{0})})[0].rank() == 0);
  for (const Tensor& bad : {ints({5}), ints({-1, -1}), ints({5, -1}), ints({-2, -12}),
                            ints({0, -1}), Tensor::zeros(DType::Int32, {1, 1}),
                            longs({kHuge, 4, 4}), longs({kHuge, -1}), longs({INT64_MIN})})
    CHECK(code_of([&] { run("Reshape", {}, {x, bad}); }) == Code::InvalidArgument);
}

TEST_CASE("ExpandDims and Squeeze") {
  const Tensor x = Tensor::zeros(DType::Complex128, {2, 3});
  const auto expanded = [&](std::int32_t axis) {
    return run("ExpandDims", {}, {x, Tensor::scalar(axis)})[0].shape();
  };
  CHECK(expanded(0) == Shape{1, 2, 3});
  CHECK(expanded(1) == Shape{2, 1, 3});
  CHECK(expanded(-1) == Shape{2, 3, 1});
  CHECK(expanded(-3) == Shape{1, 2, 3});
  CHECK_THROWS_WITH(expanded(3), contains("axis 3 is not in [-3, 3)"));
  CHECK_THROWS_WITH(expanded(-4), contains("axis -4"));
  const Tensor y = Tensor::zeros(DType::Int32, {1, 2, 1, 0, 1});
  const auto squeezed = [&](std::vector<std::int64_t> axes) {
    return run("Squeeze", {{"squeeze_dims", std::move(axes)}}, {y})[0].shape();
  };
  CHECK(squeezed({}) == Shape{2, 0});
  CHECK(squeezed({0, -1}) == Shape{2, 1, 0});
  CHECK_THROWS_WITH(squeezed({1}), contains("expected a dimension of 1, got 2"));
  CHECK_THROWS_WITH(squeezed({5}), contains("axis 5"));
}

TEST_CASE("Fill, ZerosLike and OnesLike for all dtypes") {
  CHECK(text(run("Fill", {}, {ints({2, 2}), Tensor::scalar(1.5f)})) ==
        "float32[2,2]: 1.5 1.5 1.5 1.5");
  CHECK(text(run("Fill", {}, {longs({3}), Tensor::scalar(std::string("ab"))})) ==
        R"(string[3]: "ab" "ab" "ab")");
  CHECK(text(run("Fill", {}, {ints({0, 5}), Tensor::scalar(true)})) == "bool[0,5]:");
  CHECK(text(run("Fill", {}, {Tensor(DType::Int32, Shape{0}), Tensor::scalar(std::int8_t{3})})) ==
        "int8[]: 3");
  CHECK(code_of([] {
          run("Fill", {}, {ints({-1}), Tensor::scalar(1.0f)});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Fill", {}, {ints({2}), Tensor::zeros(DType::Float32, {2})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Fill", {}, {longs({kHuge, 8}), Tensor::scalar(1.0f)});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("Fill", {}, {longs({kHuge / 8}), Tensor::scalar(1.0f)});
        }) == Code::ResourceExhausted);
  CHECK(code_of([] {
          run("Fill", {}, {longs({kHuge}), Tensor::scalar(std::string())});
        }) == Code::ResourceExhausted);
  CHECK(text(run("ZerosLike", {}, {Tensor::vector<std::string>({"a", "b"})})) ==
        R"(string[2]: "" "")");
  for (const DType dtype :
       {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64, DType::Int8, DType::Int16,
        DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64}) {
    const Tensor one = run("OnesLike", {}, {Tensor::zeros(dtype, {2})})[0];
    CHECK(text(one) == errors::text(dtype_name(dtype), "[2]: 1 1"));
    CHECK(text(run("ZerosLike", {}, {one})) == errors::text(dtype_name(dtype), "[2]: 0 0"));
  }
  CHECK(text(run("OnesLike", {}, {Tensor::zeros(DType::Bool, {2})})) == "bool[2]: true true");
  CHECK(text(run("OnesLike", {}, {Tensor::zeros(DType::Complex64, {1})})) == "complex64[1]: (1,0)");
  CHECK(text(run("OnesLike", {}, {Tensor::zeros(DType::Complex128, {})})) == "complex128[]: (1,0)");
}

TEST_CASE("BroadcastTo follows numpy's rules") {
  CHECK(text(run("BroadcastTo", {}, {Tensor::of<std::int32_t>({2, 1}, {1, 2}), ints({2, 2, 3})})) ==
        "int32[2,2,3]: 1 1 1 2 2 2 1 1 1 2 2 2");
  CHECK(text(run("BroadcastTo", {}, {Tensor::vector<std::string>({"x", "y"}), longs({2, 2})})) ==
        R"(string[2,2]: "x" "y" "x" "y")");
  CHECK(text(run("BroadcastTo", {}, {Tensor::scalar(half(2.0f)), ints({3})})) ==
        "float16[3]: 2 2 2");
  CHECK(text(run("BroadcastTo", {}, {Tensor::vector<float>({7}), ints({0})})) == "float32[0]:");
  for (const Tensor& bad : {ints({3}), ints({2, 3}), ints({-2}), longs({kHuge, kHuge, 2})})
    CHECK(code_of([&] {
            run("BroadcastTo", {}, {Tensor::zeros(DType::Float32, {1, 2}), bad});
          }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("BroadcastTo", {}, {Tensor::scalar(1.0f), longs({kHuge / 8})});
        }) == Code::ResourceExhausted);
}

TEST_CASE("BroadcastGradientArgs names the axes to sum over") {
  const auto axes = [](const Tensor& a, const Tensor& b) {
    return text(run("BroadcastGradientArgs", {}, {a, b}));
  };
  CHECK(axes(ints({2, 3}), ints({3})) == "int32[0]:; int32[1]: 0");
  CHECK(axes(ints({2, 1}), ints({1, 3})) == "int32[1]: 1; int32[1]: 0");
  CHECK(axes(ints({3, 1, 2}), ints({2, 1})) == "int32[1]: 1; int32[2]: 0 2");
  CHECK(axes(ints({1, 1}), ints({5})) == "int32[2]: 0 1; int32[1]: 0");
  CHECK(axes(longs({4}), longs({4})) == "int64[0]:; int64[0]:");
  CHECK(axes(ints({1}), ints({1})) == "int32[0]:; int32[0]:");
  CHECK(code_of([&] { axes(ints({2, 3}), ints({2})); }) == Code::InvalidArgument);
  CHECK(code_of([&] { axes(ints({-1}), ints({1})); }) == Code::InvalidArgument);
}

TEST_CASE("Range counts up and down") {
  const auto range = [](auto start, auto limit, auto delta) {
    return text(
        run("Range", {}, {Tensor::scalar(start), Tensor::scalar(limit), Tensor::scalar(delta)}));
  };
  CHECK(range(0, 5, 2) == "int32[3]: 0 2 4");
  CHECK(range(5, 0, -2) == "int32[3]: 5 3 1");
  CHECK(range(3, 3, 1) == "int32[0]:");
  CHECK(range(0.0f, 1.0f, 0.25f) == "float32[4]: 0 0.25 0.5 0.75");
  CHECK(range(0.0f, 0.3f, 0.1f).substr(0, 10) == "float32[3]");
  CHECK(range(1.0, 0.0, -0.5) == "float64[2]: 1 0.5");
  CHECK(range(bfloat16(0.0f), bfloat16(2.0f), bfloat16(1.0f)) == "bfloat16[2]: 0 1");
  CHECK(range(half(0.0f), half(2.0f), half(1.0f)) == "float16[2]: 0 1");
  CHECK(range(std::int8_t{-128}, std::int8_t{127}, std::int8_t{100}) == "int8[3]: -128 -28 72");
  CHECK(range(INT64_MIN, INT64_MAX, std::int64_t{1} << 62) ==
        "int64[4]: -9223372036854775808 -4611686018427387904 0 4611686018427387904");
  CHECK(range(std::uint32_t{0}, std::uint32_t{4294967295u}, std::uint32_t{2147483648u}) ==
        "uint32[2]: 0 2147483648");
  CHECK(code_of([&] { range(0, 5, 0); }) == Code::InvalidArgument);
  CHECK(code_of([&] { range(0, 5, -1); }) == Code::InvalidArgument);
  CHECK(code_of([&] { range(0.0, 5.0, std::nan("")); }) == Code::InvalidArgument);
  CHECK(code_of([&] { range(0.0, 1e300, 1.0); }) == Code::InvalidArgument);
  CHECK(code_of([&] { range(INT64_MIN, INT64_MAX, std::int64_t{1}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { range(std::int64_t{0}, kHuge, std::int64_t{1}); }) ==
        Code::ResourceExhausted);
}
