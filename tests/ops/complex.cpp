#include <dgraph/ops/complex.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/operators.hpp>

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using C = std::complex<double>;

namespace {
Op<C> constant_of(std::initializer_list<C> values) { return Op<C>(constant_output(Tensor::vector<C>(values))); }
}  // namespace

TEST_CASE("the conjugate, which a real number is of itself") {
  GraphCore core;
  const DefaultGraph building(core);
  CHECK(evaluate<C>(dgraph::conj(constant_of({{1, 2}, {3, -4}}))) == std::vector<C>{{1, -2}, {3, 4}});
  const auto real = constant<float>({1, 2});
  CHECK(dgraph::conj(real) == real);
}

// With L = sum of Re(y), TensorFlow's gradient is dL/dRe(x) + i dL/dIm(x): the conjugate of the derivative.
TEST_CASE("gradients of complex functions are conjugated derivatives") {
  GraphCore core;
  const DefaultGraph building(core);
  const C at(0.5, 0.75);
  const auto x = constant_of({at});
  const auto slope = [&](const Op<C>& y) { return evaluate(gradients(y, x)).item<C>(); };
  const auto near = [](C a, C b) { return std::abs(a - b) < 1e-12; };
  CHECK(near(slope(square(x)), std::conj(2.0 * at)));
  CHECK(near(slope(dgraph::exp(x)), std::conj(std::exp(at))));
  CHECK(near(slope(dgraph::log(x)), std::conj(1.0 / at)));
  CHECK(near(slope(dgraph::sqrt(x)), std::conj(0.5 / std::sqrt(at))));
  CHECK(near(slope(reciprocal(x)), std::conj(-1.0 / (at * at))));
  CHECK(near(slope(dgraph::tanh(x)), std::conj(1.0 - std::tanh(at) * std::tanh(at))));
  CHECK(near(slope(x * C(2, 3)), std::conj(C(2, 3))));
  CHECK(near(slope(dgraph::conj(x)), C(1, 0)));
  // Of Re(conj(f')) = Re(f') it is the second derivative, conjugated.
  const auto twice = [&](const Op<C>& y) { return slope(gradients(y, x)); };
  CHECK(near(twice(reciprocal(x)), std::conj(2.0 / (at * at * at))));
  CHECK(near(twice(dgraph::sqrt(x)), std::conj(-0.25 / (at * std::sqrt(at)))));
  CHECK(near(twice(dgraph::rsqrt(x)), std::conj(0.75 / (at * at * std::sqrt(at)))));
  CHECK(near(twice(dgraph::tanh(x)), std::conj(-2.0 * std::tanh(at) * (1.0 - std::tanh(at) * std::tanh(at)))));
  const C s = 1.0 / (1.0 + std::exp(-at));
  CHECK(near(twice(sigmoid(x)), std::conj(s * (1.0 - s) * (1.0 - 2.0 * s))));
}
