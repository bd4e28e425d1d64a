#pragma once
// Gradients held against central differences of what the graph computes.

#include <functional>
#include <vector>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/reduction.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

namespace dgraph::test {

using Build = std::function<Output(const std::vector<Output>&)>;

/// For float64 inputs `xs`: checks every element of the gradients of a weighted sum of `build(xs)`, once with shapes known while
/// the graph is built and once with none known.
inline void check_gradients(const Build& build, const std::vector<Tensor>& xs, double tolerance = 1e-6) {
  for (const bool known : {true, false}) {
    INFO((known ? "shapes known" : "shapes unknown"));
    GraphCore core;
    const DefaultGraph building(core);
    std::vector<Output> inputs;
    Evaluator at_xs;
    for (const Tensor& x : xs) {
      inputs.push_back(add_op<ops::Placeholder>({}, "dtype", x.dtype(), "shape", known ? PartialShape(x.shape()) : PartialShape()));
      at_xs.feed(inputs.back(), x);
    }
    const Output y = build(inputs);
    // Weights that differ, so that a gradient in the wrong place is seen.
    Tensor weights(DType::Float64, at_xs(y).shape());
    for (std::int64_t i = 0; i < weights.elements(); ++i)
      weights.mutable_data<double>()[i] = 0.5 + 0.25 * static_cast<double>(i % 5);
    GradientOptions options;
    options.grad_ys = {constant_output(weights)};
    const std::vector<Output> found = gradients(std::vector<Output>{y}, inputs, options);
    for (std::size_t k = 0; k < xs.size(); ++k) {
      if (!is_floating(xs[k].dtype())) {
        CHECK_FALSE(static_cast<bool>(found[k]));
        continue;
      }
      REQUIRE(static_cast<bool>(found[k]));
      const Tensor got = at_xs(found[k]);
      REQUIRE(got.shape() == xs[k].shape());
      CHECK(found[k].shape().compatible_with(got.shape()));
      for (std::int64_t i = 0; i < got.elements(); ++i) {
        const auto moved = [&](double by) {
          Evaluator near;
          for (std::size_t j = 0; j < xs.size(); ++j) {
            Tensor x = xs[j].clone();
            if (j == k) x.mutable_data<double>()[i] += by;
            near.feed(inputs[j], x);
          }
          const Tensor value = near(y);
          double sum = 0;
          for (std::int64_t e = 0; e < value.elements(); ++e) sum += value.data<double>()[e] * weights.data<double>()[e];
          return sum;
        };
        const double h = 1e-5, want = (moved(h) - moved(-h)) / (2 * h);
        INFO("input " << k << ", element " << i);
        CHECK(got.data<double>()[i] == test::Approx(want).epsilon(tolerance).margin(tolerance));
      }
    }
  }
}

/// The same for the gradient of the sum of build(xs)² by the first of xs: second derivatives.
inline void check_second_gradients(const Build& build, const std::vector<Tensor>& xs, double tolerance = 1e-6) {
  check_gradients(
      [&](const std::vector<Output>& in) {
        const Output y = add_op<ops::Square>({}, build(in));
        return gradients(std::vector<Output>{y}, std::vector<Output>{in[0]})[0];
      },
      xs, tolerance);
}

/// Numbers between -2 and 2 that all differ and are not 0.
inline Tensor varied(Shape shape) {
  Tensor out(DType::Float64, std::move(shape));
  for (std::int64_t i = 0; i < out.elements(); ++i)
    out.mutable_data<double>()[i] = static_cast<double>((i * 37 + 11) % 101) / 25.0 - 2.01;
  return out;
}

inline Tensor doubles(Shape shape, std::initializer_list<double> values) { return Tensor::of<double>(std::move(shape), values); }

}  // namespace dgraph::test
