#pragma once
#include <dgraph/ops/trigonometric.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>

namespace dgraph {
namespace detail {

// dy over the square root of 1 - x^2.
DGRAPH_DECL Output over_root(const GradientContext& g) {
  const Output x = rules::conj(g, g.x(0));
  const Output root =
      g.add<ops::Sqrt>(g.add<ops::Sub>(rules::number(g, x, 1), g.add<ops::Square>(x)));
  return g.add<ops::RealDiv>(g.dy(), root);
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Sin::gradient(GradientContext& g) {
  g.set(0, g.add<Mul>(g.dy(), g.add<Cos>(rules::conj(g, g.x(0)))));
}

DGRAPH_DECL void Cos::gradient(GradientContext& g) {
  g.set(0, g.add<Neg>(g.add<Mul>(g.dy(), g.add<Sin>(rules::conj(g, g.x(0))))));
}

DGRAPH_DECL void Tan::gradient(GradientContext& g) {
  const Output secant = g.add<Reciprocal>(g.add<Cos>(rules::conj(g, g.x(0))));
  g.set(0, g.add<Mul>(g.dy(), g.add<Square>(secant)));
}

DGRAPH_DECL void Asin::gradient(GradientContext& g) { g.set(0, detail::over_root(g)); }
DGRAPH_DECL void Acos::gradient(GradientContext& g) { g.set(0, g.add<Neg>(detail::over_root(g))); }

DGRAPH_DECL void Atan::gradient(GradientContext& g) {
  const Output x = rules::conj(g, g.x(0));
  g.set(0, g.add<RealDiv>(g.dy(), g.add<AddV2>(rules::number(g, x, 1), g.add<Square>(x))));
}

DGRAPH_DECL void Atan2::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output y = g.x(0), x = g.x(1);
  const Output scaled = g.add<RealDiv>(g.dy(), g.add<AddV2>(g.add<Square>(x), g.add<Square>(y)));
  if (g.needs(0)) g.set(0, to(0, g.add<Mul>(x, scaled)));
  if (g.needs(1)) g.set(1, to(1, g.add<Neg>(g.add<Mul>(y, scaled))));
}

DGRAPH_DECL void Sinh::gradient(GradientContext& g) {
  g.set(0, g.add<Mul>(g.dy(), g.add<Cosh>(rules::conj(g, g.x(0)))));
}

DGRAPH_DECL void Cosh::gradient(GradientContext& g) {
  g.set(0, g.add<Mul>(g.dy(), g.add<Sinh>(rules::conj(g, g.x(0)))));
}

DGRAPH_DECL void Asinh::gradient(GradientContext& g) {
  g.set(0, g.add<RealDiv>(g.dy(), g.add<Cosh>(rules::conj(g, g.y()))));
}

DGRAPH_DECL void Acosh::gradient(GradientContext& g) {
  g.set(0, g.add<RealDiv>(g.dy(), g.add<Sinh>(rules::conj(g, g.y()))));
}

DGRAPH_DECL void Atanh::gradient(GradientContext& g) {
  const Output x = rules::conj(g, g.x(0));
  g.set(0, g.add<RealDiv>(g.dy(), g.add<Sub>(rules::number(g, x, 1), g.add<Square>(x))));
}

}  // namespace ops
}  // namespace dgraph
