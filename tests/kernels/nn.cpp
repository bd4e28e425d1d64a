#include <dgraph/kernels/nn.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <dgraph/ops/nn.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using dgraph::test::code_of;
using dgraph::test::contains;
using dgraph::test::text;

namespace {

std::vector<Tensor> run(std::string_view op, const NamedAttrs& attrs, std::vector<Tensor> inputs) {
  return test::run<NnOps>(op, attrs, std::move(inputs));
}
Tensor floats(std::initializer_list<float> values) { return Tensor::vector<float>(values); }
Tensor matrix(std::int64_t rows, std::int64_t columns, std::initializer_list<float> values) {
  return Tensor::of<float>({rows, columns}, values);
}

// Numbers between -3 and 3 that repeat late.
template <class T>
Tensor wavy(Shape shape) {
  Tensor out(dtype_of<T>, std::move(shape));
  for (std::int64_t i = 0; i < out.elements(); ++i)
    out.mutable_data<T>()[i] = T(3 * std::sin(static_cast<double>(i) * 1.7 + 0.3));
  return out;
}

template <class T>
double most_difference(const Tensor& got, const std::vector<double>& wanted) {
  REQUIRE(got.elements() == static_cast<std::int64_t>(wanted.size()));
  double most = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(got.flat<T>()[i]) - wanted[i]));
  return most;
}

// Softmax by its definition in double.
template <class T>
std::vector<double> softmax(const Tensor& x, bool log) {
  const std::int64_t columns = x.dim(x.rank() - 1);
  std::vector<double> out;
  for (std::int64_t row = 0; row < x.elements() / columns; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i)
      sum += std::exp(static_cast<double>(x.data<T>()[row * columns + i]));
    for (std::int64_t i = 0; i < columns; ++i) {
      const auto v = static_cast<double>(x.data<T>()[row * columns + i]);
      out.push_back(log ? v - std::log(sum) : std::exp(v) / sum);
    }
  }
  return out;
}

const float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("BiasAdd adds along the channel") {
  CHECK(text(run("BiasAdd", {}, {matrix(2, 3, {1, 2, 3, 4, 5, 6}), floats({10, 20, 30})})) ==
        "float32[2,3]: 11 22 33 14 25 36");
  CHECK(text(run("BiasAdd", {{"data_format", "NCHW"}},
                 {Tensor::of<std::int32_t>({1, 2, 2}, {1, 2, 3, 4}),
                  Tensor::vector<std::int32_t>({10, 20})})) == "int32[1,2,2]: 11 12 23 24");
  CHECK(text(run("BiasAdd", {{"data_format", "NCHW"}},
                 {matrix(2, 2, {1, 2, 3, 4}), floats({10, 20})})) == "float32[2,2]: 11 22 13 24");
  CHECK(run("BiasAdd", {}, {Tensor::zeros(DType::Float32, {0, 2}), floats({1, 2})})[0].shape() ==
        Shape{0, 2});
  CHECK(code_of([] {
          run("BiasAdd", {}, {matrix(1, 3, {1, 2, 3}), floats({1, 2})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("BiasAdd", {}, {floats({1, 2}), floats({1, 2})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("BiasAdd", {}, {matrix(1, 1, {1}), matrix(1, 1, {1})});
        }) == Code::InvalidArgument);

  // Large ones, split and in other memory, against plain loops.
  test::ShardedServices services;
  for (const auto& [shape, format, channel] : {std::tuple{Shape{3000, 40}, "NHWC", 1},
                                               {Shape{2, 70, 60, 33}, "NCHW", 1},
                                               {Shape{5, 4, 7000, 3}, "NHWC", 3}}) {
    const Tensor x = wavy<double>(shape),
                 bias = wavy<double>({shape[static_cast<std::size_t>(channel)]});
    const Tensor y =
        run_op(find_kernel<NnOps>, "BiasAdd", {{"data_format", format}}, {x, bias}, services)[0];
    std::int64_t after = 1;
    for (std::size_t k = static_cast<std::size_t>(channel) + 1; k < shape.rank(); ++k)
      after *= shape[k];
    int wrong = 0;
    for (std::int64_t i = 0; i < x.elements(); ++i)
      wrong += y.data<double>()[i] !=
               x.data<double>()[i] + bias.data<double>()[i / after % bias.elements()];
    CHECK(wrong == 0);
  }
  CHECK(services.most_shards > 1);
}

TEST_CASE("BiasAddGrad sums all but the channel") {
  CHECK(text(run("BiasAddGrad", {}, {matrix(2, 2, {1, 2, 3, 4})})) == "float32[2]: 4 6");
  CHECK(text(run("BiasAddGrad", {{"data_format", "NCHW"}},
                 {Tensor::of<std::int64_t>({2, 1, 2}, {1, 2, 3, 4})})) == "int64[1]: 10");
  CHECK(text(run("BiasAddGrad", {}, {Tensor::of<std::complex<float>>({2, 1}, {{1, 2}, {3, 4}})})) ==
        "complex64[1]: (4,6)");
  CHECK(text(run("BiasAddGrad", {}, {Tensor::zeros(DType::Float32, {0, 2})})) == "float32[2]: 0 0");
  CHECK(code_of([] { run("BiasAddGrad", {}, {floats({1})}); }) == Code::InvalidArgument);
  // 2,000 ones in float16 are 2,000, which no sum in float16 itself would give.
  Tensor ones(DType::Float16, Shape{4000, 3});
  for (half& one : ones.mutable_flat<half>()) one = half(1.0f);
  CHECK(text(run("BiasAddGrad", {}, {ones})) == "float16[3]: 4000 4000 4000");
  CHECK(text(run("BiasAddGrad", {{"data_format", "NCHW"}}, {ones.reshaped({2, 2, 3000})})) ==
        "float16[2]: 6000 6000");
  test::ShardedServices services;
  const Tensor x = wavy<float>({700, 300});
  const Tensor sum = run_op(find_kernel<NnOps>, "BiasAddGrad", {}, {x}, services)[0];
  CHECK(services.most_shards > 1);
  std::vector<double> wanted(300);
  for (std::int64_t i = 0; i < x.elements(); ++i)
    wanted[static_cast<std::size_t>(i % 300)] += double{x.data<float>()[i]};
  CHECK(most_difference<float>(sum, wanted) < 1e-3);
}

TEST_CASE("Softmax and LogSoftmax are their definitions") {
  const auto check = [](auto zero, double within) {
    using T = decltype(zero);
    for (const std::int64_t columns : {1, 3, 8, 21, 100}) {
      const Tensor x = wavy<T>({5, columns});
      CHECK(most_difference<T>(run("Softmax", {}, {x})[0], softmax<T>(x, false)) < within);
      CHECK(most_difference<T>(run("LogSoftmax", {}, {x})[0], softmax<T>(x, true)) < within * 10);
    }
  };
  check(float{}, 1e-6);
  check(double{}, 1e-14);
  check(half{}, 1e-3);
  check(bfloat16{}, 1e-2);
  test::ShardedServices services;
  const Tensor large = wavy<float>({500, 200});
  CHECK(most_difference<float>(run_op(find_kernel<NnOps>, "Softmax", {}, {large}, services)[0],
                               softmax<float>(large, false)) < 1e-6);
  CHECK(services.most_shards > 1);
  CHECK(text(run("Softmax", {}, {floats({1e8f, 1e8f})})) == "float32[2]: 0.5 0.5");
  CHECK(text(run("Softmax", {}, {floats({-1e8f, 1e8f})})) == "float32[2]: 0 1");
  CHECK(text(run("LogSoftmax", {}, {floats({-1e8f, 1e8f})})) == "float32[2]: -200000000 0");
  CHECK(std::isnan(run("Softmax", {}, {floats({1, NAN, 2})})[0].data<float>()[0]));
  CHECK(std::isnan(run("Softmax", {}, {floats({kInf, 1})})[0].data<float>()[0]));
  CHECK(text(run("Softmax", {}, {floats({-kInf, 1})})) == "float32[2]: 0 1");
  CHECK(run("Softmax", {}, {Tensor::zeros(DType::Float32, {2, 0})})[0].shape() == Shape{2, 0});
  CHECK(code_of([] { run("Softmax", {}, {Tensor::scalar(1.0f)}); }) == Code::InvalidArgument);
}

TEST_CASE("Sparse cross entropy") {
  const auto out =
      run("SparseSoftmaxCrossEntropyWithLogits", {},
          {matrix(2, 2, {1e8f, 1e8f, 0, std::log(3.0f)}), Tensor::vector<std::int32_t>({0, 1})});
  CHECK(out[0].data<float>()[0] == Approx(0.693147));
  CHECK(out[0].data<float>()[1] == Approx(std::log(4.0 / 3)));
  CHECK(most_difference<float>(out[1], {-0.5, 0.5, 0.25, -0.25}) < 1e-6);
  for (const DType dtype : {DType::Float16, DType::BFloat16, DType::Float64}) {
    const auto zero = run("SparseSoftmaxCrossEntropyWithLogits", {},
                          {Tensor::zeros(dtype, {1, 2}), Tensor::vector<std::int64_t>({1})});
    CHECK(text(zero[1]) == errors::text(dtype_name(dtype), "[1,2]: 0.5 -0.5"));
  }
  const auto labels = [](std::initializer_list<std::int64_t> values) {
    return run("SparseSoftmaxCrossEntropyWithLogits", {},
               {Tensor::zeros(DType::Float32, {2, 2}), Tensor::vector<std::int64_t>(values)});
  };
  CHECK_THROWS_WITH(
      labels({100, 0}),
      contains("Received a label value of 100 which is outside the valid range of [0, 2). "
               "Label values: 100 0"));
  CHECK(code_of([&] { labels({0, -1}); }) == Code::InvalidArgument);
  CHECK(code_of([&] { labels({0}); }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("SparseSoftmaxCrossEntropyWithLogits", {},
              {Tensor::zeros(DType::Float32, {1, 0}), Tensor::vector<std::int32_t>({0})});
        }) == Code::InvalidArgument);
  CHECK(run("SparseSoftmaxCrossEntropyWithLogits", {},
            {Tensor::zeros(DType::Float32, {0, 3}), Tensor(DType::Int32, Shape{0})})[0]
            .shape() == Shape{0});
}

TEST_CASE("Dense cross entropy, with logits or labels for all rows or columns") {
  const Tensor x = matrix(2, 3, {1, 2, 3, 0, -1, 1}), y = matrix(2, 3, {0.2f, 0.3f, 0.5f, 1, 0, 0});
  const auto check = [](const Tensor& a, const Tensor& b, const Tensor& full_a,
                        const Tensor& full_b) {
    const auto out = run("SoftmaxCrossEntropyWithLogits", {}, {a, b});
    const std::vector<double> p = softmax<float>(full_a, false),
                              log_p = softmax<float>(full_a, true);
    std::vector<double> loss(2), backprop;
    for (std::size_t i = 0; i < 6; ++i) {
      loss[i / 3] -= double{full_b.data<float>()[i]} * log_p[i];
      backprop.push_back(p[i] - double{full_b.data<float>()[i]});
    }
    CHECK(most_difference<float>(out[0], loss) < 1e-5);
    CHECK(most_difference<float>(out[1], backprop) < 1e-6);
  };
  check(x, y, x, y);
  check(floats({1, 2, 3}), y, matrix(2, 3, {1, 2, 3, 1, 2, 3}), y);
  check(matrix(1, 3, {1, 2, 3}), y, matrix(2, 3, {1, 2, 3, 1, 2, 3}), y);
  check(x, matrix(2, 1, {0.5f, 2}), x, matrix(2, 3, {0.5f, 0.5f, 0.5f, 2, 2, 2}));
  check(Tensor::scalar(4.0f), y, matrix(2, 3, {4, 4, 4, 4, 4, 4}), y);
  const auto large =
      run("SoftmaxCrossEntropyWithLogits", {}, {matrix(1, 2, {1e8f, 1e8f}), matrix(1, 2, {1, 0})});
  CHECK(large[0].data<float>()[0] == Approx(0.693147));
  CHECK(text(run("SoftmaxCrossEntropyWithLogits", {},
                 {Tensor::zeros(DType::Float32, {1, 0}),
                  Tensor::zeros(DType::Float32, {1, 0})})[0]) == "float32[1]: 0");
  CHECK(code_of([&] {
          run("SoftmaxCrossEntropyWithLogits", {}, {x, matrix(2, 2, {1, 0, 0, 1})});
        }) == Code::InvalidArgument);
  CHECK(code_of([] {
          run("SoftmaxCrossEntropyWithLogits", {}, {floats({1}), floats({1})});
        }) == Code::InvalidArgument);
}

TEST_CASE("L2Loss is half the sum of squares") {
  CHECK(text(run("L2Loss", {}, {matrix(2, 2, {1, 2, 3, 4})})) == "float32[]: 15");
  CHECK(text(run("L2Loss", {}, {Tensor(DType::Float64, Shape{0})})) == "float64[]: 0");
  CHECK(text(run("L2Loss", {}, {Tensor::vector<half>({half(3.0f)})})) == "float16[]: 4.5");
  CHECK(text(run("L2Loss", {}, {Tensor::vector<bfloat16>({bfloat16(2.0f)})})) == "bfloat16[]: 2");
  const Tensor x = wavy<float>({100'001});
  double wanted = 0;
  for (const float v : x.flat<float>()) wanted += double{v} * double{v} / 2;
  test::ShardedServices services;
  const Tensor y = run_op(find_kernel<NnOps>, "L2Loss", {}, {x}, services)[0];
  CHECK(y.item<float>() == Approx(wanted).epsilon(1e-6));
  CHECK(y.item<float>() == run("L2Loss", {}, {x})[0].item<float>());
}

TEST_CASE("Activations and their gradients") {
  const Tensor x = Tensor::vector<double>({-2, -1e-12, 0, 0.5, 7}),
               dy = Tensor::vector<double>({1, 2, 3, 4, 5});
  const auto check = [&](const char* op, const char* grad, auto function, auto derivative,
                         bool of_output) {
    const Tensor y = run(op, {}, {x})[0];
    const Tensor dx = run(grad, {}, {dy, of_output ? y : x})[0];
    for (std::size_t i = 0; i < 5; ++i) {
      const double v = x.data<double>()[i];
      INFO(op << " at " << v);
      CHECK(y.data<double>()[i] == Approx(function(v)).epsilon(1e-13).margin(1e-300));
      CHECK(dx.data<double>()[i] == Approx(dy.data<double>()[i] * derivative(v)).epsilon(1e-12));
    }
    const Tensor nan = run(op, {}, {floats({NAN, 1})})[0];
    CHECK(std::isnan(nan.data<float>()[0]));
  };
  const double scale = 1.0507009873554804934, alpha = 1.6732632423543772848;
  check(
      "Relu6", "Relu6Grad", [](double v) { return std::min(std::max(v, 0.0), 6.0); },
      [](double v) { return v > 0 && v < 6 ? 1.0 : 0.0; }, false);
  check(
      "Elu", "EluGrad", [](double v) { return v > 0 ? v : std::expm1(v); },
      [](double v) { return v < 0 ? std::exp(v) : 1.0; }, true);
  check(
      "Selu", "SeluGrad", [&](double v) { return scale * (v > 0 ? v : alpha * std::expm1(v)); },
      [&](double v) { return scale * (v < 0 ? alpha * std::exp(v) : 1.0); }, true);
  check(
      "Softplus", "SoftplusGrad", [](double v) { return std::log1p(std::exp(v)); },
      [](double v) { return 1 / (1 + std::exp(-v)); }, false);
  check(
      "Softsign", "SoftsignGrad", [](double v) { return v / (1 + std::abs(v)); },
      [](double v) { return 1 / ((1 + std::abs(v)) * (1 + std::abs(v))); }, false);
  const auto leak = static_cast<double>(0.2f);
  check(
      "LeakyRelu", "LeakyReluGrad", [&](double v) { return v > 0 ? v : leak * v; },
      [&](double v) { return v > 0 ? 1.0 : leak; }, false);
  CHECK(text(run("LeakyRelu", {{"alpha", 0.5f}},
                 {Tensor::vector<half>({half(-2.0f), half(4.0f)})})) == "float16[2]: -1 4");
  CHECK(text(run("LeakyReluGrad", {{"alpha", 0.5f}}, {floats({2, 2}), floats({-1, 1})})) ==
        "float32[2]: 1 2");
  CHECK(text(run("Relu6", {}, {Tensor::vector<std::int32_t>({-5, 3, 9})})) == "int32[3]: 0 3 6");
  CHECK(text(run("Softplus", {}, {floats({1000, -1000})})) == "float32[2]: 1000 0");
  CHECK(code_of([] {
          run("EluGrad", {}, {floats({1}), floats({1, 2})});
        }) == Code::InvalidArgument);
}
