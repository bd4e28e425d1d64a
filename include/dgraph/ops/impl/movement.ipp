#pragma once
#include <dgraph/ops/movement.hpp>

#include <algorithm>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/padding.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// What a StridedSlice is asked for; elements of the vectors may be kUnknownValue.
struct StridedRequest {
  Dims begin, end, strides;
  std::int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
};

// The length that begin:end:stride takes of a dimension; -1 where it is not known.
DGRAPH_DECL std::int64_t strided_length(std::int64_t dim, std::int64_t begin, std::int64_t end, std::int64_t stride,
                                        bool begin_open, bool end_open, bool shrink) {
  if (stride == 0) fail(Code::InvalidArgument, "a stride must not be 0");
  if (shrink) {
    if (stride != kUnknownValue && stride < 0)
      fail(Code::InvalidArgument, "a single index takes stride 1, not ", stride);
    if (dim >= 0 && begin != kUnknownValue && (begin < -dim || begin >= dim))
      fail(Code::InvalidArgument, "index ", begin, " is out of range for a dimension of ", dim);
    return 1;
  }
  if (dim < 0 || stride == kUnknownValue || (!begin_open && begin == kUnknownValue) ||
      (!end_open && end == kUnknownValue))
    return PartialShape::kUnknown;
  const std::int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
  const auto place = [&](std::int64_t at) { return std::min(std::max(at < 0 ? at + dim : at, low), high); };
  const std::int64_t from = begin_open ? (stride > 0 ? low : high) : place(begin);
  const std::int64_t to = end_open ? (stride > 0 ? high : low) : place(end);
  const std::int64_t span = to - from;
  if (span == 0 || (span < 0) != (stride < 0)) return 0;
  return span / stride + (span % stride != 0);
}

DGRAPH_DECL PartialShape strided_shape(const PartialShape& in, const StridedRequest& r) {
  const auto bit = [](std::int64_t mask, std::size_t i) { return i < 63 && (mask >> i & 1); };
  const std::size_t entries = r.strides.size();
  std::size_t ellipses = 0, named = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    if (bit(r.ellipsis_mask, i))
      ++ellipses;
    else if (!bit(r.new_axis_mask, i))
      ++named;
  }
  if (ellipses > 1) fail(Code::InvalidArgument, "only one ellipsis is allowed in a slice");
  if (!in.has_rank()) return {};
  if (named > in.rank())
    fail(Code::InvalidArgument, "a slice of ", named, " dimensions of a tensor of shape ", in);
  Dims out;
  std::size_t at = 0;
  const auto rest = [&](std::size_t count) {
    for (; count; --count) out.push_back(in[at++]);
  };
  for (std::size_t i = 0; i < entries; ++i) {
    if (bit(r.ellipsis_mask, i)) {
      rest(in.rank() - named);
    } else if (bit(r.new_axis_mask, i)) {
      out.push_back(1);
    } else {
      const bool shrink = bit(r.shrink_axis_mask, i);
      const std::int64_t length = strided_length(in[at++], r.begin[i], r.end[i], r.strides[i], bit(r.begin_mask, i),
                                                 bit(r.end_mask, i), shrink);
      if (!shrink) out.push_back(length);
    }
  }
  rest(in.rank() - at);
  return PartialShape(std::move(out));
}

DGRAPH_DECL PartialShape with_dim(const PartialShape& shape, std::size_t axis, std::int64_t value) {
  Dims dims = shape.dims();
  dims[axis] = value;
  return PartialShape(std::move(dims));
}

// The gradient of a concatenation: the part of dy that input i gave.
DGRAPH_DECL Output concat_part(const GradientContext& g, const Output& dy, std::size_t axis, std::int64_t offset,
                               const Output& x) {
  Dims begin(x.shape().rank(), 0);
  begin[axis] = offset;
  return g.add<ops::Slice>(dy, shapes::integers(g, begin), shapes::of(g, x));
}

DGRAPH_DECL Output inverse_permutation(const GradientContext& g, const Output& perm) {
  const auto known = constant_integers(*perm.core(), perm.endpoint());
  if (!known || std::count(known->begin(), known->end(), kUnknownValue)) return g.add<ops::InvertPermutation>(perm);
  Dims inverse(known->size(), 0);
  const auto rank = static_cast<std::int64_t>(known->size());
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t to = (*known)[static_cast<std::size_t>(i)];
    inverse[static_cast<std::size_t>(to < 0 ? to + rank : to)] = i;
  }
  return shapes::integers(g, inverse);
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Transpose::shape(ShapeContext& c) {
  c.with_rank(1, 1);
  const PartialShape& in = c.input(0);
  const auto perm = c.integers(1);
  if (!perm) {
    if (in.has_rank()) c.set_output(0, PartialShape::of_rank(in.rank()));
    return;
  }
  const std::size_t rank = perm->size();
  if (in.has_rank() && in.rank() != rank)
    fail(Code::InvalidArgument, "a permutation of ", rank, " dimensions for a tensor of shape ", in);
  PartialShape from = in.has_rank() ? in : PartialShape::of_rank(rank);
  Dims out(rank, PartialShape::kUnknown);
  std::vector<bool> taken(rank, false);
  for (std::size_t i = 0; i < rank; ++i) {
    if ((*perm)[i] == kUnknownValue) continue;
    const std::size_t axis = shapes::axis((*perm)[i], rank);
    if (taken[axis]) fail(Code::InvalidArgument, "dimension ", axis, " is twice in the permutation");
    taken[axis] = true;
    out[i] = from[axis];
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Transpose::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<Transpose>(g.dy(), detail::inverse_permutation(g, g.x(1))));
}

DGRAPH_DECL void ConcatV2::shape(ShapeContext& c) {
  const std::size_t n = c.num_inputs() - 1;
  PartialShape all;  // what is known of every value, but for the axis
  for (std::size_t i = 0; i < n && !all.has_rank(); ++i)
    if (c.input(i).has_rank()) all = PartialShape::of_rank(c.input(i).rank());
  if (!all.has_rank()) return;
  if (all.rank() == 0) fail(Code::InvalidArgument, "scalars have no dimension to be joined along: see Pack");
  const auto axis = shapes::constant_axis(c, n, all.rank());
  std::int64_t length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const PartialShape& in = c.input(i);
    PartialShape other = in.has_rank() ? in : PartialShape::of_rank(all.rank());
    if (other.rank() != all.rank() || (axis && !detail::with_dim(other, *axis, -1).compatible_with(all)))
      fail(Code::InvalidArgument, "value ", i, " of shape ", in, " cannot be joined with values of shape ",
           axis ? all : PartialShape::of_rank(all.rank()), axis ? errors::text(" along axis ", *axis) : std::string());
    if (!axis) continue;
    length = length < 0 || other[*axis] < 0 ? -1 : length + other[*axis];
    all = all.merged_with(detail::with_dim(other, *axis, -1));
  }
  c.set_output(0, axis ? detail::with_dim(all, *axis, length) : all);
}
DGRAPH_DECL void ConcatV2::gradient(GradientContext& g) {
  const std::size_t n = g.num_inputs() - 1;
  const Output dy = g.dy(), axis_input = g.x(n);
  const auto axis_value = constant_integers(*axis_input.core(), axis_input.endpoint());
  const PartialShape& shape = g.y().shape();
  bool known = shape.has_rank() && axis_value && axis_value->size() == 1 && (*axis_value)[0] != kUnknownValue;
  const std::size_t axis = known ? shapes::axis((*axis_value)[0], shape.rank()) : 0;
  for (std::size_t i = 0; i < n && known; ++i)
    known = g.x(i).shape().has_rank() && g.x(i).shape()[axis] >= 0;
  if (known) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (g.needs(i)) g.set(i, detail::concat_part(g, dy, axis, offset, g.x(i)));
      offset += g.x(i).shape()[axis];
    }
    return;
  }
  std::vector<Output> sizes;
  for (std::size_t i = 0; i < n; ++i) sizes.push_back(shapes::of(g, g.x(i)));
  const Output narrow =
      axis_input.dtype() == DType::Int32 ? axis_input : g.add<Cast>(axis_input, "DstT", DType::Int32);
  const Output offsets = g.add<ConcatOffset>(narrow, sizes);
  for (std::size_t i = 0; i < n; ++i)
    if (g.needs(i)) g.set(i, g.add<Slice>(dy, shapes::output(offsets, i), sizes[i]));
}

DGRAPH_DECL void ConcatOffset::shape(ShapeContext& c) {
  c.with_rank(0, 0);
  for (std::size_t i = 1; i < c.num_inputs(); ++i) c.set_output(i - 1, c.with_rank(i, 1));
}

DGRAPH_DECL void Pack::shape(ShapeContext& c) {
  PartialShape all = c.input(0);
  for (std::size_t i = 1; i < c.num_inputs(); ++i) {
    if (!all.compatible_with(c.input(i)))
      fail(Code::InvalidArgument, "value ", i, " has shape ", c.input(i), ", the others have ", all);
    all = all.merged_with(c.input(i));
  }
  if (!all.has_rank()) return;
  const std::size_t axis = shapes::axis(c.attr<std::int64_t>("axis"), all.rank() + 1);
  Dims out;
  for (std::size_t i = 0; i <= all.rank(); ++i) {
    if (i == axis) out.push_back(static_cast<std::int64_t>(c.num_inputs()));
    if (i < all.rank()) out.push_back(all[i]);
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Pack::gradient(GradientContext& g) {
  const Output parts =
      g.add<Unpack>(g.dy(), "num", g.num_inputs(), "axis", g.attr<std::int64_t>("axis"));
  for (std::size_t i = 0; i < g.num_inputs(); ++i)
    if (g.needs(i)) g.set(i, shapes::output(parts, i));
}

DGRAPH_DECL void Unpack::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank_at_least(0, 1);
  if (!in.has_rank()) return;
  const std::size_t axis = shapes::axis(c.attr<std::int64_t>("axis"), in.rank());
  const std::int64_t num = c.attr<std::int64_t>("num");
  if (in[axis] >= 0 && in[axis] != num)
    fail(Code::InvalidArgument, "dimension ", axis, " of shape ", in, " has not the ", num, " parts asked for");
  Dims part;
  for (std::size_t i = 0; i < in.rank(); ++i)
    if (i != axis) part.push_back(in[i]);
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape(part));
}
DGRAPH_DECL void Unpack::gradient(GradientContext& g) {
  std::vector<Output> parts;
  for (std::size_t i = 0; i < g.num_outputs(); ++i) parts.push_back(g.dy(i));
  g.set(0, g.add<Pack>(parts, "axis", g.attr<std::int64_t>("axis")));
}

DGRAPH_DECL void Split::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank_at_least(1, 1);
  if (!in.has_rank()) return;
  const auto axis = shapes::constant_axis(c, 0, in.rank());
  const auto parts = static_cast<std::int64_t>(c.num_outputs());
  if (axis && in[*axis] >= 0 && in[*axis] % parts)
    fail(Code::InvalidArgument, "dimension ", *axis, " of shape ", in, " cannot be split into ", parts, " equal parts");
  const PartialShape part =
      axis ? detail::with_dim(in, *axis, in[*axis] < 0 ? -1 : in[*axis] / parts) : PartialShape::of_rank(in.rank());
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, part);
}
DGRAPH_DECL void Split::gradient(GradientContext& g) {
  if (!g.needs(1)) return;
  std::vector<Output> parts;
  for (std::size_t i = 0; i < g.num_outputs(); ++i) parts.push_back(g.dy(i));
  g.set(1, parts.size() == 1 ? parts[0] : g.add<ConcatV2>(parts, g.x(0)));
}

DGRAPH_DECL void SplitV::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank_at_least(0, 1);
  if (!in.has_rank()) return;
  const auto parts = static_cast<std::int64_t>(c.num_outputs());
  if (!c.with_rank(1, 1).compatible_with(PartialShape{parts}))
    fail(Code::InvalidArgument, "there are ", parts, " parts, but sizes of shape ", c.input(1));
  const auto axis = shapes::constant_axis(c, 2, in.rank());
  const auto sizes = c.integers(1);
  if (!axis) {
    for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape::of_rank(in.rank()));
    return;
  }
  std::int64_t known = 0, open = -1;
  std::size_t unknown = 0, inferred = 0;
  for (std::size_t i = 0; sizes && i < sizes->size(); ++i) {
    const std::int64_t size = (*sizes)[i];
    if (size == -1) {
      ++inferred;
      open = static_cast<std::int64_t>(i);
    } else if (size == kUnknownValue) {
      ++unknown;
    } else if (size < 0) {
      fail(Code::InvalidArgument, "size ", i, " is negative: ", size);
    } else if (__builtin_add_overflow(known, size, &known)) {
      fail(Code::InvalidArgument, "the sizes add up to 2^63 or more");
    }
  }
  if (inferred > 1) fail(Code::InvalidArgument, "only one of the sizes can be -1");
  if (sizes && in[*axis] >= 0 && (known > in[*axis] || (!inferred && !unknown && known != in[*axis])))
    fail(Code::InvalidArgument, "the sizes add up to ", known, ", but dimension ", *axis, " of ", in, " is ", in[*axis]);
  for (std::size_t i = 0; i < c.num_outputs(); ++i) {
    std::int64_t size = sizes && (*sizes)[i] != kUnknownValue ? (*sizes)[i] : PartialShape::kUnknown;
    if (static_cast<std::int64_t>(i) == open && !unknown && in[*axis] >= 0) size = in[*axis] - known;
    c.set_output(i, detail::with_dim(in, *axis, size));
  }
}
DGRAPH_DECL void SplitV::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  std::vector<Output> parts;
  for (std::size_t i = 0; i < g.num_outputs(); ++i) parts.push_back(g.dy(i));
  g.set(0, parts.size() == 1 ? parts[0] : g.add<ConcatV2>(parts, g.x(2)));
}

DGRAPH_DECL void Slice::shape(ShapeContext& c) {
  const PartialShape begins = c.with_rank(1, 1).merged_with(c.with_rank(2, 1));
  const PartialShape& in = c.input(0);
  if (in.has_rank() && !begins.compatible_with(PartialShape{static_cast<std::int64_t>(in.rank())}))
    fail(Code::InvalidArgument, "begin and size have shape ", begins, ", but the input has shape ", in);
  const auto begin = c.integers(1), size = c.integers(2);
  if (!size) {
    if (in.has_rank()) c.set_output(0, PartialShape::of_rank(in.rank()));
    return;
  }
  Dims out(size->size(), PartialShape::kUnknown);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t from = begin ? (*begin)[i] : kUnknownValue, length = (*size)[i];
    const std::int64_t dim = in.has_rank() ? in[i] : PartialShape::kUnknown;
    if (from != kUnknownValue && from < 0) fail(Code::InvalidArgument, "begin ", from, " of dimension ", i, " is negative");
    if (length != kUnknownValue && length < -1)
      fail(Code::InvalidArgument, "size ", length, " of dimension ", i, " is negative");
    if (dim >= 0 && from != kUnknownValue && (from > dim || (length > 0 && length > dim - from)))
      fail(Code::InvalidArgument, "a slice of ", length, " from ", from, " on is out of range for dimension ", i, " of ",
           in);
    if (length >= 0)
      out[i] = length;
    else if (length == -1 && dim >= 0 && from != kUnknownValue)
      out[i] = dim - from;
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Slice::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0), begin_input = g.x(1);
  const PartialShape &in = x.shape(), &out = g.y().shape();
  const auto begin = constant_integers(*x.core(), begin_input.endpoint());
  if (begin && in.fully_known() && out.fully_known() && !std::count(begin->begin(), begin->end(), kUnknownValue)) {
    const auto rank = static_cast<std::int64_t>(in.rank());
    Tensor paddings(DType::Int64, dgraph::Shape{rank, 2});
    auto* to = paddings.mutable_data<std::int64_t>();
    for (std::size_t i = 0; i < in.rank(); ++i) {
      *to++ = (*begin)[i];
      *to++ = in[i] - out[i] - (*begin)[i];
    }
    return g.set(0, g.add<Pad>(g.dy(), shapes::constant(g, std::move(paddings))));
  }
  const DType index = begin_input.dtype();
  const Output after =
      g.add<Sub>(g.add<Sub>(shapes::of(g, x, index), shapes::of(g, g.y(), index)), begin_input);
  const std::vector<Output> columns{begin_input, after};
  g.set(0, g.add<Pad>(g.dy(), g.add<Pack>(columns, "axis", 1)));
}

DGRAPH_DECL void StridedSlice::shape(ShapeContext& c) {
  const PartialShape entries = c.with_rank(1, 1).merged_with(c.with_rank(2, 1)).merged_with(c.with_rank(3, 1));
  if (entries[0] < 0) return;
  if (entries[0] >= 32) fail(Code::InvalidArgument, "a slice has at most 31 entries, not ", entries[0]);
  const auto part = [&](std::size_t i) {
    if (auto values = c.integers(i)) return std::move(*values);
    return Dims(static_cast<std::size_t>(entries[0]), kUnknownValue);
  };
  const detail::StridedRequest request{part(1),
                                       part(2),
                                       part(3),
                                       c.attr<std::int64_t>("begin_mask"),
                                       c.attr<std::int64_t>("end_mask"),
                                       c.attr<std::int64_t>("ellipsis_mask"),
                                       c.attr<std::int64_t>("new_axis_mask"),
                                       c.attr<std::int64_t>("shrink_axis_mask")};
  c.set_output(0, detail::strided_shape(c.input(0), request));
}
DGRAPH_DECL void StridedSlice::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const DType index = g.x(1).dtype() == DType::Int64 ? DType::Int64 : DType::Int32;
  const auto part = [&](std::size_t i) {
    return g.x(i).dtype() == index ? g.x(i) : g.add<Cast>(g.x(i), "DstT", index);
  };
  g.set(0, g.add<StridedSliceGrad>(
               shapes::of(g, g.x(0), index), part(1), part(2), part(3), g.dy(), "begin_mask",
               g.attr<std::int64_t>("begin_mask"), "end_mask", g.attr<std::int64_t>("end_mask"), "ellipsis_mask",
               g.attr<std::int64_t>("ellipsis_mask"), "new_axis_mask", g.attr<std::int64_t>("new_axis_mask"),
               "shrink_axis_mask", g.attr<std::int64_t>("shrink_axis_mask")));
}
DGRAPH_DECL void StridedSliceGrad::gradient(GradientContext& g) {
  if (!g.needs(4)) return;
  g.set(4, g.add<StridedSlice>(
               g.dy(), g.x(1), g.x(2), g.x(3), "begin_mask", g.attr<std::int64_t>("begin_mask"), "end_mask",
               g.attr<std::int64_t>("end_mask"), "ellipsis_mask", g.attr<std::int64_t>("ellipsis_mask"),
               "new_axis_mask", g.attr<std::int64_t>("new_axis_mask"), "shrink_axis_mask",
               g.attr<std::int64_t>("shrink_axis_mask")));
}

DGRAPH_DECL void Tile::shape(ShapeContext& c) {
  const PartialShape times = c.with_rank(1, 1);
  const PartialShape& in = c.input(0);
  if (in.has_rank() && !times.compatible_with(PartialShape{static_cast<std::int64_t>(in.rank())}))
    fail(Code::InvalidArgument, "the multiples have shape ", times, ", but the input has shape ", in);
  const auto multiples = c.integers(1);
  if (!multiples) {
    if (in.has_rank()) c.set_output(0, PartialShape::of_rank(in.rank()));
    return;
  }
  Dims out(multiples->size(), PartialShape::kUnknown);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t m = (*multiples)[i];
    if (m == kUnknownValue) continue;
    if (m < 0) fail(Code::InvalidArgument, "multiple ", m, " of dimension ", i, " is negative");
    if (in.has_rank() && in[i] >= 0 && __builtin_mul_overflow(in[i], m, &out[i]))
      fail(Code::InvalidArgument, "dimension ", i, " would have 2^63 elements or more");
  }
  c.set_output(0, PartialShape(std::move(out)));
}
DGRAPH_DECL void Tile::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0), times = g.x(1);
  const PartialShape& in = x.shape();
  const auto known = constant_integers(*x.core(), times.endpoint());
  if (known && in.fully_known() && !std::count(known->begin(), known->end(), kUnknownValue)) {
    Dims split, axes;
    for (std::size_t i = 0; i < in.rank(); ++i) {
      axes.push_back(static_cast<std::int64_t>(2 * i));
      split.push_back((*known)[i]);
      split.push_back(in[i]);
    }
    const Output parts = g.add<Reshape>(g.dy(), shapes::integers(g, split));
    return g.set(0, g.add<Sum>(parts, shapes::integers(g, axes)));
  }
  const DType index = times.dtype();
  const std::vector<Output> rows{times, shapes::of(g, x, index)};
  const Output split =
      g.add<Reshape>(g.add<Pack>(rows, "axis", 1), shapes::integers(g, {-1}));
  const Output axes = g.add<Range>(shapes::integer(g, 0), g.add<Size>(split), shapes::integer(g, 2));
  g.set(0, shapes::reshape_like(g, g.add<Sum>(g.add<Reshape>(g.dy(), split), axes), x));
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output reversed_axes(const Output& x, SourceLocation at) {
  if (x.shape().has_rank()) {
    Dims axes;
    for (std::size_t i = x.shape().rank(); i-- > 0;) axes.push_back(static_cast<std::int64_t>(i));
    return add_constant(index_tensor(axes), OpName(at), x.core());
  }
  const OpName name(at);
  const auto number = [&](std::int32_t value) { return add_constant(Tensor::scalar(value), name, x.core()); };
  const Output minus_one = number(-1), rank = add_op<ops::Rank>(name, x);
  return add_op<ops::Range>(name, add_op<ops::Sub>(name, rank, number(1)), minus_one, minus_one);
}

DGRAPH_DECL Output add_concat(const std::vector<Output>& values, std::int64_t axis, const OpName& name) {
  if (values.empty()) fail(Code::InvalidArgument, "concat of no values");
  if (values.size() == 1) return add_op<ops::Identity>(name, values[0]);
  return add_op<ops::ConcatV2>(name, values, axis_constant(values[0], axis, name.location));
}

}  // namespace detail
}  // namespace dgraph
