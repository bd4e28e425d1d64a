#pragma once
// A tensor's rows dealt out to several, and put together again: DynamicPartition, DynamicStitch.

#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// outputs[i] has the slices data[j] with partitions[j] = i, in their order; the shape of partitions is
/// how that of data begins. InvalidArgument for a partition outside [0, num_partitions).
struct DynamicPartition {
  static constexpr auto signature =
      "DynamicPartition(data: T, partitions: int32) -> (outputs: num_partitions * T); "
      "num_partitions: "
      "int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// merged[indices[m][i]] = data[m][i], for all m in turn: of several slices for one index the last
/// stays, and one that nothing is for is zero. There is a slice more than the greatest index.
struct DynamicStitch {
  static constexpr auto signature =
      "DynamicStitch(indices: N * int32, data: N * T) -> (merged: T); N: int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same, where which of several slices for one index stays is left open.
struct ParallelDynamicStitch {
  static constexpr auto signature =
      "ParallelDynamicStitch(indices: N * int32, data: N * T) -> (merged: T); N: int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// x's slices dealt out: part i has those for which `partitions` (int32) is i. The shape of partitions
/// is how that of x begins.
template <AnyOperand X, AnyOperand P>
std::vector<Op<element_of<X>>> dynamic_partition(X&& x, P&& partitions, std::int64_t num_partitions,
                                                 OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(x, partitions);
  const Output data = detail::as_output<T>(x, name.location, core);
  const Output to = detail::as_output<std::int32_t>(partitions, name.location, core);
  const Output first =
      add_op<ops::DynamicPartition>(name, data, to, "num_partitions", num_partitions);
  std::vector<Op<T>> out;
  for (std::uint32_t i = 0; i < first.node().num_outputs; ++i)
    out.emplace_back(Output(first.core(), first.node_id(), i));
  return out;
}

/// One tensor of all the slices: result[indices[m][i]] = data[m][i].
template <Element T>
Op<T> dynamic_stitch(const std::vector<Op<std::int32_t>>& indices, const std::vector<Op<T>>& data,
                     OpName name = {}) {
  return Op<T>(add_op<ops::DynamicStitch>(name, std::vector<Output>(indices.begin(), indices.end()),
                                          std::vector<Output>(data.begin(), data.end())));
}

using PartitionOps = OpSet<ops::DynamicPartition, ops::DynamicStitch, ops::ParallelDynamicStitch>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/partition.ipp>
#endif
