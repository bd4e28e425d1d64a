#pragma once
// ConditionalAccumulator<T> and SparseConditionalAccumulator<T>: gradients of many steps, added up until somebody takes their mean.

#include <cstdint>
#include <string_view>
#include <tuple>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/accumulator.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {

/// What a take gives of the gradients that are there.
enum class Reduction : std::uint8_t { Mean, Sum };

namespace detail {

/// An accumulator as the nodes on it see it.
class AccumulatorNode {
 public:
  AccumulatorNode(const OpDef& def, DType dtype, const PartialShape& shape,
                  std::string_view shared_name, Reduction reduction, const OpName& name);
  const Output& handle() const noexcept { return handle_; }
  Output apply(const AnyValueArg& gradient, const AnyValueArg& local_step,
               const OpName& name) const;
  Output apply_rows(const Output& indices, const Output& values, const Output& shape,
                    const AnyValueArg& local_step, const OpName& name) const;
  /// Output 0 of the take.
  Output take(const AnyValueArg& num_required, const OpName& name) const;
  Output num_accumulated(const OpName& name) const;
  Output set_global_step(const AnyValueArg& step, const OpName& name) const;

 private:
  void check(const Output& value, const PartialShape& shape, const OpName& name) const;
  Output handle_;
  DType dtype_;
  PartialShape shape_;
};

}  // namespace detail

/// Adds up dense gradients of one shape. Those of a step below the accumulator's own, which counts its takes, are dropped. One with a
/// shared name is one for all sessions on the task of its node and outlives them; one without belongs to its session.
template <class T>
class ConditionalAccumulator {
 public:
  static_assert(Element<T>,
                "dgraph: ConditionalAccumulator<T> needs an element type: float, double ...");
  explicit ConditionalAccumulator(const PartialShape& shape = {}, std::string_view shared_name = {},
                                  Reduction reduction = Reduction::Mean,
                                  OpName name = "conditional_accumulator")
      : node_(definition<ops::ResourceConditionalAccumulator>(), dtype_of<T>, shape, shared_name,
              reduction, name) {}

  const Output& handle() const noexcept { return node_.handle(); }
  /// Adds a gradient that was computed for `local_step`, an int64. InvalidArgument for another shape than the accumulator's.
  Op<void> apply_grad(const ValueArg<T>& gradient,
                      const ValueArg<std::int64_t>& local_step = std::int64_t{0},
                      OpName name = {}) const {
    return Op<void>(node_.apply(gradient, local_step, name));
  }
  /// The mean, or sum, of all gradients once these are num_required, an int32, or more; waits for them. The accumulator is empty then,
  /// and its step one higher.
  Op<T> take_grad(const ValueArg<std::int32_t>& num_required, OpName name = {}) const {
    return Op<T>(node_.take(num_required, name));
  }
  /// How many gradients are there.
  Op<std::int32_t> num_accumulated(OpName name = {}) const {
    return Op<std::int32_t>(node_.num_accumulated(name));
  }
  /// Sets the accumulator's step.
  Op<void> set_global_step(const ValueArg<std::int64_t>& step, OpName name = {}) const {
    return Op<void>(node_.set_global_step(step, name));
  }

 private:
  detail::AccumulatorNode node_;
};

/// The same for gradients of some rows: each row of the mean is divided by how many gradients had it.
template <class T>
class SparseConditionalAccumulator {
 public:
  static_assert(Element<T>,
                "dgraph: SparseConditionalAccumulator<T> needs an element type: float, double ...");
  explicit SparseConditionalAccumulator(const PartialShape& shape = {},
                                        std::string_view shared_name = {},
                                        Reduction reduction = Reduction::Mean,
                                        OpName name = "sparse_conditional_accumulator")
      : node_(definition<ops::SparseConditionalAccumulator>(), dtype_of<T>, shape, shared_name,
              reduction, name) {}

  const Output& handle() const noexcept { return node_.handle(); }
  /// Adds values[k] to row indices[k]; indices rise. int32 indices are made int64.
  Op<void> apply_indexed_slices_grad(const IndexedSlices& gradient,
                                     const ValueArg<std::int64_t>& local_step = std::int64_t{0},
                                     OpName name = {}) const {
    return Op<void>(node_.apply_rows(gradient.indices, gradient.values, gradient.dense_shape,
                                     local_step, name));
  }
  Op<void> apply_grad(const Op<std::int64_t>& indices, const Op<T>& values,
                      const ValueArg<std::int64_t>& local_step = std::int64_t{0},
                      OpName name = {}) const {
    return Op<void>(node_.apply_rows(indices, values, Output(), local_step, name));
  }
  /// The rows that are there, once num_required gradients are: indices, values and the shape of the whole.
  std::tuple<Op<std::int64_t>, Op<T>, Op<std::int64_t>> take_grad(
      const ValueArg<std::int32_t>& num_required, OpName name = {}) const {
    const IndexedSlices out = take_indexed_slices_grad(num_required, name);
    return {Op<std::int64_t>(out.indices), Op<T>(out.values), Op<std::int64_t>(out.dense_shape)};
  }
  IndexedSlices take_indexed_slices_grad(const ValueArg<std::int32_t>& num_required,
                                         OpName name = {}) const {
    const Output first = node_.take(num_required, name);
    return {Output(first.core(), first.node_id(), 1), first,
            Output(first.core(), first.node_id(), 2)};
  }
  Op<std::int32_t> num_accumulated(OpName name = {}) const {
    return Op<std::int32_t>(node_.num_accumulated(name));
  }
  Op<void> set_global_step(const ValueArg<std::int64_t>& step, OpName name = {}) const {
    return Op<void>(node_.set_global_step(step, name));
  }

 private:
  detail::AccumulatorNode node_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/accumulators.ipp>
#endif
