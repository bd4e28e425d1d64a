#pragma once
// Whole numbers, bounds, and tests for NaN and infinities: op structs with their rules, and the typed
// functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The least whole number not below x. No gradient flows through rounding.
struct Ceil {
  static constexpr auto signature = "Ceil(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The greatest whole number not above x.
struct Floor {
  static constexpr auto signature = "Floor(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The nearest whole number; halves go to the even one.
struct Rint {
  static constexpr auto signature = "Rint(x: T) -> (y: T); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// The same as Rint, also for integers and parts of complex numbers.
struct Round {
  static constexpr auto signature =
      "Round(x: T) -> (y: T); T: {floating, complex, int8, int16, int32, int64}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext&) {}
};

/// Whether x is neither infinite nor NaN.
struct IsFinite {
  static constexpr auto signature = "IsFinite(x: T) -> (y: bool); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
};

/// Whether x is an infinity.
struct IsInf {
  static constexpr auto signature = "IsInf(x: T) -> (y: bool); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
};

/// Whether x is NaN.
struct IsNan {
  static constexpr auto signature = "IsNan(x: T) -> (y: bool); T: {floating}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
};

/// t brought into [clip_value_min, clip_value_max], which are scalars or of the shape of t; NaN stays.
/// The gradient goes to t
/// within the bounds and at them, outside to the bound.
struct ClipByValue {
  static constexpr auto signature =
      "ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> (output: T); T: {number}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Functions of each element; the result has the operand's shape and dtype. No gradient flows
/// through them.
/// @{
#define DGRAPH_DETAIL_UNARY(function, op)                  \
  template <AnyOperand X>                                  \
  Op<element_of<X>> function(X&& x, OpName name = {}) {    \
    return detail::unary<ops::op, element_of<X>>(name, x); \
  }
DGRAPH_DETAIL_UNARY(ceil, Ceil)
DGRAPH_DETAIL_UNARY(floor, Floor)
DGRAPH_DETAIL_UNARY(rint, Rint)
DGRAPH_DETAIL_UNARY(round, Round)
#undef DGRAPH_DETAIL_UNARY
/// @}

/// @name Tests of each element of a floating dtype: bool, of the operand's shape.
/// @{
#define DGRAPH_DETAIL_TEST(function, op)                                                     \
  template <AnyOperand X>                                                                    \
  Op<bool> function(X&& x, OpName name = {}) {                                               \
    return Op<bool>(                                                                         \
        add_op<ops::op>(name, detail::as_output<element_of<X>>(x, name.location, nullptr))); \
  }
DGRAPH_DETAIL_TEST(is_finite, IsFinite)
DGRAPH_DETAIL_TEST(is_inf, IsInf)
DGRAPH_DETAIL_TEST(is_nan, IsNan)
#undef DGRAPH_DETAIL_TEST
/// @}

/// x brought into [low, high], each a scalar or of the shape of x; NaN stays. Throws InvalidArgument for
/// other shapes.
template <AnyOperand X, AnyOperand A, AnyOperand B>
Op<element_of<X>> clip_by_value(X&& x, A&& low, B&& high, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(x, low, high);
  const Output value = detail::as_output<T>(x, name.location, core);
  const Output least = detail::as_output<T>(low, name.location, core);
  const Output most = detail::as_output<T>(high, name.location, core);
  return Op<T>(add_op<ops::ClipByValue>(name, value, least, most));
}

using RoundingOps = OpSet<ops::Ceil, ops::Floor, ops::Rint, ops::Round, ops::IsFinite, ops::IsInf,
                          ops::IsNan, ops::ClipByValue>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/rounding.ipp>
#endif
