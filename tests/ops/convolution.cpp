#include <dgraph/ops/convolution.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Floats = std::vector<float>;

Op<float> image(const Shape& shape, std::vector<float> values) {
  return Op<float>(constant_output(Tensor::of<float>(shape, std::span<const float>(values))));
}
Op<float> unknown(const PartialShape& shape) {
  return Op<float>(add_op<ops::Placeholder>({}, "dtype", DType::Float32, "shape", shape));
}
}  // namespace

TEST_CASE("conv2d with options of windows") {
  Building b;
  const auto x = image({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto ones = image({2, 2, 1, 1}, {1, 1, 1, 1});
  CHECK(evaluate<float>(conv2d(x, ones)) == Floats{12, 16, 24, 28});
  CHECK(evaluate<float>(conv2d(x, ones, {.strides = {2}, .padding = "SAME"})) ==
        Floats{12, 9, 15, 9});
  CHECK(evaluate<float>(conv2d(x, ones, {.dilations = {2, 2}})) == Floats{20});
  CHECK(evaluate<float>(conv2d(x, ones, {.strides = {1, 2, 2, 1}, .padding = {{1, 0}, {0, 1}}})) ==
        Floats{3, 3, 24, 15});
  CHECK(evaluate<float>(conv2d(reshape(x, {1, 1, 3, 3}), ones, {.channels_first = true})) ==
        Floats{12, 16, 24, 28});
}

TEST_CASE("conv1d and conv3d") {
  Building b;
  const auto x = image({1, 5, 1}, {1, 2, 3, 4, 5});
  const auto difference = image({2, 1, 1}, {-1, 1});
  CHECK(evaluate<float>(conv1d(x, difference, {.strides = {2}})) == Floats{1, 1});
  CHECK(evaluate<float>(conv1d(x, difference, {.padding = {{1, 0}}})) == Floats{1, 1, 1, 1, 1});
  CHECK(conv1d(x, difference, {.padding = "SAME"}).shape().to_string() == "[1,5,1]");
  CHECK(evaluate<float>(conv1d(reshape(x, {1, 1, 5}), difference,
                               {.dilations = {3}, .channels_first = true})) == Floats{3, 3});
  const auto volume = image({1, 2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(evaluate<float>(conv3d(volume, image({2, 2, 2, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}))) ==
        Floats{36});
}

TEST_CASE("depthwise and separable convolutions") {
  Building b;
  const auto x = image({1, 1, 2, 2}, {1, 10, 2, 20});
  const auto own = image({1, 2, 2, 1}, {1, 1, 2, 3});
  CHECK(evaluate<float>(depthwise_conv2d(x, own)) == Floats{5, 70});
  CHECK(evaluate<float>(separable_conv2d(x, own, image({1, 1, 2, 1}, {1, 0.5f}))) == Floats{40});
}

TEST_CASE("conv2d_transpose lays the filter over a larger image") {
  Building b;
  const auto x = image({1, 2, 2, 1}, {1, 2, 3, 4});
  const auto filter = image({2, 2, 1, 1}, {1, 10, 100, 1000});
  const auto y = conv2d_transpose(x, filter, {1, 4, 4, 1}, {.strides = {2}});
  CHECK(y.shape().to_string() == "[1,4,4,1]");
  CHECK(evaluate<float>(y) ==
        Floats{1, 10, 2, 20, 100, 1000, 200, 2000, 3, 30, 4, 40, 300, 3000, 400, 4000});
}

TEST_CASE("shapes of convolutions where some are not known") {
  Building b;
  const auto filter = image({3, 3, 2, 4}, std::vector<float>(72, 1.f));
  CHECK(conv2d(unknown(PartialShape()), filter).shape().to_string() == "[?,?,?,4]");
  CHECK(conv2d(unknown(PartialShape{-1, 5, -1, 2}), filter, {.strides = {2}}).shape().to_string() ==
        "[?,2,?,4]");
  CHECK(conv2d(unknown(PartialShape{-1, 2, -1, 5}), filter,
               {.padding = "SAME", .channels_first = true})
            .shape()
            .to_string() == "[?,4,?,5]");
  CHECK_THROWS_WITH(conv2d(unknown(PartialShape{-1, 5, 5, 3}), filter), contains("depth"));
  CHECK_THROWS_WITH(conv2d(unknown(PartialShape{-1, 1, 5, 2}), filter), contains("does not fit"));
  CHECK_THROWS_WITH(conv2d(unknown(PartialShape{-1, 5, 5, 2}), filter, {.strides = {1, 2, 3}}),
                    contains("strides"));
  CHECK_THROWS_WITH(conv2d(unknown(PartialShape{-1, 5, 5, 2}), filter, {.padding = {{1, 1}}}),
                    contains("padding"));
}

TEST_CASE("gradients of convolutions that are made of ops, of both orders") {
  const auto separable = [](const std::vector<Output>& in) {
    return separable_conv2d(Op<double>(in[0]), Op<double>(in[1]), Op<double>(in[2]),
                            {.strides = {2}, .padding = "SAME"});
  };
  const std::vector<Tensor> xs{varied({1, 3, 4, 2}), varied({2, 3, 2, 2}), varied({1, 1, 4, 3})};
  check_gradients(separable, xs);
  check_second_gradients(separable, xs, 1e-5);
  const auto transposed = [](const std::vector<Output>& in) {
    return conv2d_transpose(Op<double>(in[0]), Op<double>(in[1]), {1, 5, 4, 2},
                            {.strides = {2, 1}, .padding = "SAME"});
  };
  check_gradients(transposed, {varied({1, 3, 4, 3}), varied({3, 2, 2, 3})});
  const auto line = [](const std::vector<Output>& in) {
    return conv1d(Op<double>(in[0]), Op<double>(in[1]), {.padding = {{2, 1}}, .dilations = {2}});
  };
  check_gradients(line, {varied({2, 5, 2}), varied({3, 2, 2})});
}
