#pragma once
// Comparisons, logic and choice: op structs with their rules, and the typed functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// x == y. Where the shapes cannot be broadcast and incompatible_shape_error is false: a false scalar.
struct Equal {
  static constexpr auto signature =
      "Equal(x: T, y: T) -> (z: bool); T: type; incompatible_shape_error: bool = true; commutative";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// x != y. Where the shapes cannot be broadcast and incompatible_shape_error is false: a true scalar.
struct NotEqual {
  static constexpr auto signature =
      "NotEqual(x: T, y: T) -> (z: bool); T: type; incompatible_shape_error: bool = true; commutative";
  static void shape(ShapeContext& c) { Equal::shape(c); }
  static void gradient(GradientContext&) {}
};

/// x > y.
struct Greater {
  static constexpr auto signature = "Greater(x: T, y: T) -> (z: bool); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// x >= y.
struct GreaterEqual {
  static constexpr auto signature = "GreaterEqual(x: T, y: T) -> (z: bool); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// x < y.
struct Less {
  static constexpr auto signature = "Less(x: T, y: T) -> (z: bool); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// x <= y.
struct LessEqual {
  static constexpr auto signature = "LessEqual(x: T, y: T) -> (z: bool); T: {real}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
  static void gradient(GradientContext&) {}
};

/// |x - y| < tolerance, for x and y of one shape; of integers the tolerance loses its fraction.
struct ApproximateEqual {
  static constexpr auto signature =
      "ApproximateEqual(x: T, y: T) -> (z: bool); T: {number}; tolerance: float = 1e-5; commutative";
  static void shape(ShapeContext& c) { shapes::all_same(c); }
  static void gradient(GradientContext&) {}
};

/// x and y.
struct LogicalAnd {
  static constexpr auto signature = "LogicalAnd(x: bool, y: bool) -> (z: bool); commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// x or y.
struct LogicalOr {
  static constexpr auto signature = "LogicalOr(x: bool, y: bool) -> (z: bool); commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// not x.
struct LogicalNot {
  static constexpr auto signature = "LogicalNot(x: bool) -> (y: bool)";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
};

/// t where condition is true, e elsewhere; t and e have one shape, which condition shares, unless it is a scalar or a vector that
/// chooses rows.
struct Select {
  static constexpr auto signature = "Select(condition: bool, t: T, e: T) -> (output: T); T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Comparisons of each pair of elements, with numpy's broadcasting: bool.
/// @{
#define DGRAPH_DETAIL_COMPARE(function, op)                               \
  template <AnyOperand A, AnyOperand B>                                   \
  Op<bool> function(A&& a, B&& b, OpName name = {}) {                     \
    return detail::compare<ops::op, common_element<A, B>>(name, a, b);    \
  }
DGRAPH_DETAIL_COMPARE(equal, Equal)
DGRAPH_DETAIL_COMPARE(not_equal, NotEqual)
DGRAPH_DETAIL_COMPARE(greater, Greater)
DGRAPH_DETAIL_COMPARE(greater_equal, GreaterEqual)
DGRAPH_DETAIL_COMPARE(less, Less)
DGRAPH_DETAIL_COMPARE(less_equal, LessEqual)
#undef DGRAPH_DETAIL_COMPARE
/// @}

/// |a - b| < tolerance; the operands have one shape.
template <AnyOperand A, AnyOperand B>
Op<bool> approximate_equal(A&& a, B&& b, float tolerance = 1e-5f, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(a, b);
  const Output x = detail::as_output<T>(a, name.location, core);
  const Output y = detail::as_output<T>(b, name.location, core);
  return Op<bool>(add_op<ops::ApproximateEqual>(name, x, y, "tolerance", tolerance));
}

/// @name Logic of each pair of elements, with numpy's broadcasting; the operands are bool.
/// @{
template <AnyOperand A, AnyOperand B>
Op<bool> logical_and(A&& a, B&& b, OpName name = {}) {
  return detail::compare<ops::LogicalAnd, bool>(name, a, b);
}
template <AnyOperand A, AnyOperand B>
Op<bool> logical_or(A&& a, B&& b, OpName name = {}) {
  return detail::compare<ops::LogicalOr, bool>(name, a, b);
}
template <AnyOperand X>
Op<bool> logical_not(X&& x, OpName name = {}) {
  return Op<bool>(add_op<ops::LogicalNot>(name, detail::as_output<bool>(x, name.location, nullptr)));
}
/// @}

/// t where condition is true, e elsewhere: t and e of one shape and dtype; condition of that shape, a scalar, or a vector that
/// chooses rows. Throws InvalidArgument for other shapes.
template <AnyOperand C, AnyOperand A, AnyOperand B>
Op<common_element<A, B>> select(C&& condition, A&& t, B&& e, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(condition, t, e);
  const Output c = detail::as_output<bool>(condition, name.location, core);
  const Output x = detail::as_output<T>(t, name.location, core);
  const Output y = detail::as_output<T>(e, name.location, core);
  return Op<T>(add_op<ops::Select>(name, c, x, y));
}

using CompareOps = OpSet<ops::Equal, ops::NotEqual, ops::Greater, ops::GreaterEqual, ops::Less, ops::LessEqual, ops::ApproximateEqual,
                         ops::LogicalAnd, ops::LogicalOr, ops::LogicalNot, ops::Select>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/compare.ipp>
#endif
