#pragma once
#include <dgraph/ops/cells.hpp>

#include <cstdint>
#include <vector>

#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/nn.hpp>
#include <dgraph/ops/rounding.hpp>

namespace dgraph::detail {

// [x, h] kernel + bias.
DGRAPH_DECL Output cell_sum(const Output& x, const Output& h, const Output& kernel,
                            const Output& bias, const OpName& at) {
  const std::vector<Output> both{x, h};
  const Output joined = add_op<ops::ConcatV2>(at, both, axis_constant(x, 1, at.location));
  return add_op<ops::BiasAdd>(at, add_op<ops::MatMul>(at, joined, kernel), bias);
}

DGRAPH_DECL std::vector<Output> cell_gates(const Output& sum, std::int64_t count,
                                           const OpName& at) {
  const Output first =
      add_op<ops::Split>(at, axis_constant(sum, 1, at.location), sum, "num_split", count);
  std::vector<Output> out;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i)
    out.emplace_back(first.core(), first.node_id(), i);
  return out;
}

DGRAPH_DECL Output rnn_cell(const Output& x, const Output& h, const Output& kernel,
                            const Output& bias, const OpName& name) {
  return add_op<ops::Tanh>(name, cell_sum(x, h, kernel, bias, OpName(name.location)));
}

DGRAPH_DECL Output gru_cell(const Output& x, const Output& h, const Output& gate_kernel,
                            const Output& gate_bias, const Output& candidate_kernel,
                            const Output& candidate_bias, const OpName& name) {
  const OpName at(name.location);
  const Output sums = add_op<ops::Sigmoid>(at, cell_sum(x, h, gate_kernel, gate_bias, at));
  const std::vector<Output> gates = cell_gates(sums, 2, at);
  const Output reset = add_op<ops::Mul>(at, gates[0], h), update = gates[1];
  const Output candidate =
      add_op<ops::Tanh>(at, cell_sum(x, reset, candidate_kernel, candidate_bias, at));
  // candidate + update (h - candidate) would lose what cancels.
  const Output one = add_constant(scalar_tensor(h.dtype(), 1), at, h.core());
  const Output fresh = add_op<ops::Mul>(at, add_op<ops::Sub>(at, one, update), candidate);
  return add_op<ops::AddV2>(name, add_op<ops::Mul>(at, update, h), fresh);
}

DGRAPH_DECL Output bounded(const Output& x, double most, const OpName& at) {
  if (most == 0) return x;
  if (!(most > 0)) fail(Code::InvalidArgument, "a bound must not be negative: ", most);
  const auto number = [&](double value) {
    return add_constant(scalar_tensor(x.dtype(), value), at, x.core());
  };
  return add_op<ops::ClipByValue>(at, x, number(-most), number(most));
}

DGRAPH_DECL LstmOutputs lstm_cell(const Output& x, const LstmOutputs& state, const Output& kernel,
                                  const Output& bias, const LstmSettings& settings,
                                  const OpName& name) {
  const OpName at(name.location);
  const bool peeps = static_cast<bool>(settings.input_peephole);
  if (peeps != static_cast<bool>(settings.forget_peephole) ||
      peeps != static_cast<bool>(settings.output_peephole))
    fail(Code::InvalidArgument, "an LSTM cell has three peepholes or none");
  const std::vector<Output> gates = cell_gates(cell_sum(x, state.h, kernel, bias, at), 4, at);
  const auto gate = [&](const Output& sum, const Output& peephole, const Output& memory) {
    const Output seen =
        peeps ? add_op<ops::AddV2>(at, sum, add_op<ops::Mul>(at, peephole, memory)) : sum;
    return add_op<ops::Sigmoid>(at, seen);
  };
  Output forget = gates[2];
  if (settings.forget_bias != 0)
    forget = add_op<ops::AddV2>(
        at, forget, add_constant(scalar_tensor(x.dtype(), settings.forget_bias), at, x.core()));
  const Output kept =
      add_op<ops::Mul>(at, gate(forget, settings.forget_peephole, state.c), state.c);
  const Output added = add_op<ops::Mul>(at, gate(gates[0], settings.input_peephole, state.c),
                                        add_op<ops::Tanh>(at, gates[1]));
  const Output c = bounded(add_op<ops::AddV2>(at, kept, added), settings.cell_clip, at);
  const Output open = gate(gates[3], settings.output_peephole, c);
  Output h = add_op<ops::Mul>(settings.projection ? at : name, open, add_op<ops::Tanh>(at, c));
  if (settings.projection)
    h = bounded(add_op<ops::MatMul>(name, h, settings.projection), settings.projection_clip, at);
  return {c, h};
}

}  // namespace dgraph::detail
