#pragma once
// The bits of integers: op structs with their rules, and the typed functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The bits that both have.
struct BitwiseAnd {
  static constexpr auto signature = "BitwiseAnd(x: T, y: T) -> (z: T); T: {integer}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// The bits that either has.
struct BitwiseOr {
  static constexpr auto signature = "BitwiseOr(x: T, y: T) -> (z: T); T: {integer}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// The bits that one of them has.
struct BitwiseXor {
  static constexpr auto signature = "BitwiseXor(x: T, y: T) -> (z: T); T: {integer}; commutative";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// The bits that x has not.
struct Invert {
  static constexpr auto signature = "Invert(x: T) -> (y: T); T: {integer}";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
};

/// x shifted up by y bits; a y below 0 counts as 0, one beyond the width as the width less 1.
struct LeftShift {
  static constexpr auto signature = "LeftShift(x: T, y: T) -> (z: T); T: {integer}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

/// x shifted down by y bits, the sign coming in at the top; a y out of range as in LeftShift.
struct RightShift {
  static constexpr auto signature = "RightShift(x: T, y: T) -> (z: T); T: {integer}";
  static void shape(ShapeContext& c) { shapes::broadcast(c); }
};

}  // namespace ops

/// @name Functions of the bits of integers, with numpy's broadcasting.
/// @{
#define DGRAPH_DETAIL_BINARY(function, op)                            \
  template <AnyOperand A, AnyOperand B>                               \
  Op<common_element<A, B>> function(A&& a, B&& b, OpName name = {}) { \
    return detail::binary<ops::op, common_element<A, B>>(name, a, b); \
  }
DGRAPH_DETAIL_BINARY(bitwise_and, BitwiseAnd)
DGRAPH_DETAIL_BINARY(bitwise_or, BitwiseOr)
DGRAPH_DETAIL_BINARY(bitwise_xor, BitwiseXor)
DGRAPH_DETAIL_BINARY(left_shift, LeftShift)
DGRAPH_DETAIL_BINARY(right_shift, RightShift)
#undef DGRAPH_DETAIL_BINARY
template <AnyOperand X>
Op<element_of<X>> bitwise_invert(X&& x, OpName name = {}) {
  return detail::unary<ops::Invert, element_of<X>>(name, x);
}
/// @}

using BitwiseOps = OpSet<ops::BitwiseAnd, ops::BitwiseOr, ops::BitwiseXor, ops::Invert,
                         ops::LeftShift, ops::RightShift>;

}  // namespace dgraph
