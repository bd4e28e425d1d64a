#pragma once
#include <dgraph/ops/gather.hpp>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL Dims dims_between(const PartialShape& shape, std::size_t begin, std::size_t end) {
  Dims out;
  for (std::size_t i = begin; i < end; ++i) out.push_back(shape[i]);
  return out;
}

DGRAPH_DECL bool all_dims_known(const Dims& dims) {
  for (std::int64_t d : dims)
    if (d < 0) return false;
  return true;
}

// A shape in the making: dimensions known now are gathered into constants, others are nodes.
class ShapeBuilder {
 public:
  ShapeBuilder(const GradientContext& g, DType dtype) : g_(g), dtype_(dtype) {}

  void add(std::int64_t dim) { known_.push_back(dim); }
  /// Dimensions [begin, end) of x, whose rank is known.
  void add(const Output& x, std::size_t begin, std::size_t end) {
    const Dims part = dims_between(x.shape(), begin, end);
    if (all_dims_known(part)) {
      for (std::int64_t d : part) known_.push_back(d);
    } else {
      add(shapes::of(g_, x, begin, end, dtype_));
    }
  }
  /// A vector.
  void add(const Output& values) {
    flush();
    parts_.push_back(values);
  }
  Output finish() {
    if (!known_.empty() || parts_.empty()) flush();
    if (parts_.empty()) parts_.push_back(shapes::integers(g_, {}, dtype_));
    return parts_.size() == 1 ? parts_[0] : g_.add<ops::ConcatV2>(parts_, shapes::integer(g_, 0));
  }

 private:
  void flush() {
    if (!known_.empty()) parts_.push_back(shapes::integers(g_, known_, dtype_));
    known_.clear();
  }

  const GradientContext& g_;
  const DType dtype_;
  Dims known_;
  std::vector<Output> parts_;
};

// Indices of int32 or int64, as one vector.
DGRAPH_DECL Output flat_indices(const GradientContext& g, const Output& indices) {
  const Output wide =
      indices.dtype() == DType::Int16 ? g.add<ops::Cast>(indices, "DstT", DType::Int32) : indices;
  return wide.shape().has_rank() && wide.shape().rank() == 1 ? wide
                                                             : g.add<ops::Reshape>(wide, shapes::integers(g, {-1}));
}

// The gradient of rows taken along axis 0: as many rows as indices, never the dense matrix.
DGRAPH_DECL IndexedSlices gather_slices(const GradientContext& g, const Output& params, const Output& indices) {
  const Output dy = g.dy();
  Output values = dy;
  if (!indices.shape().has_rank() || indices.shape().rank() != 1) {
    // -1 would tell nothing where a row has no elements.
    ShapeBuilder shape(g, DType::Int32);
    if (indices.shape().fully_known())
      shape.add(indices.shape().to_shape().elements());
    else
      shape.add(g.add<ops::Reshape>(g.add<ops::Size>(indices), shapes::integers(g, {1})));
    if (params.shape().has_rank())
      shape.add(params, 1, params.shape().rank());
    else
      shape.add(g.add<ops::Slice>(shapes::of(g, params), shapes::integers(g, {1}), shapes::integers(g, {-1})));
    values = g.add<ops::Reshape>(dy, shape.finish());
  }
  return {values, flat_indices(g, indices), shapes::of(g, params)};
}

// The gradient of slices taken along a later axis: the axis is brought behind the batch dimensions, slices are summed by index,
// and the axis is brought back.
DGRAPH_DECL Output gather_axis_gradient(const GradientContext& g, std::size_t axis, std::size_t batch) {
  const Output params = g.x(0), indices = g.x(1);
  const std::size_t rank = params.shape().rank();
  const DType index = indices.dtype() == DType::Int64 ? DType::Int64 : DType::Int32;

  ShapeBuilder flat(g, index);  // dy with the dimensions of the indices as one
  flat.add(params, 0, axis);
  if (const Dims taken = dims_between(indices.shape(), batch, indices.shape().rank()); all_dims_known(taken)) {
    std::int64_t count = 1;
    for (std::int64_t d : taken) count *= d;
    flat.add(count);
  } else {
    flat.add(-1);
  }
  flat.add(params, axis + 1, rank);
  Output values = g.add<ops::Reshape>(g.dy(), flat.finish());

  Dims order, inverse(rank, 0);
  for (std::size_t i = 0; i < batch; ++i) order.push_back(static_cast<std::int64_t>(i));
  order.push_back(static_cast<std::int64_t>(axis));
  for (std::size_t i = batch; i < rank; ++i)
    if (i != axis) order.push_back(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < rank; ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  const bool moves = axis != batch;
  if (moves) values = g.add<ops::Transpose>(values, shapes::integers(g, order));

  Output ids = flat_indices(g, indices);
  Output rows = shapes::of(g, params, axis, axis + 1, index);
  const Output scalar_shape = shapes::integers(g, {});
  Output dense;
  if (batch == 0) {
    dense = g.add<ops::UnsortedSegmentSum>(values, ids, g.add<ops::Reshape>(rows, scalar_shape));
  } else {
    // Each batch has rows of its own: those of batch k begin at k * rows.
    const Output zero = shapes::integer(g, 0, index), one = shapes::integer(g, 1, index);
    const Output size = g.add<ops::Reshape>(rows, scalar_shape);
    const Output batches = g.add<ops::Prod>(shapes::of(g, params, 0, batch, index), shapes::integers(g, {0}));
    const Output start = g.add<ops::Mul>(g.add<ops::Range>(zero, batches, one), size);
    ShapeBuilder by_batch(g, index), merged(g, index), unmerged(g, index);
    by_batch.add(g.add<ops::Reshape>(batches, shapes::integers(g, {1})));
    by_batch.add(-1);
    const Output offsets = g.add<ops::Reshape>(start, shapes::integers(g, {-1, 1}));
    ids = g.add<ops::AddV2>(g.add<ops::Reshape>(ids, by_batch.finish()), offsets);
    ids = g.add<ops::Reshape>(ids, shapes::integers(g, {-1}));
    if (ids.shape().fully_known())
      merged.add(ids.shape()[0]);
    else
      merged.add(g.add<ops::Reshape>(g.add<ops::Size>(ids, "out_type", index), shapes::integers(g, {1})));
    merged.add(params, batch, axis);
    merged.add(params, axis + 1, rank);
    values = g.add<ops::Reshape>(values, merged.finish());
    dense = g.add<ops::UnsortedSegmentSum>(values, ids, g.add<ops::Mul>(batches, size));
    unmerged.add(params, 0, batch);
    unmerged.add(rows);
    unmerged.add(params, batch, axis);
    unmerged.add(params, axis + 1, rank);
    dense = g.add<ops::Reshape>(dense, unmerged.finish());
  }
  return moves ? g.add<ops::Transpose>(dense, shapes::integers(g, inverse)) : dense;
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Gather::shape(ShapeContext& c) {
  const PartialShape params = c.with_rank_at_least(0, 1);
  const PartialShape& indices = c.input(1);
  if (!params.has_rank() || !indices.has_rank()) return;
  Dims out = indices.dims();
  for (std::size_t i = 1; i < params.rank(); ++i) out.push_back(params[i]);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Gather::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::gather_slices(g, g.x(0), g.x(1)));
}

DGRAPH_DECL void GatherV2::shape(ShapeContext& c) {
  const PartialShape params = c.with_rank_at_least(0, 1);
  const PartialShape& indices = c.input(1);
  if (!params.has_rank() || !indices.has_rank()) return;
  std::int64_t batch = c.attr<std::int64_t>("batch_dims");
  const auto indices_rank = static_cast<std::int64_t>(indices.rank());
  if (batch < -indices_rank || batch > indices_rank)
    fail(Code::InvalidArgument, "batch_dims ", batch, " is out of range for indices of shape ", indices);
  if (batch < 0) batch += indices_rank;
  if (batch >= static_cast<std::int64_t>(params.rank()))
    fail(Code::InvalidArgument, "batch_dims ", batch, " must be below the rank of params, whose shape is ", params);
  const auto axis = shapes::constant_axis(c, 2, params.rank());
  const auto lead = static_cast<std::size_t>(batch);
  if (axis && *axis < lead)
    fail(Code::InvalidArgument, "axis ", *axis, " must not be below batch_dims ", batch);
  for (std::size_t i = 0; i < lead; ++i)
    if (params[i] >= 0 && indices[i] >= 0 && params[i] != indices[i])
      fail(Code::InvalidArgument, "params of shape ", params, " and indices of shape ", indices,
           " differ in batch dimension ", i);
  if (!axis) {
    c.set_output(0, PartialShape::of_rank(params.rank() - 1 + indices.rank() - lead));
    return;
  }
  Dims out;
  for (std::size_t i = 0; i < *axis; ++i) out.push_back(i < lead && params[i] < 0 ? indices[i] : params[i]);
  for (std::size_t i = lead; i < indices.rank(); ++i) out.push_back(indices[i]);
  for (std::size_t i = *axis + 1; i < params.rank(); ++i) out.push_back(params[i]);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void GatherV2::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output params = g.x(0), indices = g.x(1), axis_input = g.x(2);
  const auto axis_value = constant_integers(*axis_input.core(), axis_input.endpoint());
  const bool constant = axis_value && axis_value->size() == 1 && (*axis_value)[0] != kUnknownValue;
  const std::int64_t batch_attr = g.attr<std::int64_t>("batch_dims");
  if (constant && (*axis_value)[0] == 0 && batch_attr == 0)
    return g.set(0, detail::gather_slices(g, params, indices));
  if (!constant || !params.shape().has_rank() || !indices.shape().has_rank())
    fail(Code::InvalidArgument,
         "the gradient of GatherV2 along an axis other than 0 needs a constant axis and known ranks, not params of shape ",
         params.shape(), " and indices of shape ", indices.shape());
  const std::size_t axis = shapes::axis((*axis_value)[0], params.shape().rank());
  const auto batch =
      static_cast<std::size_t>(batch_attr < 0 ? batch_attr + static_cast<std::int64_t>(indices.shape().rank()) : batch_attr);
  if (axis == 0 && batch == 0) return g.set(0, detail::gather_slices(g, params, indices));
  g.set(0, detail::gather_axis_gradient(g, axis, batch));
}

DGRAPH_DECL void UnsortedSegmentSum::shape(ShapeContext& c) {
  const PartialShape &data = c.input(0), &ids = c.input(1);
  c.with_rank(2, 0);
  const auto segments = c.integers(2);
  std::int64_t count = segments && (*segments)[0] != kUnknownValue ? (*segments)[0] : PartialShape::kUnknown;
  if (segments && (*segments)[0] != kUnknownValue && count < 0)
    fail(Code::InvalidArgument, "the number of segments is negative: ", count);
  if (!data.has_rank() || !ids.has_rank()) return;
  if (ids.rank() > data.rank() ||
      !PartialShape(detail::dims_between(data, 0, ids.rank())).compatible_with(ids))
    fail(Code::InvalidArgument, "segment_ids of shape ", ids, " are no prefix of data of shape ", data);
  Dims out{count};
  for (std::size_t i = ids.rank(); i < data.rank(); ++i) out.push_back(data[i]);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void UnsortedSegmentSum::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output data = g.x(0), ids = g.x(1), zero = shapes::integer(g, 0, ids.dtype());
  // Data with a negative id went nowhere.
  const Output rows = g.add<GatherV2>(g.dy(), g.add<Maximum>(ids, zero), shapes::integer(g, 0));
  Output kept = g.add<GreaterEqual>(ids, zero);
  if (data.shape().has_rank() && ids.shape().has_rank()) {
    if (const std::size_t more = data.shape().rank() - ids.shape().rank()) {
      detail::ShapeBuilder shape(g, DType::Int32);
      shape.add(ids, 0, ids.shape().rank());
      for (std::size_t i = 0; i < more; ++i) shape.add(1);
      kept = g.add<BroadcastTo>(g.add<Reshape>(kept, shape.finish()), shapes::of(g, data));
    }
  } else {
    const Output more = g.add<Sub>(g.add<Rank>(data), g.add<Rank>(ids));
    const Output ones =
        g.add<Fill>(g.add<Reshape>(more, shapes::integers(g, {1})), shapes::integer(g, 1));
    const std::vector<Output> parts{shapes::of(g, ids), ones};
    const Output shape = g.add<ConcatV2>(parts, shapes::integer(g, 0));
    kept = g.add<BroadcastTo>(g.add<Reshape>(kept, shape), shapes::of(g, data));
  }
  g.set(0, g.add<Select>(kept, rows, g.zeros_like(rows)));
}

DGRAPH_DECL void OneHot::shape(ShapeContext& c) {
  for (std::size_t i = 1; i < 4; ++i) c.with_rank(i, 0);
  const auto depth = c.integers(1);
  const std::int64_t length = depth && (*depth)[0] != kUnknownValue ? (*depth)[0] : PartialShape::kUnknown;
  if (depth && (*depth)[0] != kUnknownValue && length < 0)
    fail(Code::InvalidArgument, "the depth is negative: ", length);
  const PartialShape& in = c.input(0);
  const std::int64_t asked = c.attr<std::int64_t>("axis");
  if (asked < -1) fail(Code::InvalidArgument, "axis must be -1 or more, not ", asked);
  if (!in.has_rank()) return;
  const std::size_t axis = shapes::axis(asked, in.rank() + 1);
  Dims out;
  for (std::size_t i = 0; i <= in.rank(); ++i) {
    if (i == axis) out.push_back(length);
    if (i < in.rank()) out.push_back(in[i]);
  }
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace ops
}  // namespace dgraph
