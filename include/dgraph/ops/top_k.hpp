#pragma once
// The largest elements of rows: TopKV2, TopK, InTopK, InTopKV2.

#include <utility>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {
namespace ops {

/// The k largest elements along the last dimension, the largest first, of equal ones the first, and
/// their indices. NaN counts as the largest. InvalidArgument for a k that is negative or more than
/// there are.
struct TopKV2 {
  static constexpr auto signature =
      "TopKV2(input: T, k: Tk) -> (values: T, indices: index_type); sorted: bool = true; T: "
      "{real}; "
      "Tk: {int16, int32, int64} = int32; index_type: {int16, int32, int64} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// TopKV2 with a k that is part of the graph.
struct TopK {
  static constexpr auto signature =
      "TopK(input: T) -> (values: T, indices: int32); k: int >= 0; sorted: bool = true; T: {real}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Whether fewer than k elements of each row of predictions, [batch, classes], are larger than that of
/// its target. False where the target is out of range, or an element that decides is not finite.
struct InTopK {
  static constexpr auto signature =
      "InTopK(predictions: float32, targets: T) -> (precision: bool); k: int; T: {index} = int32";
  static void shape(ShapeContext& c);
};

/// InTopK with k as an input.
struct InTopKV2 {
  static constexpr auto signature =
      "InTopKV2(predictions: float32, targets: T, k: T) -> (precision: bool); T: {index} = int32";
  static void shape(ShapeContext& c);
};

}  // namespace ops

/// The k largest elements along the last dimension, the largest first, and their indices:
/// `auto [values, indices] = dg::top_k(x, 3);`. Throws InvalidArgument where there are fewer.
template <AnyOperand X>
std::pair<Op<element_of<X>>, Op<std::int32_t>> top_k(X&& x, const ValueArg<std::int32_t>& k = 1,
                                                     bool sorted = true, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const Output node =
      add_op<ops::TopKV2>(name, value, k.node(name.location, value.core()), "sorted", sorted);
  return {Op<T>(node), Op<std::int32_t>(Output(node.core(), node.node_id(), 1))};
}

/// Whether the target (int32 or int64, [batch]) is among the k best of each row of predictions,
/// [batch, classes].
template <AnyOperand X, AnyOperand I>
Op<bool> in_top_k(X&& predictions, I&& targets, std::int64_t k, OpName name = {}) {
  GraphCore* const core = detail::core_of(predictions, targets);
  const Output rows = detail::as_output<float>(predictions, name.location, core);
  const Output wanted = detail::as_output<element_of<I>>(targets, name.location, core);
  const Output most =
      detail::add_constant(detail::scalar_tensor(wanted.dtype(), static_cast<double>(k)),
                           OpName(name.location), rows.core());
  return Op<bool>(add_op<ops::InTopKV2>(name, rows, wanted, most));
}

using TopKOps = OpSet<ops::TopKV2, ops::TopK, ops::InTopK, ops::InTopKV2>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/top_k.ipp>
#endif
