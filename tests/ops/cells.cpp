#include <dgraph/ops/cells.hpp>

#include <cmath>

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
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
}  // namespace

TEST_CASE("cells of one unit are their formulas") {
  Building b;
  const auto x = constant<double>({{0.5}}), h = constant<double>({{-0.25}}),
             c = constant<double>({{0.75}});
  const auto simple = rnn_cell(x, h, constant<double>({{2}, {4}}), constant<double>({0.125}));
  CHECK(evaluate<double>(simple)[0] == test::Approx(std::tanh(1 - 1 + 0.125)));

  const auto gru = gru_cell(x, h, constant<double>({{1, 2}, {3, -1}}), constant<double>({0, 0.5}),
                            constant<double>({{2}, {1}}), constant<double>({-0.5}));
  const double r = sigmoid_of(0.5 - 0.75), u = sigmoid_of(1 + 0.25 + 0.5);
  const double candidate = std::tanh(1 + r * -0.25 - 0.5);
  CHECK(evaluate<double>(gru)[0] == test::Approx(u * -0.25 + (1 - u) * candidate));

  const auto kernel = constant<double>({{1, 2, 3, 4}, {0, 1, 0, -1}});
  const auto bias = constant<double>({0.5, 0, -0.5, 0});
  const auto next = lstm_cell(x, {c, h}, kernel, bias);
  const double memory = sigmoid_of(1.5 - 0.5 + 1) * 0.75 + sigmoid_of(1) * std::tanh(1 - 0.25);
  CHECK(evaluate<double>(next.c)[0] == test::Approx(memory));
  CHECK(evaluate<double>(next.h)[0] == test::Approx(sigmoid_of(2 + 0.25) * std::tanh(memory)));
}

TEST_CASE("peepholes, bounds and projections of an LSTM cell") {
  Building b;
  const auto x = constant<double>({{0.5}}), h = constant<double>({{0}}),
             c = constant<double>({{4}});
  const auto kernel = constant<double>({{1, 1, 1, 1}, {0, 0, 0, 0}});
  const auto bias = constant<double>({0, 0, 0, 0});
  const auto w = [](double v) { return constant<double>({v}); };
  const auto seen = lstm_cell(x, {c, h}, kernel, bias,
                              {.forget_bias = 0,
                               .input_peephole = w(0.25),
                               .forget_peephole = w(-0.5),
                               .output_peephole = w(2)});
  const double memory = sigmoid_of(0.5 - 2) * 4 + sigmoid_of(0.5 + 1) * std::tanh(0.5);
  CHECK(evaluate<double>(seen.c)[0] == test::Approx(memory));
  CHECK(evaluate<double>(seen.h)[0] ==
        test::Approx(sigmoid_of(0.5 + 2 * memory) * std::tanh(memory)));
  const auto bounded = lstm_cell(
      x, {c, h}, kernel, bias,
      {.cell_clip = 1, .projection = constant<double>({{10, -10, 0}}), .projection_clip = 3});
  CHECK(evaluate<double>(bounded.c)[0] == 1);
  CHECK(evaluate<double>(bounded.h) == std::vector<double>{3, -3, 0});
  CHECK_THROWS_WITH(lstm_cell(x, {c, h}, kernel, bias, {.input_peephole = w(1)}),
                    contains("peepholes"));
}

TEST_CASE("gradients through two steps of an LSTM") {
  check_gradients(
      [](const std::vector<Output>& in) {
        const Op<double> x(in[0]), kernel(in[1]), bias(in[2]), start(in[3]);
        const auto first = lstm_cell(x, {start, tanh(start)}, kernel, bias);
        return lstm_cell(x * 2.0, first, kernel, bias).h;
      },
      {varied({2, 3}), varied({5, 8}), varied({8}), varied({2, 2})}, 1e-5);
}
