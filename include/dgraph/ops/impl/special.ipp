#pragma once
#include <dgraph/ops/special.hpp>

#include <numbers>

#include <dgraph/ops/division.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>

namespace dgraph {
namespace detail {

// dy * factor * e^(sign * x^2).
DGRAPH_DECL Output times_bell(const GradientContext& g, const Output& x, double factor,
                              bool rising) {
  const Output square = g.add<ops::Square>(x);
  const Output bell = g.add<ops::Exp>(rising ? square : g.add<ops::Neg>(square));
  return g.add<ops::Mul>(g.dy(), g.add<ops::Mul>(rules::number(g, x, factor), bell));
}

// The gradients of P(a, x), negated for Q: by a what IgammaGradA gives, by x the density.
DGRAPH_DECL void incomplete_gamma_gradient(GradientContext& g, bool upper) {
  rules::Unbroadcast to(g);
  const Output a = g.x(0), x = g.x(1), dy = upper ? g.add<ops::Neg>(g.dy()) : g.dy();
  if (g.needs(0)) g.set(0, to(0, g.add<ops::Mul>(dy, g.add<ops::IgammaGradA>(a, x))));
  if (g.needs(1)) {
    const Output powers =
        g.add<ops::Mul>(g.add<ops::Sub>(a, rules::number(g, a, 1)), g.add<ops::Log>(x));
    const Output exponent = g.add<ops::Sub>(g.add<ops::Sub>(powers, x), g.add<ops::Lgamma>(a));
    g.set(1, to(1, g.add<ops::Mul>(dy, g.add<ops::Exp>(exponent))));
  }
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Expm1::gradient(GradientContext& g) {
  g.set(0, g.add<Mul>(g.dy(), g.add<Exp>(rules::conj(g, g.x(0)))));
}

DGRAPH_DECL void Erf::gradient(GradientContext& g) {
  g.set(0, detail::times_bell(g, g.x(0), 2 * std::numbers::inv_sqrtpi, false));
}
DGRAPH_DECL void Erfc::gradient(GradientContext& g) {
  g.set(0, detail::times_bell(g, g.x(0), -2 * std::numbers::inv_sqrtpi, false));
}
DGRAPH_DECL void Erfinv::gradient(GradientContext& g) {
  g.set(0, detail::times_bell(g, g.y(), 0.5 / std::numbers::inv_sqrtpi, true));
}

DGRAPH_DECL void Lgamma::gradient(GradientContext& g) {
  g.set(0, g.add<Mul>(g.dy(), g.add<Digamma>(g.x(0))));
}

DGRAPH_DECL void Digamma::gradient(GradientContext& g) {
  const Output x = g.x(0), dy = g.dy();
  // Polygamma has no small floats.
  const DType wide = x.dtype() == DType::Float64 ? DType::Float64 : DType::Float32;
  const Output wide_x = x.dtype() == wide ? x : g.add<Cast>(x, "DstT", wide);
  const Output slope = g.add<Polygamma>(rules::number(g, wide_x, 1), wide_x);
  g.set(0, g.add<Mul>(dy, x.dtype() == wide ? slope : g.add<Cast>(slope, "DstT", x.dtype())));
}

DGRAPH_DECL void Polygamma::gradient(GradientContext& g) {
  if (!g.needs(1)) return;
  const Output next = g.add<AddV2>(g.x(0), rules::number(g, g.x(0), 1));
  g.set(1, rules::Unbroadcast(g)(1, g.add<Mul>(g.dy(), g.add<Polygamma>(next, g.x(1)))));
}

DGRAPH_DECL void Zeta::gradient(GradientContext& g) {
  if (!g.needs(1)) return;
  const Output x = g.x(0);
  const Output next = g.add<Zeta>(g.add<AddV2>(x, rules::number(g, x, 1)), g.x(1));
  g.set(1, rules::Unbroadcast(g)(1, g.add<Mul>(g.add<Neg>(x), g.add<Mul>(g.dy(), next))));
}

DGRAPH_DECL void Igamma::gradient(GradientContext& g) {
  detail::incomplete_gamma_gradient(g, false);
}
DGRAPH_DECL void Igammac::gradient(GradientContext& g) {
  detail::incomplete_gamma_gradient(g, true);
}

DGRAPH_DECL void Betainc::shape(ShapeContext& c) {
  PartialShape out = PartialShape::scalar();
  bool unknown = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const PartialShape& shape = c.input(i);
    if (!shape.has_rank()) unknown = true;
    if (!shape.has_rank() || shape.rank() == 0) continue;
    if (out.rank() != 0 && !out.compatible_with(shape))
      fail(Code::InvalidArgument, "a, b and x must be scalars or of one shape, not ", c.input(0),
           ", ", c.input(1), " and ", c.input(2));
    out = out.rank() != 0 ? out.merged_with(shape) : shape;
  }
  if (!unknown || out.rank() != 0) c.set_output(0, out);
}

DGRAPH_DECL void Betainc::gradient(GradientContext& g) {
  if (!g.needs(2)) return;
  const Output a = g.x(0), b = g.x(1), x = g.x(2), one = rules::number(g, x, 1);
  const Output log_beta = g.add<Sub>(g.add<AddV2>(g.add<Lgamma>(a), g.add<Lgamma>(b)),
                                     g.add<Lgamma>(g.add<AddV2>(a, b)));
  // The logarithm of nothing does not count where its factor is 0.
  const Output powers = g.add<AddV2>(g.add<Xlog1py>(g.add<Sub>(b, one), g.add<Neg>(x)),
                                     g.add<Xlogy>(g.add<Sub>(a, one), x));
  const Output density = g.add<Exp>(g.add<Sub>(powers, log_beta));
  g.set(2, rules::sum_like(g, g.add<Mul>(g.dy(), density), x));
}

}  // namespace ops
}  // namespace dgraph
