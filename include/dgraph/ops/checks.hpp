#pragma once
// Values that are held against something and passed on: CheckNumerics, EnsureShape.

#include <string_view>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Its input; InvalidArgument, with `message`, where an element is NaN or infinite.
struct CheckNumerics {
  static constexpr auto signature =
      "CheckNumerics(tensor: T) -> (output: T); T: {floating}; message: string";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Its input; InvalidArgument where that has not the given shape, of which dimensions may be unknown.
struct EnsureShape {
  static constexpr auto signature = "EnsureShape(input: T) -> (output: T); shape: shape; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// x; running it is InvalidArgument, with the message, where an element is NaN or infinite.
template <AnyOperand X>
Op<element_of<X>> check_numerics(X&& x, std::string_view message, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::CheckNumerics>(name, input, "message", message));
}

/// x, known to have that shape from here on; running it is InvalidArgument where it has not.
template <AnyOperand X>
Op<element_of<X>> ensure_shape(X&& x, const PartialShape& shape, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::EnsureShape>(name, input, "shape", shape));
}

using CheckOps = OpSet<ops::CheckNumerics, ops::EnsureShape>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/checks.ipp>
#endif
