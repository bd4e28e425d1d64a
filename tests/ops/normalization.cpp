#include <dgraph/ops/normalization.hpp>

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
}  // namespace

TEST_CASE("batch_normalization of moments is even") {
  Building b;
  const auto x = constant<float>({{1, 10}, {3, 30}});
  const auto [mean, variance] = moments(x, {0});
  const Floats y = evaluate<float>(batch_normalization(x, mean, variance, 5.f, 2.f, 0.0));
  CHECK(y[0] == test::Approx(3));
  CHECK(y[1] == test::Approx(3));
  CHECK(y[2] == test::Approx(7));
}

TEST_CASE("fused_batch_norm gives the moments of the batch, and mixes them") {
  Building b;
  const auto x = reshape(constant<float>({1, 3, 5, 7}), {2, 1, 2, 1});
  const auto one = constant<float>({1}), zero = constant<float>({0});
  const auto [y, mean, variance] = fused_batch_norm(x, one, zero);
  CHECK(evaluate<float>(mean) == Floats{4});
  // Divided by n - 1, where y is made with the mean square, 5.
  CHECK(evaluate<float>(variance)[0] == test::Approx(20.0 / 3));
  CHECK(evaluate<float>(y)[0] == test::Approx(-3 / std::sqrt(5.001)));
  const auto mixed = fused_batch_norm(x, one, zero, constant<float>({8}), constant<float>({0}),
                                      {.exponential_avg_factor = 0.25f});
  CHECK(evaluate<float>(std::get<1>(mixed))[0] == test::Approx(7));
  const auto given = fused_batch_norm(x, one, zero, constant<float>({1}), constant<float>({4}),
                                      {.epsilon = 0, .is_training = false});
  CHECK(evaluate<float>(std::get<0>(given)) == Floats{0, 1, 2, 3});
  CHECK(evaluate<float>(std::get<1>(given)) == Floats{1});
}

TEST_CASE("layer_norm over the last dimensions") {
  Building b;
  const auto x = constant<float>({{1, 3}, {10, 30}});
  const Floats y = evaluate<float>(layer_norm(x, constant<float>({1, 2}), 0.5f, -1, 0));
  CHECK(y[0] == test::Approx(-0.5));
  CHECK(y[1] == test::Approx(2.5));
  CHECK(y[3] == test::Approx(2.5));
  const auto any =
      Op<float>(add_op<ops::Placeholder>({}, "dtype", DType::Float32, "shape", PartialShape()));
  CHECK_THROWS_WITH(layer_norm(any, 1.f, 0.f, 1), contains("known rank"));
  const auto normal = [](const std::vector<Output>& in) {
    return layer_norm(Op<double>(in[0]), Op<double>(in[1]), Op<double>(in[2]), -2);
  };
  const std::vector<Tensor> xs{varied({2, 2, 3}), varied({2, 3}), varied({3})};
  check_gradients(normal, xs, 1e-5);
  check_second_gradients(normal, xs, 1e-4);
}

TEST_CASE("local_response_normalization sums squares of neighbours") {
  Building b;
  const auto x = reshape(constant<float>({1, 2, 3}), {1, 1, 1, 3});
  const Floats y = evaluate<float>(local_response_normalization(x, 1, 1.f, 1.f, 1.f));
  CHECK(y[0] == test::Approx(1.0 / 6));
  CHECK(y[1] == test::Approx(2.0 / 15));
  CHECK(y[2] == test::Approx(3.0 / 14));
}
