#pragma once
#include <dgraph/ops/embedding.hpp>

#include <cstdint>
#include <utility>

#include <dgraph/graph/scope.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/norms.hpp>
#include <dgraph/ops/partition.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output rows_of_shard(const Output& shard, const Output& ids, const OpName& name) {
  const auto there = colocate_with(shard);
  return add_op<ops::GatherV2>(name, shard, ids, axis_constant(shard, 0, name.location));
}

// Rows as long as max_norm at most. The first dimensions, as many as ids have, count rows.
DGRAPH_DECL Output with_max_norm(const Output& rows, const Output& ids, double max_norm,
                                 const OpName& name) {
  if (!rows.shape().has_rank() || !ids.shape().has_rank())
    fail(Code::InvalidArgument, "max_norm needs known ranks, not shapes ", rows.shape(), " and ",
         ids.shape());
  Dims axes;
  for (std::size_t i = ids.shape().rank(); i < rows.shape().rank(); ++i)
    axes.push_back(static_cast<std::int64_t>(i));
  const Output most =
      add_constant(scalar_tensor(rows.dtype(), max_norm), OpName(name.location), rows.core());
  return clip_by_norm(rows, most, Axes(std::move(axes)), name);
}

// How many rows all shards have, in the dtype of ids.
DGRAPH_DECL Output total_rows(const std::vector<Output>& shards, DType dtype, const OpName& at) {
  GraphCore* const core = shards[0].core();
  std::int64_t known = 0;
  bool all_known = true;
  std::vector<Output> sizes;
  for (const Output& shard : shards) {
    const bool has = shard.shape().has_rank() && shard.shape().rank() > 0 && shard.shape()[0] >= 0;
    all_known = all_known && has;
    if (has) known += shard.shape()[0];
  }
  if (all_known) return add_constant(scalar_tensor(dtype, static_cast<double>(known)), at, core);
  for (const Output& shard : shards) {
    const auto there = colocate_with(shard);
    sizes.push_back(add_op<ops::GatherV2>(at, add_op<ops::Shape>(at, shard, "out_type", dtype),
                                          axis_constant(shard, 0, at.location),
                                          axis_constant(shard, 0, at.location)));
  }
  return add_op<ops::AddN>(at, sizes);
}

// Which shard has each of `ids`, and as which row.
struct ShardPlaces {
  Output shard, row;
};
DGRAPH_DECL ShardPlaces shard_places(const std::vector<Output>& shards, const Output& ids, bool mod,
                                     const OpName& at) {
  const auto number = [&](std::int64_t n) {
    return add_constant(scalar_tensor(ids.dtype(), static_cast<double>(n)), at, ids.core());
  };
  const Output count = number(static_cast<std::int64_t>(shards.size()));
  if (mod) return {add_op<ops::FloorMod>(at, ids, count), add_op<ops::FloorDiv>(at, ids, count)};
  // The first `more` shards have `each` + 1 rows, the others `each`.
  const Output total = total_rows(shards, ids.dtype(), at);
  const Output least = add_op<ops::FloorDiv>(at, total, count),
               more = add_op<ops::FloorMod>(at, total, count);
  const Output each = add_op<ops::Maximum>(at, least, number(1)),
               longer = add_op<ops::AddV2>(at, least, number(1));
  const Output past = add_op<ops::Sub>(at, ids, more);
  const Output shard = add_op<ops::Maximum>(at, add_op<ops::FloorDiv>(at, ids, longer),
                                            add_op<ops::FloorDiv>(at, past, each));
  const Output first = add_op<ops::Less>(at, shard, more);
  return {shard, add_op<ops::SelectV2>(at, first, add_op<ops::FloorMod>(at, ids, longer),
                                       add_op<ops::FloorMod>(at, past, each))};
}

DGRAPH_DECL Output embedding_lookup(const std::vector<Output>& shards, const Output& ids,
                                    const EmbeddingOptions& options, const OpName& name) {
  if (shards.empty()) fail(Code::InvalidArgument, "embedding_lookup needs a table");
  const bool mod = options.partition_strategy == "mod";
  if (!mod && options.partition_strategy != "div")
    fail(Code::InvalidArgument, "partition_strategy must be mod or div, not ",
         options.partition_strategy);
  if (!(options.max_norm >= 0))
    fail(Code::InvalidArgument, "max_norm must not be negative: ", options.max_norm);
  const OpName at(name.location);
  const bool clips = options.max_norm > 0;
  if (shards.size() == 1) {
    const Output rows = rows_of_shard(shards[0], ids, clips ? at : name);
    return clips ? with_max_norm(rows, ids, options.max_norm, name) : rows;
  }
  GraphCore* const core = ids.core();
  const auto vector = [&](Dims values) { return add_constant(index_tensor(values), at, core); };
  const auto scalar = [&](std::int32_t value) {
    return add_constant(Tensor::scalar(value), at, core);
  };
  const Output flat = add_op<ops::Reshape>(at, ids, vector({-1}));
  const auto count = static_cast<std::int64_t>(shards.size());
  const ShardPlaces places = shard_places(shards, flat, mod, at);
  const Output shard = places.shard.dtype() == DType::Int32
                           ? places.shard
                           : add_op<ops::Cast>(at, places.shard, "DstT", DType::Int32);
  const Output order = add_op<ops::Range>(at, scalar(0), add_op<ops::Size>(at, flat), scalar(1));
  const Output dealt_rows =
      add_op<ops::DynamicPartition>(at, places.row, shard, "num_partitions", count);
  const Output dealt_order =
      add_op<ops::DynamicPartition>(at, order, shard, "num_partitions", count);
  std::vector<Output> orders, found;
  for (std::uint32_t i = 0; i < shards.size(); ++i) {
    orders.emplace_back(dealt_order.core(), dealt_order.node_id(), i);
    found.push_back(
        rows_of_shard(shards[i], Output(dealt_rows.core(), dealt_rows.node_id(), i), at));
  }
  const Output rows = add_op<ops::DynamicStitch>(at, orders, found);
  const Output row_shape =
      add_op<ops::Slice>(at, add_op<ops::Shape>(at, shards[0]), vector({1}), vector({-1}));
  const std::vector<Output> dims{add_op<ops::Shape>(at, ids), row_shape};
  const Output shaped =
      add_op<ops::Reshape>(clips ? at : name, rows, add_op<ops::ConcatV2>(at, dims, scalar(0)));
  return clips ? with_max_norm(shaped, ids, options.max_norm, name) : shaped;
}

}  // namespace dgraph::detail
