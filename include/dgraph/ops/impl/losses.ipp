#pragma once
#include <dgraph/ops/losses.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/selection.hpp>

namespace dgraph::detail {

// max(x, 0) and log(1 + exp(-|x|)), made so that both have their derivative at 0.
struct LogisticParts {
  Output positive, rest;
};
DGRAPH_DECL LogisticParts logistic_parts(const Output& x, const OpName& at) {
  const Output zero = add_constant(scalar_tensor(x.dtype(), 0), at, x.core());
  const Output above = add_op<ops::GreaterEqual>(at, x, zero), minus = add_op<ops::Neg>(at, x);
  const Output size = add_op<ops::SelectV2>(at, above, minus, x);
  return {add_op<ops::SelectV2>(at, above, x, zero),
          add_op<ops::Log1p>(at, add_op<ops::Exp>(at, size))};
}

DGRAPH_DECL void need_same_shape(const Output& labels, const Output& logits) {
  if (!labels.shape().compatible_with(logits.shape()))
    fail(Code::InvalidArgument, "labels of shape ", labels.shape(), " and logits of shape ",
         logits.shape(), " must have one shape");
}

DGRAPH_DECL Output sigmoid_cross_entropy(const Output& labels, const Output& logits,
                                         const OpName& name) {
  need_same_shape(labels, logits);
  const OpName at(name.location);
  const LogisticParts parts = logistic_parts(logits, at);
  const Output linear = add_op<ops::Sub>(at, parts.positive, add_op<ops::Mul>(at, logits, labels));
  return add_op<ops::AddV2>(name, linear, parts.rest);
}

// (1 - z) x + (1 + (weight - 1) z) (log(1 + exp(-|x|)) + max(-x, 0)).
DGRAPH_DECL Output weighted_cross_entropy(const Output& labels, const Output& logits,
                                          const Output& pos_weight, const OpName& name) {
  need_same_shape(labels, logits);
  const OpName at(name.location);
  const Output one = add_constant(scalar_tensor(logits.dtype(), 1), at, logits.core());
  const LogisticParts parts = logistic_parts(logits, at);
  const Output below = add_op<ops::Sub>(at, parts.positive, logits);
  const Output weight = add_op<ops::AddV2>(
      at, one, add_op<ops::Mul>(at, add_op<ops::Sub>(at, pos_weight, one), labels));
  const Output denied = add_op<ops::Mul>(at, add_op<ops::Sub>(at, one, labels), logits);
  return add_op<ops::AddV2>(
      name, denied, add_op<ops::Mul>(at, weight, add_op<ops::AddV2>(at, parts.rest, below)));
}

}  // namespace dgraph::detail
