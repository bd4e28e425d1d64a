#include <dgraph/ops/special.hpp>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

TEST_CASE("special functions are typed functions with gradients") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto at = [](const Output& y) { return evaluate(y).item<double>(); };
  const auto x = constant(2.5);
  CHECK(at(erf(x) + erfc(x)) == test::Approx(1));
  CHECK(at(erfinv(erf(constant(0.7)))) == test::Approx(0.7));
  CHECK(at(igamma(3.0, x) + igammac(3.0, x)) == test::Approx(1));
  CHECK(at(gradients(lgamma(x), x)) == test::Approx(at(digamma(x))));
  CHECK(at(gradients(digamma(x), x)) == test::Approx(at(zeta(constant(2.0), x))));
  // The chance of at most 1 of 3 throws of a fair coin.
  CHECK(at(betainc(2.0, 2.0, constant(0.5))) == test::Approx(0.5));
}

TEST_CASE("betainc's operands are scalars or of one shape") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<double>({0.25, 0.5});
  CHECK(betainc(constant(1.0), 1.0, x).shape().to_string() == "[2]");
  CHECK(evaluate<double>(betainc(constant(1.0), 1.0, x)) == std::vector<double>{0.25, 0.5});
  CHECK_THROWS_WITH(betainc(constant<double>({1, 2, 3}), 1.0, x), contains("of one shape"));
}
