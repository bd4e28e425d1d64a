#include <dgraph/ops/matrix_solvers.hpp>

#include <complex>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/matrix_parts.hpp>
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
using C = std::complex<double>;
}  // namespace

TEST_CASE("factors, inverses and solutions give back what they were made of") {
  Building b;
  const auto a = constant<double>({{4, 2, 1}, {2, 5, 3}, {1, 3, 6}});
  const auto l = cholesky(a);
  const auto back = evaluate<double>(matmul(l, l, {.transpose_b = true}));
  for (std::size_t i = 0; i < 9; ++i) CHECK(back[i] == test::Approx(evaluate<double>(a)[i]));
  CHECK(evaluate<double>(matrix_determinant(a))[0] == test::Approx(67));
  const auto [sign, log] = log_matrix_determinant(-a);
  CHECK(evaluate<double>(sign)[0] == -1);
  CHECK(evaluate<double>(log)[0] == test::Approx(std::log(67.0)));
  const auto right = constant<double>({{1, 2}, {3, 4}, {5, 7}});
  const auto solved = evaluate<double>(matmul(a, matrix_solve(a, right)));
  for (std::size_t i = 0; i < 6; ++i) CHECK(solved[i] == test::Approx(evaluate<double>(right)[i]));
  CHECK_THROWS_WITH(evaluate(matrix_inverse(constant<float>({{1, 2}, {2, 4}}))),
                    contains("not invertible"));
  CHECK_THROWS_WITH(cholesky(constant<float>({{1, 2, 3}, {2, 4, 5}})), contains("square"));
}

TEST_CASE("matrices larger than a block of the factorisation") {
  Building b;
  constexpr std::int64_t n = 75;
  Tensor values(DType::Float64, Shape{n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      values.mutable_data<double>()[i * n + j] =
          1.0 / static_cast<double>(1 + std::abs(i - j)) + (i == j ? 3 : 0);
  const auto a = Op<double>(constant_output(values));
  const auto one = evaluate<double>(matmul(a, matrix_inverse(a)));
  const auto l = cholesky(a);
  const auto back = evaluate<double>(matmul(l, l, {.transpose_b = true}));
  double worst = 0, worst_factor = 0;
  for (std::int64_t i = 0; i < n * n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    worst = std::max(worst, std::abs(one[at] - (i / n == i % n ? 1 : 0)));
    worst_factor = std::max(worst_factor, std::abs(back[at] - values.data<double>()[i]));
  }
  CHECK(worst < 1e-12);
  CHECK(worst_factor < 1e-12);
}

TEST_CASE("gradients of solvers, of both orders") {
  const Tensor a = doubles({2, 2, 2}, {3, 1, -0.5, 2, 1.5, -1, 0.7, 2.5}), x = varied({2, 2, 3});
  const auto solution = [](const std::vector<Output>& in) {
    return matrix_solve(Op<double>(in[0]), Op<double>(in[1]), true);
  };
  check_gradients(solution, {a, x});
  check_second_gradients(solution, {a, x}, 1e-5);
  const auto triangular = [](const std::vector<Output>& in) {
    return matrix_triangular_solve(Op<double>(in[0]), Op<double>(in[1]), false);
  };
  check_gradients(triangular, {doubles({2, 2}, {3, 1, -0.5, 2}), x});
  check_second_gradients(triangular, {doubles({2, 2}, {3, 1, -0.5, 2}), x}, 1e-5);
}

TEST_CASE("the gradient of a complex determinant's logarithm, and of its phase") {
  Building b;
  const C entries[4] = {{2, 1}, {-1, 0.5}, {0.5, 2}, {1, -1}};
  // Of Re(conj(u) sign + conj(v) log).
  const C u(0.75, -1.25), v(1.5, 0);
  const auto value = [&](const C* m) {
    const C d = m[0] * m[3] - m[1] * m[2];
    return (std::conj(u) * d / std::abs(d)).real() + v.real() * std::log(std::abs(d));
  };
  const Output x = constant_output(Tensor::of<C>({2, 2}, std::span<const C>(entries, 4)));
  const auto [sign, log] = log_matrix_determinant(Op<C>(x));
  GradientOptions options;
  options.grad_ys = {constant_output(Tensor::scalar(u)), constant_output(Tensor::scalar(v))};
  const Output found =
      gradients(std::vector<Output>{sign, log}, std::vector<Output>{x}, options)[0];
  const auto got = evaluate<C>(found);
  constexpr double h = 1e-6;
  for (std::size_t i = 0; i < 4; ++i)
    for (const C step : {C(h, 0), C(0, h)}) {
      C up[4], down[4];
      std::copy_n(entries, 4, up);
      std::copy_n(entries, 4, down);
      up[i] += step;
      down[i] -= step;
      const double slope = (value(up) - value(down)) / (2 * h);
      CHECK((step.real() > 0 ? got[i].real() : got[i].imag()) == test::Approx(slope).epsilon(1e-6));
    }
}

TEST_CASE("parts of matrices") {
  Building b;
  const auto a = constant<float>({{1, 2, 3}, {4, 5, 6}});
  CHECK(evaluate<float>(matrix_diag_part(a)) == Floats{1, 5});
  CHECK(evaluate<float>(matrix_band_part(a, 0, 1)) == Floats{1, 2, 0, 0, 5, 6});
  CHECK(evaluate<float>(matrix_set_diag(a, constant<float>({8, 9}))) == Floats{8, 2, 3, 4, 9, 6});
  CHECK(evaluate<float>(matrix_diag(constant<float>({1, 2}))) == Floats{1, 0, 0, 2});
  CHECK(evaluate<float>(diag_part(diag(constant<float>({1, 2})))) == Floats{1, 2});
  CHECK(evaluate<float>(matrix_transpose(a)) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(evaluate<float>(eye(2, 3)) == Floats{1, 0, 0, 0, 1, 0});
  CHECK(eye(2, 2, {4}).shape().to_string() == "[4,2,2]");
  CHECK(evaluate<C>(adjoint(constant<C>({{C(1, 2)}})))[0] == C(1, -2));
}
