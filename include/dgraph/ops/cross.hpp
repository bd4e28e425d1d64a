#pragma once
// The cross product of vectors in space.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// a x b for each pair of vectors of 3 elements in the last dimension; a and b have one shape.
struct Cross {
  static constexpr auto signature = "Cross(a: T, b: T) -> (product: T); T: {real}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// The cross products of the vectors of 3 elements in the last dimension; the operands have one shape.
/// Throws InvalidArgument
/// for other shapes.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> cross(A&& a, B&& b, OpName name = {}) {
  return detail::binary<ops::Cross, common_element<A, B>>(name, a, b);
}

using CrossOps = OpSet<ops::Cross>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/cross.ipp>
#endif
