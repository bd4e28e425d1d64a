#pragma once
#include <dgraph/ops/gather.hpp>

#include <initializer_list>
#include <optional>
#include <vector>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/segment.hpp>
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
  return wide.shape().has_rank() && wide.shape().rank() == 1
             ? wide
             : g.add<ops::Reshape>(wide, shapes::integers(g, {-1}));
}

// The gradient of rows taken along axis 0: as many rows as indices, never the dense matrix.
DGRAPH_DECL IndexedSlices gather_slices(const GradientContext& g, const Output& params,
                                        const Output& indices) {
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
      shape.add(g.add<ops::Slice>(shapes::of(g, params), shapes::integers(g, {1}),
                                  shapes::integers(g, {-1})));
    values = g.add<ops::Reshape>(dy, shape.finish());
  }
  return {values, flat_indices(g, indices), shapes::of(g, params)};
}

// A number of the gradient's graph: known now, or a node, a vector of one element.
struct GatherNumber {
  std::optional<std::int64_t> known;
  Output value;
};

// Arithmetic with such numbers, of dtype int32 or int64.
struct GatherNumbers {
  const GradientContext& g;
  const DType dtype;

  static GatherNumber of(std::int64_t known) { return {known, {}}; }
  Output node(const GatherNumber& n) const {
    return n.known ? shapes::integers(g, {*n.known}, dtype) : n.value;
  }
  GatherNumber times(const GatherNumber& a, const GatherNumber& b) const {
    std::int64_t product = 0;
    if (a.known && b.known && !__builtin_mul_overflow(*a.known, *b.known, &product))
      return of(product);
    if (a.known == 1) return b;
    if (b.known == 1) return a;
    return {std::nullopt, g.add<ops::Mul>(node(a), node(b))};
  }
  Output join(std::initializer_list<GatherNumber> numbers) const {
    Dims known;
    std::vector<Output> nodes;
    for (const GatherNumber& n : numbers)
      if (n.known) known.push_back(*n.known);
    if (known.size() == numbers.size()) return shapes::integers(g, known, dtype);
    for (const GatherNumber& n : numbers) nodes.push_back(node(n));
    return nodes.size() == 1 ? nodes[0] : g.add<ops::ConcatV2>(nodes, shapes::integer(g, 0));
  }
  // How many elements dimensions [begin, end) of x have; no end: to the last.
  GatherNumber elements(const Output& x, const GatherNumber& begin, const GatherNumber* end) const {
    if (begin.known && (!end || end->known)) {
      if (end && *begin.known == *end->known) return of(1);
      if (const PartialShape& shape = x.shape(); shape.has_rank()) {
        std::int64_t count = 1;
        const std::size_t stop = end ? static_cast<std::size_t>(*end->known) : shape.rank();
        for (std::size_t i = static_cast<std::size_t>(*begin.known); i < stop && count >= 0; ++i)
          if (shape[i] < 0 || __builtin_mul_overflow(count, shape[i], &count)) count = -1;
        if (count >= 0) return of(count);
      }
    }
    const Output sizes = shapes::of(g, x, dtype), first = node(begin);
    const Output part =
        g.add<ops::StridedSlice>(sizes, first, end ? node(*end) : first,
                                 shapes::integers(g, {1}, dtype), "end_mask", end ? 0 : 1);
    return {std::nullopt, g.add<ops::Prod>(part, shapes::integers(g, {0}), "keep_dims", true)};
  }
  // A place counted from the end of x's dimensions where it is negative.
  GatherNumber place(const Output& x, const GatherNumber& at) const {
    const PartialShape& shape = x.shape();
    if (at.known && *at.known >= 0) return at;
    if (at.known && shape.has_rank())
      return of(*at.known + static_cast<std::int64_t>(shape.rank()));
    const Output rank = g.add<ops::Cast>(g.add<ops::Rank>(x), "DstT", dtype);
    return {std::nullopt, g.add<ops::FloorMod>(node(at), rank)};
  }
};

// The gradient of slices taken along any axis. Params are seen as [batch, outer, rows, inner] and dy as
// [batch, outer, picks, inner]: with rows and picks in front of outer, slices are summed by index.
DGRAPH_DECL Output gather_axis_gradient(const GradientContext& g, const GatherNumber& axis_given,
                                        std::int64_t batch_dims) {
  const Output params = g.x(0), indices = g.x(1);
  const GatherNumbers n{g, indices.dtype() == DType::Int64 ? DType::Int64 : DType::Int32};
  const GatherNumber start = n.of(0), one = n.of(1);
  const GatherNumber axis = n.place(params, axis_given), lead = n.place(indices, n.of(batch_dims));
  const GatherNumber behind =
      axis.known ? n.of(*axis.known + 1)
                 : GatherNumber{std::nullopt, g.add<ops::AddV2>(axis.value, n.node(one))};
  const GatherNumber batch = n.elements(params, start, &lead),
                     outer = n.elements(params, lead, &axis),
                     rows = n.elements(params, axis, &behind),
                     inner = n.elements(params, behind, nullptr),
                     picks = n.elements(indices, lead, nullptr);
  const bool moves = outer.known != 1;
  const Output order = moves ? shapes::integers(g, {0, 2, 1, 3}) : Output();
  Output values = g.dy();
  if (moves) {
    values = g.add<ops::Reshape>(values, n.join({batch, outer, picks, inner}));
    values = g.add<ops::Transpose>(values, order);
  }
  values = g.add<ops::Reshape>(values, n.join({n.times(batch, picks), outer, inner}));
  Output ids = flat_indices(g, indices);
  if (batch.known != 1) {
    // Each batch has rows of its own: those of batch k begin at k * rows.
    const auto scalar = [&](const GatherNumber& x) {
      return g.add<ops::Reshape>(n.node(x), shapes::integers(g, {}));
    };
    const Output starts =
        g.add<ops::Mul>(g.add<ops::Range>(scalar(start), scalar(batch), scalar(one)), n.node(rows));
    ids = g.add<ops::AddV2>(g.add<ops::Reshape>(ids, n.join({batch, picks})),
                            g.add<ops::Reshape>(starts, shapes::integers(g, {-1, 1})));
    ids = g.add<ops::Reshape>(ids, n.join({n.times(batch, picks)}));
  }
  const Output count = g.add<ops::Reshape>(n.node(n.times(batch, rows)), shapes::integers(g, {}));
  Output dense = g.add<ops::UnsortedSegmentSum>(values, ids, count);
  if (moves) {
    dense = g.add<ops::Reshape>(dense, n.join({batch, rows, outer, inner}));
    dense = g.add<ops::Transpose>(dense, order);
  }
  return g.add<ops::Reshape>(dense, shapes::of(g, params, n.dtype));
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
    fail(Code::InvalidArgument, "batch_dims ", batch, " is out of range for indices of shape ",
         indices);
  if (batch < 0) batch += indices_rank;
  if (batch >= static_cast<std::int64_t>(params.rank()))
    fail(Code::InvalidArgument, "batch_dims ", batch,
         " must be below the rank of params, whose shape is ", params);
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
  for (std::size_t i = 0; i < *axis; ++i)
    out.push_back(i < lead && params[i] < 0 ? indices[i] : params[i]);
  for (std::size_t i = lead; i < indices.rank(); ++i) out.push_back(indices[i]);
  for (std::size_t i = *axis + 1; i < params.rank(); ++i) out.push_back(params[i]);
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void GatherV2::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output axis_input = g.x(2);
  const std::int64_t batch = g.attr<std::int64_t>("batch_dims");
  const auto known = constant_integers(*axis_input.core(), axis_input.endpoint());
  detail::GatherNumber axis;
  if (known && known->size() == 1 && (*known)[0] != kUnknownValue) {
    axis.known = (*known)[0];
    const bool rows = axis.known == 0 || (g.x(0).shape().has_rank() &&
                                          shapes::axis(*axis.known, g.x(0).shape().rank()) == 0);
    if (rows && batch == 0) return g.set(0, detail::gather_slices(g, g.x(0), g.x(1)));
  } else {
    const DType index = g.x(1).dtype() == DType::Int64 ? DType::Int64 : DType::Int32;
    const Output wide =
        axis_input.dtype() == index ? axis_input : g.add<Cast>(axis_input, "DstT", index);
    axis.value = g.add<Reshape>(wide, shapes::integers(g, {1}));
  }
  g.set(0, detail::gather_axis_gradient(g, axis, batch));
}

DGRAPH_DECL void OneHot::shape(ShapeContext& c) {
  for (std::size_t i = 1; i < 4; ++i) c.with_rank(i, 0);
  const auto depth = c.integers(1);
  const std::int64_t length =
      depth && (*depth)[0] != kUnknownValue ? (*depth)[0] : PartialShape::kUnknown;
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
