#include <dgraph/ops/trigonometric.hpp>

#include <complex>
#include <numbers>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("angles and their functions") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto at = [](const Output& y) { return evaluate(y).item<double>(); };
  const auto x = constant(0.3);
  CHECK(at(atan2(1.0 + 0 * x, 0 * x)) == test::Approx(std::numbers::pi / 2));
  CHECK(at(asin(dgraph::sin(x))) == test::Approx(0.3));
  CHECK(at(dgraph::atan(dgraph::tan(x))) == test::Approx(0.3));
  CHECK(at(dgraph::acosh(dgraph::cosh(x))) == test::Approx(0.3));
  CHECK(at(gradients(dgraph::atanh(x), x)) == test::Approx(1 / (1 - 0.09)));
}

TEST_CASE("gradients of complex angles are conjugated derivatives") {
  GraphCore core;
  const DefaultGraph building(core);
  using C = std::complex<double>;
  const C at(0.5, 0.75);
  const auto x = Op<C>(constant_output(Tensor::scalar(at)));
  const auto slope = [&](const Op<C>& y) { return evaluate(gradients(y, x)).item<C>(); };
  CHECK(std::abs(slope(dgraph::sin(x)) - std::conj(std::cos(at))) < 1e-12);
  CHECK(std::abs(slope(dgraph::asinh(x)) - std::conj(1.0 / std::sqrt(1.0 + at * at))) < 1e-12);
}
