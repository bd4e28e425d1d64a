#pragma once
// Quotients, remainders and products with a rule of their own for zero: op structs with their rules, and
// the typed functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// 1 / x: the older name of Reciprocal.
struct Inv {
  static constexpr auto signature =
      "Inv(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

/// -dy * y^2, for y = 1 / x, with the conjugate of a complex y.
struct InvGrad {
  static constexpr auto signature = "InvGrad(y: T, dy: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext& g);
};

/// x / y rounded towards zero. InvalidArgument for an integer y of 0. No gradient flows through it.
struct TruncateDiv {
  static constexpr auto signature = "TruncateDiv(x: T, y: T) -> (z: T); T: {number}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// The remainder of TruncateDiv, with the sign of x. InvalidArgument for an integer y of 0.
struct TruncateMod {
  static constexpr auto signature =
      "TruncateMod(x: T, y: T) -> (z: T); T: {floating, int32, int64}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// The same as TruncateMod.
struct Mod {
  static constexpr auto signature = "Mod(x: T, y: T) -> (z: T); T: {floating, int32, int64}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x / y; 0 where y is 0, for any x.
struct DivNoNan {
  static constexpr auto signature = "DivNoNan(x: T, y: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x * y; 0 where y is 0, also for an infinite x or NaN.
struct MulNoNan {
  static constexpr auto signature = "MulNoNan(x: T, y: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x / y; 0 where x is 0, for any y.
struct Xdivy {
  static constexpr auto signature = "Xdivy(x: T, y: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x * log(y); 0 where x is 0, for any y.
struct Xlogy {
  static constexpr auto signature = "Xlogy(x: T, y: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

/// x * log(1 + y); 0 where x is 0, for any y.
struct Xlog1py {
  static constexpr auto signature = "Xlog1py(x: T, y: T) -> (z: T); T: {floating, complex}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Functions of two operands, with numpy's broadcasting.
/// @{
#define DGRAPH_DETAIL_BINARY(function, op)                            \
  template <AnyOperand A, AnyOperand B>                               \
  Op<common_element<A, B>> function(A&& a, B&& b, OpName name = {}) { \
    return detail::binary<ops::op, common_element<A, B>>(name, a, b); \
  }
/// a / b rounded towards zero
DGRAPH_DETAIL_BINARY(truncatediv, TruncateDiv)
/// The remainder of truncatediv, with the sign of a
DGRAPH_DETAIL_BINARY(truncatemod, TruncateMod)
/// a / b; 0 where b is 0
DGRAPH_DETAIL_BINARY(div_no_nan, DivNoNan)
/// a * b; 0 where b is 0
DGRAPH_DETAIL_BINARY(multiply_no_nan, MulNoNan)
/// a / b; 0 where a is 0
DGRAPH_DETAIL_BINARY(xdivy, Xdivy)
/// a * log(b); 0 where a is 0
DGRAPH_DETAIL_BINARY(xlogy, Xlogy)
/// a * log(1 + b); 0 where a is 0
DGRAPH_DETAIL_BINARY(xlog1py, Xlog1py)
#undef DGRAPH_DETAIL_BINARY
/// @}

using DivisionOps = OpSet<ops::Inv, ops::InvGrad, ops::TruncateDiv, ops::TruncateMod, ops::Mod,
                          ops::DivNoNan, ops::MulNoNan, ops::Xdivy, ops::Xlogy, ops::Xlog1py>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/division.ipp>
#endif
