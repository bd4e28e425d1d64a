#pragma once
// The error function and its kin, gamma, beta and zeta functions: op structs with their rules, and the
// typed functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// e^x - 1, exact near 0.
struct Expm1 {
  static constexpr auto signature = "Expm1(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The error function: 2/sqrt(pi) times the integral of e^-t^2 from 0 to x.
struct Erf {
  static constexpr auto signature = "Erf(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// 1 - erf(x), exact where that is small.
struct Erfc {
  static constexpr auto signature = "Erfc(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The inverse of Erf: infinite at -1 and 1, NaN outside.
struct Erfinv {
  static constexpr auto signature = "Erfinv(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// log |gamma(x)|; infinite at 0, -1, ...
struct Lgamma {
  static constexpr auto signature = "Lgamma(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The derivative of Lgamma; NaN at 0, -1, ...
struct Digamma {
  static constexpr auto signature = "Digamma(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The derivative of order a of Digamma at x, for a = 0, 1, ... No gradient flows to a.
struct Polygamma {
  static constexpr auto signature = "Polygamma(a: T, x: T) -> (z: T); T: {float32, float64}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// Hurwitz' zeta function: the sum of (q + k)^-x over k >= 0, for x > 1. No gradient flows to x.
struct Zeta {
  static constexpr auto signature = "Zeta(x: T, q: T) -> (z: T); T: {float32, float64}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The regularised lower incomplete gamma function P(a, x); NaN where not a > 0 and x >= 0.
struct Igamma {
  static constexpr auto signature = "Igamma(a: T, x: T) -> (z: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x).
struct Igammac {
  static constexpr auto signature = "Igammac(a: T, x: T) -> (z: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The derivative of Igamma by a. It has no gradient of its own.
struct IgammaGradA {
  static constexpr auto signature = "IgammaGradA(a: T, x: T) -> (z: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// The regularised incomplete beta function at x in [0, 1] for a, b > 0; NaN outside. The inputs are
/// scalars or of one
/// shape. No gradient flows to a and b.
struct Betainc {
  static constexpr auto signature = "Betainc(a: T, b: T, x: T) -> (z: T); T: {float32, float64}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Functions of each element; the result has the operand's shape and dtype (floating; expm1 also
/// complex).
/// @{
#define DGRAPH_DETAIL_UNARY(function, op)                  \
  template <AnyOperand X>                                  \
  Op<element_of<X>> function(X&& x, OpName name = {}) {    \
    return detail::unary<ops::op, element_of<X>>(name, x); \
  }
DGRAPH_DETAIL_UNARY(expm1, Expm1)
DGRAPH_DETAIL_UNARY(erf, Erf)
DGRAPH_DETAIL_UNARY(erfc, Erfc)
DGRAPH_DETAIL_UNARY(erfinv, Erfinv)
DGRAPH_DETAIL_UNARY(lgamma, Lgamma)
DGRAPH_DETAIL_UNARY(digamma, Digamma)
#undef DGRAPH_DETAIL_UNARY
/// @}

/// @name Functions of two operands of a floating dtype, with numpy's broadcasting.
/// @{
#define DGRAPH_DETAIL_BINARY(function, op)                            \
  template <AnyOperand A, AnyOperand B>                               \
  Op<common_element<A, B>> function(A&& a, B&& b, OpName name = {}) { \
    return detail::binary<ops::op, common_element<A, B>>(name, a, b); \
  }
DGRAPH_DETAIL_BINARY(polygamma, Polygamma)
DGRAPH_DETAIL_BINARY(zeta, Zeta)
DGRAPH_DETAIL_BINARY(igamma, Igamma)
DGRAPH_DETAIL_BINARY(igammac, Igammac)
#undef DGRAPH_DETAIL_BINARY
/// @}

/// The regularised incomplete beta function of parameters a, b > 0 at x in [0, 1]: scalars or values of
/// one shape, float or
/// double.
template <AnyOperand A, AnyOperand B, AnyOperand X>
Op<element_of<X>> betainc(A&& a, B&& b, X&& x, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(a, b, x);
  const Output first = detail::as_output<T>(a, name.location, core);
  const Output second = detail::as_output<T>(b, name.location, core);
  const Output at = detail::as_output<T>(x, name.location, core);
  return Op<T>(add_op<ops::Betainc>(name, first, second, at));
}

using SpecialOps =
    OpSet<ops::Expm1, ops::Erf, ops::Erfc, ops::Erfinv, ops::Lgamma, ops::Digamma, ops::Polygamma,
          ops::Zeta, ops::Igamma, ops::Igammac, ops::IgammaGradA, ops::Betainc>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/special.ipp>
#endif
