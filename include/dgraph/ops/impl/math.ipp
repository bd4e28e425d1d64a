#pragma once
#include <dgraph/ops/math.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/rules.hpp>

// Conventions are TensorFlow's: which side takes a tie, what happens at 0. The Grad ops conjugate y themselves, so that their own
// gradients by y conjugate what comes back instead of the slope.

namespace dgraph::ops {

DGRAPH_DECL void AddV2::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  for (std::size_t i = 0; i < 2; ++i)
    if (g.needs(i)) g.set(i, to(i, g.dy()));
}

DGRAPH_DECL void Add::gradient(GradientContext& g) { AddV2::gradient(g); }

DGRAPH_DECL void Sub::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  if (g.needs(0)) g.set(0, to(0, g.dy()));
  // The sum first: it leaves less to negate.
  if (g.needs(1)) g.set(1, g.add<Neg>(to(1, g.dy())));
}

DGRAPH_DECL void Mul::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  if (g.needs(0)) g.set(0, to(0, g.add<Mul>(g.dy(), rules::conj(g, g.x(1)))));
  if (g.needs(1)) g.set(1, to(1, g.add<Mul>(rules::conj(g, g.x(0)), g.dy())));
}

DGRAPH_DECL void RealDiv::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output y = rules::conj(g, g.x(1));
  if (g.needs(0)) g.set(0, to(0, g.add<RealDiv>(g.dy(), y)));
  if (g.needs(1)) {
    const Output slope = g.add<RealDiv>(g.add<RealDiv>(g.add<Neg>(rules::conj(g, g.x(0))), y), y);
    g.set(1, to(1, g.add<Mul>(g.dy(), slope)));
  }
}

DGRAPH_DECL void Div::gradient(GradientContext& g) { RealDiv::gradient(g); }

DGRAPH_DECL void FloorMod::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  if (g.needs(0)) g.set(0, to(0, g.dy()));
  if (g.needs(1)) g.set(1, to(1, g.add<Mul>(g.dy(), g.add<Neg>(g.add<FloorDiv>(g.x(0), g.x(1))))));
}

DGRAPH_DECL void Maximum::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output dy = g.dy(), mine = g.add<GreaterEqual>(g.x(0), g.x(1)), zeros = g.zeros_like(dy);
  if (g.needs(0)) g.set(0, to(0, g.add<Select>(mine, dy, zeros)));
  if (g.needs(1)) g.set(1, to(1, g.add<Select>(mine, zeros, dy)));
}

DGRAPH_DECL void Minimum::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output dy = g.dy(), mine = g.add<LessEqual>(g.x(0), g.x(1)), zeros = g.zeros_like(dy);
  if (g.needs(0)) g.set(0, to(0, g.add<Select>(mine, dy, zeros)));
  if (g.needs(1)) g.set(1, to(1, g.add<Select>(mine, zeros, dy)));
}

DGRAPH_DECL void Pow::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output x = rules::conj(g, g.x(0)), y = rules::conj(g, g.x(1));
  if (g.needs(0)) {
    const Output lower = g.add<Pow>(x, g.add<Sub>(y, rules::number(g, y, 1)));
    g.set(0, to(0, g.add<Mul>(g.add<Mul>(g.dy(), y), lower)));
  }
  if (g.needs(1)) {
    // Where x is not positive the logarithm counts as 0, so that 0 to the power of y has no NaN in it.
    const Output zeros = g.zeros_like(x);
    const Output one = g.add<Exp>(zeros);
    const Output fine = is_complex(x.dtype()) ? g.add<NotEqual>(x, zeros) : g.add<Greater>(x, zeros);
    const Output log_x = g.add<Select>(fine, g.add<Log>(g.add<Select>(fine, x, one)), zeros);
    g.set(1, to(1, g.add<Mul>(g.add<Mul>(g.dy(), rules::conj(g, g.y())), log_x)));
  }
}

DGRAPH_DECL void SquaredDifference::gradient(GradientContext& g) {
  rules::Unbroadcast to(g);
  const Output twice = g.add<Mul>(g.dy(), rules::number(g, g.dy(), 2));
  const Output dx = g.add<Mul>(twice, g.add<Sub>(g.x(0), g.x(1)));
  if (g.needs(0)) g.set(0, to(0, dx));
  if (g.needs(1)) g.set(1, g.add<Neg>(to(1, dx)));
}

DGRAPH_DECL void AddN::gradient(GradientContext& g) {
  for (std::size_t i = 0; i < g.num_inputs(); ++i)
    if (g.needs(i)) g.set(i, g.raw_dy());
}

DGRAPH_DECL void Neg::gradient(GradientContext& g) { g.set(0, g.add<Neg>(g.dy())); }

DGRAPH_DECL void Abs::gradient(GradientContext& g) { g.set(0, g.add<Mul>(g.dy(), g.add<Sign>(g.x(0)))); }

DGRAPH_DECL void Sign::gradient(GradientContext& g) { g.set(0, g.zeros_like(g.x(0))); }

DGRAPH_DECL void Square::gradient(GradientContext& g) {
  const Output x = rules::conj(g, g.x(0));
  g.set(0, g.add<Mul>(g.dy(), g.add<Mul>(rules::number(g, x, 2), x)));
}

DGRAPH_DECL void Reciprocal::gradient(GradientContext& g) { g.set(0, g.add<ReciprocalGrad>(g.y(), g.dy())); }

DGRAPH_DECL void ReciprocalGrad::gradient(GradientContext& g) {
  const Output y = rules::conj(g, g.x(0));
  if (g.needs(0)) {
    const Output twice = g.add<Mul>(rules::conj(g, g.dy()), rules::number(g, y, -2));
    g.set(0, g.add<Mul>(g.add<Mul>(twice, g.x(1)), y));
  }
  if (g.needs(1)) g.set(1, g.add<ReciprocalGrad>(y, g.dy()));
}

DGRAPH_DECL void Sqrt::gradient(GradientContext& g) { g.set(0, g.add<SqrtGrad>(g.y(), g.dy())); }

DGRAPH_DECL void SqrtGrad::gradient(GradientContext& g) {
  const Output y = rules::conj(g, g.x(0));
  if (g.needs(0)) g.set(0, g.add<Neg>(g.add<Mul>(g.add<RealDiv>(rules::conj(g, g.dy()), y), g.y())));
  if (g.needs(1)) g.set(1, g.add<SqrtGrad>(y, g.dy()));
}

DGRAPH_DECL void Rsqrt::gradient(GradientContext& g) { g.set(0, g.add<RsqrtGrad>(g.y(), g.dy())); }

DGRAPH_DECL void RsqrtGrad::gradient(GradientContext& g) {
  const Output y = rules::conj(g, g.x(0));
  if (g.needs(0)) {
    const Output scaled = g.add<Mul>(rules::conj(g, g.dy()), rules::number(g, y, -1.5));
    g.set(0, g.add<Mul>(g.add<Mul>(scaled, g.x(1)), g.add<Square>(y)));
  }
  if (g.needs(1)) g.set(1, g.add<RsqrtGrad>(y, g.dy()));
}

DGRAPH_DECL void Exp::gradient(GradientContext& g) { g.set(0, g.add<Mul>(g.dy(), rules::conj(g, g.y()))); }

DGRAPH_DECL void Log::gradient(GradientContext& g) { g.set(0, g.add<RealDiv>(g.dy(), rules::conj(g, g.x(0)))); }

DGRAPH_DECL void Log1p::gradient(GradientContext& g) {
  const Output x = rules::conj(g, g.x(0));
  g.set(0, g.add<RealDiv>(g.dy(), g.add<AddV2>(x, rules::number(g, x, 1))));
}

DGRAPH_DECL void Tanh::gradient(GradientContext& g) { g.set(0, g.add<TanhGrad>(g.y(), g.dy())); }

DGRAPH_DECL void TanhGrad::gradient(GradientContext& g) {
  const Output y = rules::conj(g, g.x(0));
  if (g.needs(0)) {
    const Output scaled = g.add<Mul>(rules::conj(g, g.dy()), rules::number(g, y, -2));
    g.set(0, g.add<Mul>(g.add<Mul>(scaled, g.x(1)), y));
  }
  if (g.needs(1)) g.set(1, g.add<TanhGrad>(y, g.dy()));
}

DGRAPH_DECL void Sigmoid::gradient(GradientContext& g) { g.set(0, g.add<SigmoidGrad>(g.y(), g.dy())); }

DGRAPH_DECL void SigmoidGrad::gradient(GradientContext& g) {
  const Output y = rules::conj(g, g.x(0));
  if (g.needs(0)) {
    const Output part = g.add<Mul>(rules::conj(g, g.dy()), g.x(1));
    const Output twice = g.add<Mul>(g.add<Mul>(part, rules::number(g, part, 2)), y);
    g.set(0, g.add<Sub>(part, twice));
  }
  if (g.needs(1)) g.set(1, g.add<SigmoidGrad>(y, g.dy()));
}

DGRAPH_DECL void Relu::gradient(GradientContext& g) { g.set(0, g.add<ReluGrad>(g.dy(), g.y())); }

DGRAPH_DECL void ReluGrad::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<ReluGrad>(g.dy(), g.x(1)));
  if (g.needs(1)) g.set(1, g.zeros_like(g.x(1)));
}

DGRAPH_DECL void Cast::gradient(GradientContext& g) {
  if (is_differentiable(g.x(0).dtype()) && is_differentiable(g.y().dtype()))
    g.set(0, g.add<Cast>(g.dy(), "DstT", g.x(0).dtype()));
}

}  // namespace dgraph::ops
