#pragma once
// dropout: zeros at random places, the rest scaled up.

#include <optional>

#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/random.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {

struct DropoutOptions {
  /// The shape in which places are drawn; it is broadcast to that of x, so that a 1 keeps or drops all along
  /// a dimension. Unless told, the shape of x.
  std::optional<IntegersArg> noise_shape = {};
  Seed seed = {};
};

namespace detail {
Output dropout(const Output& x, const Output& keep_prob, const DropoutOptions& options,
               const OpName& name);
}  // namespace detail

/// Each element is kept with probability `keep_prob` (TensorFlow 1.x's argument: not the rate that is
/// dropped) and divided by it, so that the expected sum stays; others are 0. Throws InvalidArgument for a
/// number outside (0, 1]; at 1 the value is x itself.
template <AnyOperand X>
Op<element_of<X>> dropout(X&& x, const ValueArg<element_of<X>>& keep_prob,
                          const DropoutOptions& options = {}, OpName name = {}) {
  using T = element_of<X>;
  static_assert(is_floating(dtype_of<T>), "dgraph: dropout is for floating dtypes");
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const Output keep = keep_prob.node(name.location, value.core());
  return Op<T>(detail::dropout(value, keep, options, name));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/dropout.ipp>
#endif
