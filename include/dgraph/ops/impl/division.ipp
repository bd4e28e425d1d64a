#pragma once
#include <dgraph/ops/division.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>

namespace dgraph {
namespace detail {

// 1 where x is not 0, else 0, of the dtype of x.
DGRAPH_DECL Output not_zero(const GradientContext& g, const Output& x) {
  return g.add<ops::Cast>(g.add<ops::NotEqual>(x, rules::number(g, x, 0)), "DstT", x.dtype());
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Inv::gradient(GradientContext& g) {
  g.set(0, g.add<ReciprocalGrad>(g.y(), g.dy()));
}
DGRAPH_DECL void InvGrad::gradient(GradientContext& g) { ReciprocalGrad::gradient(g); }

DGRAPH_DECL void TruncateMod::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  if (g.needs(0)) g.set(0, to(0, g.dy()));
  if (g.needs(1))
    g.set(1, to(1, g.add<Neg>(g.add<Mul>(g.dy(), g.add<TruncateDiv>(g.x(0), g.x(1))))));
}
DGRAPH_DECL void Mod::gradient(GradientContext& g) { TruncateMod::gradient(g); }

DGRAPH_DECL void DivNoNan::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output x = rules::conj(g, g.x(0)), y = rules::conj(g, g.x(1));
  if (g.needs(0)) g.set(0, to(0, g.add<DivNoNan>(g.dy(), y)));
  if (g.needs(1)) {
    const Output slope = g.add<DivNoNan>(g.add<DivNoNan>(g.add<Neg>(x), y), y);
    g.set(1, to(1, g.add<Mul>(g.dy(), slope)));
  }
}

DGRAPH_DECL void MulNoNan::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  if (g.needs(0)) g.set(0, to(0, g.add<MulNoNan>(g.dy(), rules::conj(g, g.x(1)))));
  if (g.needs(1)) g.set(1, to(1, g.add<MulNoNan>(rules::conj(g, g.x(0)), g.dy())));
}

DGRAPH_DECL void Xdivy::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output x = rules::conj(g, g.x(0)), y = rules::conj(g, g.x(1));
  if (g.needs(0)) g.set(0, to(0, g.add<Mul>(g.dy(), g.add<Xdivy>(detail::not_zero(g, x), y))));
  if (g.needs(1))
    g.set(1, to(1, g.add<Mul>(g.dy(), g.add<Xdivy>(g.add<Neg>(x), g.add<Square>(y)))));
}

DGRAPH_DECL void Xlogy::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output x = rules::conj(g, g.x(0)), y = rules::conj(g, g.x(1));
  if (g.needs(0)) g.set(0, to(0, g.add<Mul>(g.dy(), g.add<Xlogy>(detail::not_zero(g, x), y))));
  if (g.needs(1)) g.set(1, to(1, g.add<Mul>(g.dy(), g.add<Xdivy>(x, y))));
}

DGRAPH_DECL void Xlog1py::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output x = rules::conj(g, g.x(0)), y = rules::conj(g, g.x(1));
  if (g.needs(0)) g.set(0, to(0, g.add<Mul>(g.dy(), g.add<Xlog1py>(detail::not_zero(g, x), y))));
  if (g.needs(1))
    g.set(1, to(1, g.add<Mul>(g.dy(), g.add<Xdivy>(x, g.add<AddV2>(y, rules::number(g, y, 1))))));
}

}  // namespace ops
}  // namespace dgraph
