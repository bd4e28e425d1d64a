#pragma once
// Elements in another order along an axis: ReverseV2, ReverseSequence, Roll.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The tensor backwards along each of the axes, which are all different.
struct ReverseV2 {
  static constexpr auto signature =
      "ReverseV2(tensor: T, axis: Tidx) -> (output: T); Tidx: {index} = int32; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// For each i along `batch_dim`, the first seq_lengths[i] elements along `seq_dim` backwards, the
/// others as they are.
struct ReverseSequence {
  static constexpr auto signature =
      "ReverseSequence(input: T, seq_lengths: Tlen) -> (output: T); seq_dim: int; batch_dim: int = "
      "0; T: type; Tlen: {index} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The elements moved by `shift` along `axis`, round the end; several shifts go with several axes,
/// and those of one axis add up.
struct Roll {
  static constexpr auto signature =
      "Roll(input: T, shift: Tshift, axis: Taxis) -> (output: T); T: type; Tshift: {index}; Taxis: "
      "{index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// x backwards along each of the axes.
template <AnyOperand X>
Op<element_of<X>> reverse(X&& x, const IntegersArg& axes, OpName name = {}) {
  return detail::with_integers<ops::ReverseV2>(name, std::forward<X>(x), axes);
}

/// For each i along `batch_axis`, the first lengths[i] elements along `seq_axis` backwards, the
/// others as they are.
template <AnyOperand X>
Op<element_of<X>> reverse_sequence(X&& x, const IntegersArg& lengths, std::int64_t seq_axis,
                                   std::int64_t batch_axis = 0, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output sizes = lengths.node(name.location, input.core());
  return Op<T>(add_op<ops::ReverseSequence>(name, input, sizes, "seq_dim", seq_axis, "batch_dim",
                                            batch_axis));
}

/// The elements of x moved by shift[k] along axis[k], round the end: `roll(x, {1}, {0})`.
template <AnyOperand X>
Op<element_of<X>> roll(X&& x, const IntegersArg& shift, const IntegersArg& axis, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output by = shift.node(name.location, input.core());
  return Op<T>(add_op<ops::Roll>(name, input, by, axis.node(name.location, input.core())));
}

using ReversalOps = OpSet<ops::ReverseV2, ops::ReverseSequence, ops::Roll>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/reversal.ipp>
#endif
