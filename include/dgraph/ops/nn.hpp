#pragma once
// Neural networks: bias, activations (Relu is in math.hpp), softmax and the losses over it.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// value + bias, a vector along the channels: the last dimension for NHWC, dimension 1 for NCHW.
struct BiasAdd {
  static constexpr auto signature =
      "BiasAdd(value: T, bias: T) -> (output: T); T: {number}; data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The sum of out_backprop over all dimensions but that of the channels.
struct BiasAddGrad {
  static constexpr auto signature =
      "BiasAddGrad(out_backprop: T) -> (output: T); T: {number}; data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// exp(x) / sum(exp(x)) along the last dimension; rank 1 or more.
struct Softmax {
  static constexpr auto signature = "Softmax(logits: T) -> (softmax: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank_at_least(0, 1)); }
  static void gradient(GradientContext& g);
};

/// x - log(sum(exp(x))) along the last dimension; rank 1 or more.
struct LogSoftmax {
  static constexpr auto signature = "LogSoftmax(logits: T) -> (logsoftmax: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank_at_least(0, 1)); }
  static void gradient(GradientContext& g);
};

/// Cross entropy of softmax(features), shape [batch, classes], and labels that are distributions of that shape (or broadcast to
/// it): loss of shape [batch]; backprop = softmax(features) - labels.
struct SoftmaxCrossEntropyWithLogits {
  static constexpr auto signature =
      "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> (loss: T, backprop: T); T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same with labels that are class numbers, shape [batch]; InvalidArgument for one outside [0, classes).
struct SparseSoftmaxCrossEntropyWithLogits {
  static constexpr auto signature =
      "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> (loss: T, backprop: T); T: {floating}; "
      "Tlabels: {index} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Half the sum of the squares: a scalar.
struct L2Loss {
  static constexpr auto signature = "L2Loss(t: T) -> (output: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
  static void gradient(GradientContext& g);
};

/// min(max(x, 0), 6).
struct Relu6 {
  static constexpr auto signature = "Relu6(features: T) -> (activations: T); T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients where 0 < features < 6, else 0; `features` may be Relu6's outputs.
struct Relu6Grad {
  static constexpr auto signature = "Relu6Grad(gradients: T, features: T) -> (backprops: T); T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

/// x for x > 0, exp(x) - 1 elsewhere.
struct Elu {
  static constexpr auto signature = "Elu(features: T) -> (activations: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients * (outputs + 1) where outputs < 0, gradients elsewhere.
struct EluGrad {
  static constexpr auto signature = "EluGrad(gradients: T, outputs: T) -> (backprops: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

/// scale * x for x > 0, scale * alpha * (exp(x) - 1) elsewhere; scale 1.0507009873554805, alpha 1.6732632423543772.
struct Selu {
  static constexpr auto signature = "Selu(features: T) -> (activations: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients * (outputs + scale * alpha) where outputs < 0, gradients * scale elsewhere.
struct SeluGrad {
  static constexpr auto signature = "SeluGrad(gradients: T, outputs: T) -> (backprops: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

/// x for x > 0, alpha * x elsewhere.
struct LeakyRelu {
  static constexpr auto signature = "LeakyRelu(features: T) -> (activations: T); alpha: float = 0.2; T: {floating} = float32";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients where features > 0, alpha * gradients elsewhere.
struct LeakyReluGrad {
  static constexpr auto signature =
      "LeakyReluGrad(gradients: T, features: T) -> (backprops: T); alpha: float = 0.2; T: {floating} = float32";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

/// log(exp(x) + 1).
struct Softplus {
  static constexpr auto signature = "Softplus(features: T) -> (activations: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients / (1 + exp(-features)).
struct SoftplusGrad {
  static constexpr auto signature = "SoftplusGrad(gradients: T, features: T) -> (backprops: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

/// x / (|x| + 1).
struct Softsign {
  static constexpr auto signature = "Softsign(features: T) -> (activations: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// gradients / (1 + |features|)².
struct SoftsignGrad {
  static constexpr auto signature = "SoftsignGrad(gradients: T, features: T) -> (backprops: T); T: {floating}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0).merged_with(c.input(1))); }
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// @name Activations, element by element; the shape of x.
/// @{
#define DGRAPH_DETAIL_ACTIVATION(function, op)                       \
  template <AnyOperand X>                                            \
  Op<element_of<X>> function(X&& x, OpName name = {}) {              \
    return detail::unary<ops::op, element_of<X>>(name, x);           \
  }
DGRAPH_DETAIL_ACTIVATION(relu6, Relu6)
DGRAPH_DETAIL_ACTIVATION(elu, Elu)
DGRAPH_DETAIL_ACTIVATION(selu, Selu)
DGRAPH_DETAIL_ACTIVATION(softplus, Softplus)
DGRAPH_DETAIL_ACTIVATION(softsign, Softsign)
#undef DGRAPH_DETAIL_ACTIVATION
template <AnyOperand X>
Op<element_of<X>> leaky_relu(X&& x, float alpha = 0.2f, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(add_op<ops::LeakyRelu>(name, detail::as_output<T>(x, name.location, nullptr), "alpha", alpha));
}
/// @}

/// x / sum(x) of the exponentials along the last dimension.
template <AnyOperand X>
Op<element_of<X>> softmax(X&& logits, OpName name = {}) {
  return detail::unary<ops::Softmax, element_of<X>>(name, logits);
}
/// The logarithm of softmax, exact also where softmax is 0.
template <AnyOperand X>
Op<element_of<X>> log_softmax(X&& logits, OpName name = {}) {
  return detail::unary<ops::LogSoftmax, element_of<X>>(name, logits);
}

/// Half the sum of the squares of x, a scalar.
template <AnyOperand X>
Op<element_of<X>> l2_loss(X&& x, OpName name = {}) {
  return detail::unary<ops::L2Loss, element_of<X>>(name, x);
}

/// value plus a vector along its last dimension (dimension 1 for "NCHW").
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> bias_add(A&& value, B&& bias, OpName name = {}, const char* data_format = "NHWC") {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(value, bias);
  const Output x = detail::as_output<T>(value, name.location, core);
  const Output b = detail::as_output<T>(bias, name.location, core);
  return Op<T>(add_op<ops::BiasAdd>(name, x, b, "data_format", data_format));
}

namespace detail {
Output softmax_cross_entropy(const Output& labels, const Output& logits, const OpName& name);
Output sparse_softmax_cross_entropy(const Output& labels, const Output& logits, const OpName& name);
}  // namespace detail

/// The cross entropy of softmax(logits), [..., classes], and labels that are distributions of that shape: [...].
template <AnyOperand L, AnyOperand X>
Op<common_element<L, X>> softmax_cross_entropy_with_logits(L&& labels, X&& logits, OpName name = {}) {
  using T = common_element<L, X>;
  GraphCore* const core = detail::core_of(labels, logits);
  const Output l = detail::as_output<T>(labels, name.location, core);
  const Output x = detail::as_output<T>(logits, name.location, core);
  return Op<T>(detail::softmax_cross_entropy(l, x, name));
}
/// The same with labels that are class numbers (int32 or int64), [...]; a step fails with InvalidArgument for one outside
/// [0, classes).
template <AnyOperand L, AnyOperand X>
Op<element_of<X>> sparse_softmax_cross_entropy_with_logits(L&& labels, X&& logits, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(labels, logits);
  const Output l = detail::as_output<element_of<L>>(labels, name.location, core);
  const Output x = detail::as_output<T>(logits, name.location, core);
  return Op<T>(detail::sparse_softmax_cross_entropy(l, x, name));
}

using NnOps = OpSet<ops::BiasAdd, ops::BiasAddGrad, ops::Softmax, ops::LogSoftmax, ops::SoftmaxCrossEntropyWithLogits,
                    ops::SparseSoftmaxCrossEntropyWithLogits, ops::L2Loss, ops::Relu6, ops::Relu6Grad, ops::Elu,
                    ops::EluGrad, ops::Selu, ops::SeluGrad, ops::LeakyRelu, ops::LeakyReluGrad, ops::Softplus,
                    ops::SoftplusGrad, ops::Softsign, ops::SoftsignGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/nn.ipp>
#endif
