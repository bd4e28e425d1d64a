#include <dgraph/kernels/convolution.hpp>

#include <algorithm>
#include <functional>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/ops/convolution.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::text;

namespace {

using List = std::vector<std::int64_t>;

Tensor run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<ConvolutionOps>(op, attrs, std::move(inputs))[0];
}
Tensor sizes(const Shape& shape) {
  Tensor out(DType::Int32, Shape{static_cast<std::int64_t>(shape.rank())});
  for (std::size_t i = 0; i < shape.rank(); ++i)
    out.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
  return out;
}

// Small whole numbers, so that sums are exact in every dtype and order.
Tensor whole(Shape shape, std::int64_t salt) {
  Tensor out(DType::Float64, std::move(shape));
  for (std::int64_t i = 0; i < out.elements(); ++i)
    out.mutable_data<double>()[i] = static_cast<double>((i * 7 + salt * 5) % 11 - 5);
  return out;
}

// From channels last to channels first.
Tensor channels_first(const Tensor& x) {
  const std::int64_t places = x.dim(1) * x.dim(2), channels = x.dim(3);
  Tensor out(x.dtype(), Shape{x.dim(0), channels, x.dim(1), x.dim(2)});
  for (std::int64_t item = 0; item < x.dim(0); ++item)
    for (std::int64_t place = 0; place < places; ++place)
      for (std::int64_t c = 0; c < channels; ++c)
        out.mutable_data<double>()[(item * channels + c) * places + place] =
            x.data<double>()[(item * places + place) * channels + c];
  return out;
}

struct Windows {
  std::int64_t stride = 1, dilation = 1;
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
  NamedAttrs attrs(bool first) const {
    const auto list = [first](std::int64_t n) {
      return first ? List{1, 1, n, n} : List{1, n, n, 1};
    };
    const List around = first ? List{0, 0, 0, 0, top, bottom, left, right}
                              : List{0, 0, top, bottom, left, right, 0, 0};
    return {{"strides", list(stride)},
            {"dilations", list(dilation)},
            {"padding", "EXPLICIT"},
            {"explicit_paddings", around},
            {"data_format", first ? "NCHW" : "NHWC"}};
  }
  std::int64_t places(std::int64_t input, std::int64_t size, std::int64_t around) const {
    return (input + around - (size - 1) * dilation - 1) / stride + 1;
  }
};

// Calls `use(x index, filter index, y index)` for each product that Conv2D adds up.
void each_product(const Windows& w, const Shape& x, const Shape& f, const Shape& y,
                  const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& use) {
  const std::int64_t group_outputs = y[3] / (x[3] / f[2]);
  for (std::int64_t b = 0; b < y[0]; ++b)
    for (std::int64_t i = 0; i < y[1]; ++i)
      for (std::int64_t j = 0; j < y[2]; ++j)
        for (std::int64_t o = 0; o < y[3]; ++o)
          for (std::int64_t p = 0; p < f[0]; ++p)
            for (std::int64_t q = 0; q < f[1]; ++q)
              for (std::int64_t c = 0; c < f[2]; ++c) {
                const std::int64_t row = i * w.stride - w.top + p * w.dilation,
                                   column = j * w.stride - w.left + q * w.dilation;
                if (row < 0 || row >= x[1] || column < 0 || column >= x[2]) continue;
                const std::int64_t channel = o / group_outputs * f[2] + c;
                use(((b * x[1] + row) * x[2] + column) * x[3] + channel,
                    ((p * f[1] + q) * f[2] + c) * f[3] + o, ((b * y[1] + i) * y[2] + j) * y[3] + o);
              }
}

void check_against_sums(const Windows& w, const Shape& xs, const Shape& fs) {
  INFO("image " << xs.to_string() << ", filter " << fs.to_string() << ", stride " << w.stride
                << ", dilation " << w.dilation);
  const Shape ys{xs[0], w.places(xs[1], fs[0], w.top + w.bottom),
                 w.places(xs[2], fs[1], w.left + w.right), fs[3]};
  const Tensor x = whole(xs, 1), f = whole(fs, 2), dy = whole(ys, 3);
  Tensor y = Tensor::zeros(DType::Float64, ys), dx = Tensor::zeros(DType::Float64, xs),
         df = Tensor::zeros(DType::Float64, fs);
  each_product(w, xs, fs, ys, [&](std::int64_t at, std::int64_t tap, std::int64_t to) {
    y.mutable_data<double>()[to] += x.data<double>()[at] * f.data<double>()[tap];
    dx.mutable_data<double>()[at] += dy.data<double>()[to] * f.data<double>()[tap];
    df.mutable_data<double>()[tap] += dy.data<double>()[to] * x.data<double>()[at];
  });
  const NamedAttrs last = w.attrs(false), first = w.attrs(true);
  CHECK(text(run("Conv2D", last, {x, f})) == text(y));
  CHECK(text(run("Conv2DBackpropInput", last, {sizes(xs), f, dy})) == text(dx));
  CHECK(text(run("Conv2DBackpropFilter", last, {x, sizes(fs), dy})) == text(df));
  CHECK(text(run("Conv2D", first, {channels_first(x), f})) == text(channels_first(y)));
  CHECK(text(run("Conv2DBackpropInput", first,
                 {sizes(channels_first(x).shape()), f, channels_first(dy)})) ==
        text(channels_first(dx)));
  CHECK(text(run("Conv2DBackpropFilter", first,
                 {channels_first(x), sizes(fs), channels_first(dy)})) == text(df));
  for (const DType small : {DType::Float32, DType::Int32}) {
    const Tensor got = run("Conv2D", last, {cast_tensor(x, small), cast_tensor(f, small)});
    CHECK(text(cast_tensor(got, DType::Float64)) == text(y));
  }
}

}  // namespace

TEST_CASE("convolutions and their gradients are the sums that they stand for") {
  check_against_sums({}, {2, 4, 5, 3}, {1, 1, 3, 4});
  check_against_sums({}, {2, 5, 6, 3}, {3, 2, 3, 4});
  check_against_sums({.stride = 2, .top = 1, .bottom = 1, .left = 2}, {1, 7, 5, 2}, {3, 3, 2, 5});
  check_against_sums({.stride = 3, .top = 1, .right = 2}, {2, 8, 7, 2}, {2, 2, 2, 3});
  check_against_sums({.dilation = 2, .top = 2, .left = 1, .right = 3}, {1, 6, 7, 2}, {3, 2, 2, 3});
  check_against_sums({.stride = 2, .dilation = 3, .bottom = 2}, {1, 9, 11, 1}, {2, 3, 1, 2});
  // Two groups of channels.
  check_against_sums({.stride = 2, .top = 1, .left = 1}, {2, 5, 5, 4}, {3, 3, 2, 6});
  // Blocks of rows, and taps in more than one block.
  check_against_sums({.top = 1, .bottom = 1, .left = 1, .right = 1}, {1, 40, 33, 3}, {3, 3, 3, 2});
  check_against_sums({}, {1, 12, 9, 160}, {7, 7, 160, 2});
}

TEST_CASE("convolutions of nothing") {
  const NamedAttrs attrs{{"strides", List{1, 1, 1, 1}}, {"padding", "SAME"}};
  const Tensor filter = whole({2, 2, 3, 4}, 1);
  CHECK(run("Conv2D", attrs, {whole({0, 5, 5, 3}, 1), filter}).shape() == Shape{0, 5, 5, 4});
  CHECK(run("Conv2D", attrs, {whole({2, 0, 5, 3}, 1), filter}).shape() == Shape{2, 0, 5, 4});
  CHECK(text(run("Conv2DBackpropFilter", attrs,
                 {whole({0, 5, 5, 3}, 1), sizes(filter.shape()), whole({0, 5, 5, 4}, 1)})) ==
        text(Tensor::zeros(DType::Float64, filter.shape())));
  CHECK(code_of([&] {
          run("Conv2D", attrs, {whole({1, 5, 5, 3}, 1), whole({2, 0, 3, 4}, 1)});
        }) == Code::InvalidArgument);
  const Tensor no_outputs = whole({2, 2, 3, 0}, 1);
  CHECK(run("Conv2D", attrs, {whole({2, 5, 5, 3}, 1), no_outputs}).shape() == Shape{2, 5, 5, 0});
  CHECK(text(run("Conv2DBackpropInput", attrs,
                 {sizes({1, 2, 2, 3}), no_outputs, whole({1, 2, 2, 0}, 1)})) ==
        text(Tensor::zeros(DType::Float64, {1, 2, 2, 3})));
  const NamedAttrs uneven{{"strides", List{1, 1, 2, 1}}, {"padding", "SAME"}};
  CHECK(code_of([&] {
          run("DepthwiseConv2dNative", uneven, {whole({1, 5, 5, 3}, 1), filter});
        }) == Code::InvalidArgument);
}

TEST_CASE("small dtypes are summed in float32") {
  const NamedAttrs attrs{{"strides", List{1, 1, 1, 1}}, {"padding", "VALID"}};
  const Tensor ones = cast_tensor(Tensor::of<float>({1, 1, 1, 1}, {1.f}), DType::Float16);
  // 2048 + 1 is no float16: added one by one the ones would be lost.
  Tensor x(DType::Float32, Shape{1, 1, 3, 1});
  std::copy_n(std::begin({2048.f, 1.f, 1.f}), 3, x.mutable_data<float>());
  const Tensor filter =
      cast_tensor(Tensor::of<float>({1, 3, 1, 1}, {1.f, 1.f, 1.f}), DType::Float16);
  CHECK(text(run("Conv2D", attrs, {cast_tensor(x, DType::Float16), filter})) ==
        "float16[1,1,1,1]: 2050");
  CHECK(text(run("Conv2D", attrs, {cast_tensor(x, DType::Float16), ones})) ==
        "float16[1,1,3,1]: 2048 1 1");
}

TEST_CASE("a depthwise convolution is one of as many groups as channels") {
  const NamedAttrs attrs{
      {"strides", List{1, 2, 2, 1}}, {"padding", "SAME"}, {"dilations", List{1, 1, 1, 1}}};
  const Tensor x = whole({2, 5, 6, 3}, 1), own = whole({3, 2, 3, 2}, 2);
  // [.., channels, multiplier] and [.., 1, channels * multiplier] are the same numbers.
  const Tensor grouped = own.reshaped(Shape{3, 2, 1, 6});
  const Tensor y = run("Conv2D", attrs, {x, grouped});
  CHECK(text(run("DepthwiseConv2dNative", attrs, {x, own})) == text(y));
  const Tensor dy = whole(y.shape(), 3);
  CHECK(text(run("DepthwiseConv2dNativeBackpropInput", attrs, {sizes(x.shape()), own, dy})) ==
        text(run("Conv2DBackpropInput", attrs, {sizes(x.shape()), grouped, dy})));
  CHECK(text(run("DepthwiseConv2dNativeBackpropFilter", attrs, {x, sizes(own.shape()), dy})
                 .reshaped(grouped.shape())) ==
        text(run("Conv2DBackpropFilter", attrs, {x, sizes(grouped.shape()), dy})));
}

TEST_CASE("a volume of one layer is an image") {
  const NamedAttrs flat{{"strides", List{1, 2, 1, 1}}, {"padding", "SAME"}};
  const NamedAttrs deep{{"strides", List{1, 1, 2, 1, 1}}, {"padding", "SAME"}};
  const Tensor x = whole({2, 5, 4, 3}, 1), f = whole({3, 2, 3, 4}, 2);
  const auto layer = [](const Tensor& t, std::size_t at) {
    Dims dims;
    for (std::size_t i = 0; i < t.rank(); ++i) {
      if (i == at) dims.push_back(1);
      dims.push_back(t.dim(i));
    }
    return t.reshaped(Shape(std::move(dims)));
  };
  const Tensor y = run("Conv2D", flat, {x, f});
  CHECK(text(run("Conv3D", deep, {layer(x, 1), layer(f, 0)})) == text(layer(y, 1)));
  const Tensor dy = whole(y.shape(), 3);
  CHECK(text(run("Conv3DBackpropInputV2", deep,
                 {sizes(layer(x, 1).shape()), layer(f, 0), layer(dy, 1)})) ==
        text(layer(run("Conv2DBackpropInput", flat, {sizes(x.shape()), f, dy}), 1)));
  CHECK(text(run("Conv3DBackpropFilterV2", deep,
                 {layer(x, 1), sizes(layer(f, 0).shape()), layer(dy, 1)})) ==
        text(layer(run("Conv2DBackpropFilter", flat, {x, sizes(f.shape()), dy}), 0)));
}

TEST_CASE("threads do not change what a convolution gives") {
  const Tensor x = cast_tensor(whole({4, 32, 32, 8}, 1), DType::Float32),
               f = cast_tensor(whole({3, 3, 8, 16}, 2), DType::Float32);
  const NamedAttrs attrs{{"strides", List{1, 1, 1, 1}}, {"padding", "SAME"}};
  test::Bound<ops::Conv2D> conv(attrs, {x, f});
  test::ShardedServices many;
  const Tensor y = conv({x, f}, many)[0];
  CHECK(many.most_shards > 1);
  CHECK(text(y) == text(conv({x, f})[0]));
  const Tensor shape = sizes(f.shape());
  test::Bound<ops::Conv2DBackpropFilter> by_filter(attrs, {x, shape, y});
  CHECK(text(by_filter({x, shape, y}, many)[0]) == text(by_filter({x, shape, y})[0]));
}
