#include <dgraph/kernels/pooling.hpp>

#include <cmath>
#include <limits>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/ops/pooling.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::text;

namespace {

using List = std::vector<std::int64_t>;

Tensor run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<PoolingOps>(op, attrs, std::move(inputs))[0];
}
NamedAttrs windows(const char* padding, std::int64_t size, std::int64_t stride) {
  return {{"ksize", List{1, size, size, 1}},
          {"strides", List{1, stride, stride, 1}},
          {"padding", padding}};
}
Tensor image(std::int64_t rows, std::int64_t columns, std::initializer_list<float> values) {
  return Tensor::of<float>({1, rows, columns, 1}, values);
}
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("a window of a max pool has one winner, the first of equal ones") {
  const Tensor x = image(2, 4, {1, 1, 2, 3, 1, 1, 3, 3});
  const Tensor y = run("MaxPool", windows("VALID", 2, 2), {x});
  CHECK(text(y) == "float32[1,1,2,1]: 1 3");
  CHECK(text(run("MaxPoolGrad", windows("VALID", 2, 2), {x, y, image(1, 2, {10, 20})})) ==
        "float32[1,2,4,1]: 10 0 0 20 0 0 0 0");
  const auto both = test::run<PoolingOps>("MaxPoolWithArgmax", windows("VALID", 2, 2), {x});
  CHECK(text(both[1]) == "int64[1,1,2,1]: 0 3");
}

TEST_CASE("overlapping windows add up, and padding is never the largest") {
  const Tensor x = image(1, 3, {-1, -5, -2});
  const Tensor y = run("MaxPool", windows("SAME", 2, 1), {x});
  CHECK(text(y) == "float32[1,1,3,1]: -1 -2 -2");
  CHECK(text(run("MaxPoolGrad", windows("SAME", 2, 1), {x, y, image(1, 3, {1, 2, 4})})) ==
        "float32[1,1,3,1]: 1 0 6");
  // Means are over what is no padding.
  CHECK(text(run("AvgPool", windows("SAME", 2, 1), {x})) == "float32[1,1,3,1]: -3 -3.5 -2");
  CHECK(text(run("AvgPoolGrad", windows("SAME", 2, 1),
                 {Tensor::vector<std::int32_t>({1, 1, 3, 1}), image(1, 3, {2, 4, 8})})) ==
        "float32[1,1,3,1]: 1 3 10");
}

TEST_CASE("explicit padding and channels first") {
  NamedAttrs attrs = windows("EXPLICIT", 2, 2);
  attrs.emplace_back("explicit_paddings", List{0, 0, 0, 1, 1, 0, 0, 0});
  const Tensor x = image(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(text(run("MaxPool", attrs, {x})) == "float32[1,2,2,1]: 4 6 7 9");
  attrs.back().second = List{0, 0, 0, 2, 1, 0, 0, 0};
  CHECK(code_of([&] { run("MaxPool", attrs, {x}); }) == Code::InvalidArgument);
  const NamedAttrs first{{"ksize", List{1, 1, 2, 2}},
                         {"strides", List{1, 1, 1, 1}},
                         {"padding", "VALID"},
                         {"data_format", "NCHW"}};
  const Tensor two = Tensor::of<float>({1, 2, 2, 2}, {1, 2, 3, 4, 8, 7, 6, 5});
  CHECK(text(run("MaxPool", first, {two})) == "float32[1,2,1,1]: 4 8");
  CHECK(text(run("AvgPool", first, {two})) == "float32[1,2,1,1]: 2.5 6.5");
}

TEST_CASE("windows over channels") {
  const NamedAttrs attrs{
      {"ksize", List{1, 1, 1, 2}}, {"strides", List{1, 1, 1, 2}}, {"padding", "VALID"}};
  const Tensor x = Tensor::of<float>({1, 1, 2, 4}, {1, 5, 3, 2, 8, 7, 6, 9});
  CHECK(text(run("MaxPool", attrs, {x})) == "float32[1,1,2,2]: 5 3 8 9");
}

TEST_CASE("gradients of pooling run through channels in blocks") {
  // More channels than a block has: each window's last element is the largest.
  const std::int64_t channels = 130;
  Tensor x(DType::Float32, Shape{1, 2, 2, channels});
  for (std::int64_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = static_cast<float>(i / channels);
  const Tensor y = run("MaxPool", windows("VALID", 2, 1), {x});
  Tensor dy(DType::Float32, y.shape());
  for (std::int64_t i = 0; i < channels; ++i)
    dy.mutable_data<float>()[i] = static_cast<float>(i + 1);
  const Tensor dx = run("MaxPoolGrad", windows("VALID", 2, 1), {x, y, dy});
  for (std::int64_t i = 0; i < channels; ++i) {
    CHECK(dx.data<float>()[i] == 0);
    CHECK(dx.data<float>()[3 * channels + i] == static_cast<float>(i + 1));
  }
  // And back again: of each window the element of its winner.
  CHECK(text(run("MaxPoolGradGrad", windows("VALID", 2, 1), {x, y, dx})) == text(dy));
}

TEST_CASE("NaN in windows") {
  // As TensorFlow: a comparison with NaN never makes it the largest.
  CHECK(text(run("MaxPool", windows("VALID", 2, 2), {image(2, 2, {1, kNan, 2, 0})})) ==
        "float32[1,1,1,1]: 2");
  CHECK(std::isnan(
      run("AvgPool", windows("VALID", 2, 2), {image(2, 2, {1, kNan, 2, 0})}).data<float>()[0]));
}

TEST_CASE("small dtypes, no items, and what does not fit") {
  const Tensor bytes = Tensor::of<std::uint8_t>({1, 1, 2, 1}, {200, 255});
  const NamedAttrs row{
      {"ksize", List{1, 1, 2, 1}}, {"strides", List{1, 1, 1, 1}}, {"padding", "VALID"}};
  CHECK(text(run("MaxPool", row, {bytes})) == "uint8[1,1,1,1]: 255");
  const Tensor halves = cast_tensor(image(1, 2, {2048, 2050}), DType::Float16);
  CHECK(text(run("AvgPool", row, {halves})) == "float16[1,1,1,1]: 2048");
  CHECK(run("MaxPool", row, {Tensor(DType::Float32, Shape{0, 3, 3, 2})}).shape() ==
        Shape{0, 3, 2, 2});
  CHECK(code_of([&] { run("MaxPool", row, {image(2, 1, {1, 2})}); }) == Code::Ok);
  CHECK(code_of([&] {
          run("MaxPoolGrad", row, {image(1, 2, {1, 2}), image(1, 1, {2}), image(1, 2, {1, 1})});
        }) == Code::InvalidArgument);
  const Tensor far = Tensor::of<std::int64_t>({1, 1, 1, 1}, {2});
  CHECK(code_of([&] {
          run("MaxPoolGradWithArgmax", row, {image(1, 2, {1, 2}), image(1, 1, {2}), far});
        }) == Code::InvalidArgument);
}
