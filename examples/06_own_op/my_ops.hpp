#pragma once
// An op of one's own: what it is called and takes, its shape, its gradient, and how it is computed.

#include <cmath>

#include <dgraph/graph.hpp>
#include <dgraph/kernels/kernel.hpp>

namespace my {

namespace dg = dgraph;

/// x * sigmoid(x), element by element.
struct Swish {
  static constexpr auto signature = "Swish(x: float32) -> (y: float32)";

  static void shape(dg::ShapeContext& c) { c.set_output(0, c.input(0)); }

  /// dy * (s + y * (1 - s)) with s = sigmoid(x), made of other ops.
  static void gradient(dg::GradientContext& g) {
    auto s = g.add<dg::ops::Sigmoid>(g.x(0));
    auto one = g.add<dg::ops::OnesLike>(s);
    auto rest = g.add<dg::ops::Mul>(g.y(), g.add<dg::ops::Sub>(one, s));
    g.set(0, g.add<dg::ops::Mul>(g.dy(), g.add<dg::ops::AddV2>(s, rest)));
  }

  static void compute(dg::KernelContext& c) {
    const auto x = c.input(0).flat<float>();
    const auto y = c.allocate_output(0, c.input(0).shape()).mutable_flat<float>();
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] / (1 + std::exp(-x[i]));
  }
};

/// The function that a program calls.
inline dg::Op<float> swish(const dg::Op<float>& x, dg::OpName name = {}) {
  return dg::Op<float>(dg::add_op<Swish>(name, x));
}

/// What the client's graph and the server both know.
using Ops = dg::OpSet<dg::StandardOps, Swish>;

}  // namespace my
