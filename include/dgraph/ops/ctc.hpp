#pragma once
// CTCLoss: connectionist temporal classification.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Minus the logarithm of the probability of each label sequence, given logits [time, batch, classes],
/// the last class blank (Graves et al., 2006), and its gradient by the logits. The labels are a sparse
/// matrix [batch, time]. preprocess_collapse_repeated: equal labels in a row count once.
/// ctc_merge_repeated false: equal outputs in a row are as many labels. InvalidArgument for an
/// item without a label, a label that is no class, a sequence_length above time, and, unless
/// ignore_longer_outputs_than_inputs (loss 0), more labels than steps.
struct CTCLoss {
  static constexpr auto signature =
      "CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32) -> "
      "(loss: T, gradient: T); preprocess_collapse_repeated: bool = false; "
      "ctc_merge_repeated: bool = true; ignore_longer_outputs_than_inputs: bool = false; "
      "T: {float32, float64} = float32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// The attributes of CTCLoss, as above.
struct CtcOptions {
  bool preprocess_collapse_repeated = false;
  bool ctc_merge_repeated = true;
  bool ignore_longer_outputs_than_inputs = false;
};

/// Of each item of the batch, minus the logarithm of the probability of its labels: logits are [time,
/// batch, classes], the last class is blank; label `values[i]` is at `indices[i]` = (item, position).
template <AnyOperand X, AnyOperand I, AnyOperand V, AnyOperand L>
Op<element_of<X>> ctc_loss(I&& label_indices, V&& label_values, X&& logits, L&& sequence_length,
                           const CtcOptions& options = {}, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(label_indices, label_values, logits, sequence_length);
  const Output inputs = detail::as_output<T>(logits, name.location, core);
  const Output indices = detail::as_output<std::int64_t>(label_indices, name.location, core);
  const Output values = detail::as_output<std::int32_t>(label_values, name.location, core);
  const Output lengths = detail::as_output<std::int32_t>(sequence_length, name.location, core);
  return Op<T>(add_op<ops::CTCLoss>(
      name, inputs, indices, values, lengths, "preprocess_collapse_repeated",
      options.preprocess_collapse_repeated, "ctc_merge_repeated", options.ctc_merge_repeated,
      "ignore_longer_outputs_than_inputs", options.ignore_longer_outputs_than_inputs));
}

using CtcOps = OpSet<ops::CTCLoss>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/ctc.ipp>
#endif
