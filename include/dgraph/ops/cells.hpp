#pragma once
// Cells of recurrent networks as plain functions of a step's input and the state before it: rnn_cell,
// gru_cell, lstm_cell.

#include <type_traits>

#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {

/// What an LSTM cell hands on: its memory and its output, both [batch, units] (the output [batch, outputs]
/// where it is projected).
template <class T>
struct LstmState {
  Op<T> c, h;
};

template <class T>
struct LstmOptions {
  /// Added to the forget gate, so that a new cell remembers.
  double forget_bias = 1;
  /// Vectors [units] by which the gates see the memory ("peepholes"); all three or none.
  Op<T> input_peephole = {}, forget_peephole = {}, output_peephole = {};
  /// The memory stays in [-cell_clip, cell_clip]; 0: as it is.
  double cell_clip = 0;
  /// A matrix [units, outputs] that the output is multiplied by, and what bounds that.
  Op<T> projection = {};
  double projection_clip = 0;
};

namespace detail {

struct LstmOutputs {
  Output c, h;
};
struct LstmSettings {
  double forget_bias, cell_clip, projection_clip;
  Output input_peephole, forget_peephole, output_peephole, projection;
};
Output rnn_cell(const Output& x, const Output& h, const Output& kernel, const Output& bias,
                const OpName& name);
Output gru_cell(const Output& x, const Output& h, const Output& gate_kernel,
                const Output& gate_bias, const Output& candidate_kernel,
                const Output& candidate_bias, const OpName& name);
LstmOutputs lstm_cell(const Output& x, const LstmOutputs& state, const Output& kernel,
                      const Output& bias, const LstmSettings& settings, const OpName& name);

}  // namespace detail

/// tanh([x, h] kernel + bias), the next state and output: x is [batch, inputs], h [batch, units], the kernel
/// [inputs + units, units], the bias [units].
template <AnyOperand X>
Op<element_of<X>> rnn_cell(X&& x, const Op<std::type_identity_t<element_of<X>>>& h,
                           const ValueArg<element_of<X>>& kernel,
                           const ValueArg<element_of<X>>& bias, OpName name = {}) {
  using T = element_of<X>;
  const Output in = detail::as_output<T>(x, name.location, h.core());
  const Output k = kernel.node(name.location, in.core()), b = bias.node(name.location, in.core());
  return Op<T>(detail::rnn_cell(in, h, k, b, name));
}

/// A gated recurrent unit (Cho et al., 2014), with TensorFlow's GRUCell's weights: of the gates r and u, in
/// this order, [inputs + units, 2 units] and [2 units]; of the candidate [inputs + units, units] and [units].
/// The next state and output: u h + (1 - u) tanh([x, r h] candidate_kernel + candidate_bias).
template <AnyOperand X>
Op<element_of<X>> gru_cell(X&& x, const Op<std::type_identity_t<element_of<X>>>& h,
                           const ValueArg<element_of<X>>& gate_kernel,
                           const ValueArg<element_of<X>>& gate_bias,
                           const ValueArg<element_of<X>>& candidate_kernel,
                           const ValueArg<element_of<X>>& candidate_bias, OpName name = {}) {
  using T = element_of<X>;
  const Output in = detail::as_output<T>(x, name.location, h.core());
  const auto node = [&](const ValueArg<T>& arg) { return arg.node(name.location, in.core()); };
  const Output gk = node(gate_kernel), gb = node(gate_bias), ck = node(candidate_kernel),
               cb = node(candidate_bias);
  return Op<T>(detail::gru_cell(in, h, gk, gb, ck, cb, name));
}

/// A long short-term memory (Hochreiter, Schmidhuber, 1997; peepholes: Gers, Schmidhuber, 2000), with
/// TensorFlow's LSTMCell's weights: the kernel [inputs + outputs, 4 units] and the bias [4 units] are those
/// of the input gate i, the candidate j, the forget gate f and the output gate o, in this order.
/// c' = sigmoid(f + forget_bias) c + sigmoid(i) tanh(j), h' = sigmoid(o) tanh(c').
template <AnyOperand X>
LstmState<element_of<X>> lstm_cell(
    X&& x, const LstmState<std::type_identity_t<element_of<X>>>& state,
    const ValueArg<element_of<X>>& kernel, const ValueArg<element_of<X>>& bias,
    const LstmOptions<std::type_identity_t<element_of<X>>>& options = {}, OpName name = {}) {
  using T = element_of<X>;
  const Output in = detail::as_output<T>(x, name.location, state.h.core());
  const Output k = kernel.node(name.location, in.core()), b = bias.node(name.location, in.core());
  const detail::LstmOutputs out = detail::lstm_cell(
      in, {state.c, state.h}, k, b,
      {options.forget_bias, options.cell_clip, options.projection_clip, options.input_peephole,
       options.forget_peephole, options.output_peephole, options.projection},
      name);
  return {Op<T>(out.c), Op<T>(out.h)};
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/cells.ipp>
#endif
