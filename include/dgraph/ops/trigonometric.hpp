#pragma once
// Circular and hyperbolic functions and their inverses: op structs with their rules, and the typed
// functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The sine of an angle in radians.
struct Sin {
  static constexpr auto signature = "Sin(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The cosine of an angle in radians.
struct Cos {
  static constexpr auto signature = "Cos(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The tangent of an angle in radians.
struct Tan {
  static constexpr auto signature =
      "Tan(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The angle in [-pi/2, pi/2] whose sine is x; NaN outside [-1, 1].
struct Asin {
  static constexpr auto signature =
      "Asin(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The angle in [0, pi] whose cosine is x; NaN outside [-1, 1].
struct Acos {
  static constexpr auto signature =
      "Acos(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The angle in [-pi/2, pi/2] whose tangent is x.
struct Atan {
  static constexpr auto signature =
      "Atan(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The angle in [-pi, pi] of the point (x, y) as seen from the origin; y comes first.
struct Atan2 {
  static constexpr auto signature = "Atan2(y: T, x: T) -> (z: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The hyperbolic sine.
struct Sinh {
  static constexpr auto signature = "Sinh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The hyperbolic cosine.
struct Cosh {
  static constexpr auto signature = "Cosh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The inverse of Sinh.
struct Asinh {
  static constexpr auto signature = "Asinh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The inverse of Cosh, not negative; NaN below 1.
struct Acosh {
  static constexpr auto signature = "Acosh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// The inverse of Tanh; NaN outside [-1, 1].
struct Atanh {
  static constexpr auto signature = "Atanh(x: T) -> (y: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Functions of each element; the result has the operand's shape and dtype (floating or complex).
/// Angles are in radians.
/// @{
#define DGRAPH_DETAIL_UNARY(function, op)                  \
  template <AnyOperand X>                                  \
  Op<element_of<X>> function(X&& x, OpName name = {}) {    \
    return detail::unary<ops::op, element_of<X>>(name, x); \
  }
DGRAPH_DETAIL_UNARY(sin, Sin)
DGRAPH_DETAIL_UNARY(cos, Cos)
DGRAPH_DETAIL_UNARY(tan, Tan)
DGRAPH_DETAIL_UNARY(asin, Asin)
DGRAPH_DETAIL_UNARY(acos, Acos)
DGRAPH_DETAIL_UNARY(atan, Atan)
DGRAPH_DETAIL_UNARY(sinh, Sinh)
DGRAPH_DETAIL_UNARY(cosh, Cosh)
DGRAPH_DETAIL_UNARY(asinh, Asinh)
DGRAPH_DETAIL_UNARY(acosh, Acosh)
DGRAPH_DETAIL_UNARY(atanh, Atanh)
#undef DGRAPH_DETAIL_UNARY
/// @}

/// The angle in [-pi, pi] of the points (x, y), with numpy's broadcasting; floating dtypes.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> atan2(A&& y, B&& x, OpName name = {}) {
  return detail::binary<ops::Atan2, common_element<A, B>>(name, y, x);
}

using TrigonometricOps =
    OpSet<ops::Sin, ops::Cos, ops::Tan, ops::Asin, ops::Acos, ops::Atan, ops::Atan2, ops::Sinh,
          ops::Cosh, ops::Asinh, ops::Acosh, ops::Atanh>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/trigonometric.ipp>
#endif
