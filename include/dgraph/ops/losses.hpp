#pragma once
// Losses made of ops: sigmoid_cross_entropy_with_logits, weighted_cross_entropy_with_logits. Those over
// softmax are in nn.hpp.

#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {
namespace detail {

Output sigmoid_cross_entropy(const Output& labels, const Output& logits, const OpName& name);
Output weighted_cross_entropy(const Output& labels, const Output& logits, const Output& pos_weight,
                              const OpName& name);

}  // namespace detail

/// The cross entropy of sigmoid(logits) and labels, probabilities of that shape, for each element: of
/// classes that do not exclude each other. No logit overflows. Throws InvalidArgument where shapes differ.
template <AnyOperand L, AnyOperand X>
Op<common_element<L, X>> sigmoid_cross_entropy_with_logits(L&& labels, X&& logits,
                                                           OpName name = {}) {
  using T = common_element<L, X>;
  GraphCore* const core = detail::core_of(labels, logits);
  const Output wanted = detail::as_output<T>(labels, name.location, core);
  const Output x = detail::as_output<T>(logits, name.location, core);
  return Op<T>(detail::sigmoid_cross_entropy(wanted, x, name));
}

/// The same where what the labels say counts `pos_weight` times (and what they deny once): above 1 it finds
/// more, below 1 it is more often right.
template <AnyOperand L, AnyOperand X>
Op<common_element<L, X>> weighted_cross_entropy_with_logits(
    L&& labels, X&& logits, const ValueArg<common_element<L, X>>& pos_weight, OpName name = {}) {
  using T = common_element<L, X>;
  GraphCore* const core = detail::core_of(labels, logits);
  const Output wanted = detail::as_output<T>(labels, name.location, core);
  const Output x = detail::as_output<T>(logits, name.location, core);
  const Output weight = pos_weight.node(name.location, x.core());
  return Op<T>(detail::weighted_cross_entropy(wanted, x, weight, name));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/losses.ipp>
#endif
