#pragma once
// Complex numbers: the conjugate.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The complex conjugate.
struct Conj {
  static constexpr auto signature = "Conj(input: T) -> (output: T); T: {complex, variant} = complex64";
  static void shape(ShapeContext& c) { shapes::unchanged(c); }
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// The complex conjugate of each element; a real operand is returned as it is.
template <AnyOperand X>
Op<element_of<X>> conj(X&& x, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(is_complex(dtype_of<T>) ? add_op<ops::Conj>(name, value) : value);
}

using ComplexOps = OpSet<ops::Conj>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/complex.ipp>
#endif
