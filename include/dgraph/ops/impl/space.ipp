#pragma once
#include <dgraph/ops/space.hpp>

#include <algorithm>
#include <string>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>
#include <dgraph/ops/window.hpp>

namespace dgraph {
namespace detail {

// The shapes of SpaceToBatchND (`divide`) and BatchToSpaceND.
DGRAPH_DECL void block_shapes(ShapeContext& c, bool divide) {
  const PartialShape blocks = c.with_rank(1, 1), pairs = c.with_rank(2, 2);
  const PartialShape wanted = PartialShape{blocks[0], 2};
  if (!pairs.compatible_with(wanted))
    fail(Code::InvalidArgument, divide ? "paddings" : "crops", " must have shape ", wanted,
         ", not ", pairs);
  const std::int64_t space = pairs.merged_with(wanted)[0];
  const PartialShape& in = c.input(0);
  if (!in.has_rank()) return;
  if (space < 0) {
    c.set_output(0, PartialShape::of_rank(in.rank()));
    return;
  }
  const auto m = static_cast<std::size_t>(space);
  if (in.rank() < m + 1)
    fail(Code::InvalidArgument, "shape ", in, " has no batch and ", m, " dimensions of space");
  const auto block = c.integers(1), pair = shapes::constant_elements(c, 2);
  Dims out = in.dims();
  std::int64_t count = 1;
  for (std::size_t i = 0; i < m; ++i) {
    std::int64_t size = block ? (*block)[i] : kUnknownValue, dim = out[i + 1];
    if (size != kUnknownValue && size < 1)
      fail(Code::InvalidArgument, "block size ", i, " must be positive, not ", size);
    if (pair && ((*pair)[2 * i] < 0 || (*pair)[2 * i + 1] < 0))
      fail(Code::InvalidArgument, "pair ", i, " of ", divide ? "paddings" : "crops",
           " is negative");
    count = count < 0 || size == kUnknownValue ? -1 : count;
    if (count >= 0 && __builtin_mul_overflow(count, size, &count))
      fail(Code::InvalidArgument, "the block has 2^63 elements or more");
    out[i + 1] = PartialShape::kUnknown;
    if (dim < 0 || size == kUnknownValue || !pair) continue;
    bool over = false;
    if (divide) {
      over = __builtin_add_overflow(dim, (*pair)[2 * i], &dim) ||
             __builtin_add_overflow(dim, (*pair)[2 * i + 1], &dim);
      if (!over && dim % size)
        fail(Code::InvalidArgument, "dimension ", i + 1, " of shape ", in, ", padded to ", dim,
             ", is no multiple of the block size ", size);
      dim /= size;
    } else {
      over = __builtin_mul_overflow(dim, size, &dim);
      if (!over && ((*pair)[2 * i] > dim || (*pair)[2 * i + 1] > dim - (*pair)[2 * i]))
        fail(Code::InvalidArgument, "crops ", (*pair)[2 * i], " and ", (*pair)[2 * i + 1],
             " are more than the ", dim, " elements of dimension ", i + 1);
      dim -= over ? 0 : (*pair)[2 * i] + (*pair)[2 * i + 1];
    }
    if (over) fail(Code::InvalidArgument, "dimension ", i + 1, " would have 2^63 elements or more");
    out[i + 1] = dim;
  }
  std::int64_t& batch = out[0];
  if (count < 0) {
    batch = PartialShape::kUnknown;
  } else if (batch >= 0 && divide) {
    if (__builtin_mul_overflow(batch, count, &batch))
      fail(Code::InvalidArgument, "the batch would have 2^63 elements or more");
  } else if (batch >= 0) {
    if (batch % count)
      fail(Code::InvalidArgument, "the batch of ", batch, " is no multiple of the ", count,
           " places in a block");
    batch /= count;
  }
  c.set_output(0, PartialShape(std::move(out)));
}

// Where height, width and channels are.
struct ImageAxes {
  std::size_t height, width, channels;
};
DGRAPH_DECL ImageAxes image_axes(const ShapeContext& c) {
  const std::string& format = c.attr<std::string>("data_format");
  if (format == "NHWC") return {1, 2, 3};
  if (format == "NCHW") return {2, 3, 1};
  fail(Code::Unimplemented, "data_format ", format, " has no kernel on a CPU");
}

template <class OpType>
void depth_gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<OpType>(g.dy(), "block_size", g.attr<std::int64_t>("block_size"), "data_format",
                           g.attr<std::string>("data_format")));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void SpaceToBatchND::shape(ShapeContext& c) { detail::block_shapes(c, true); }
DGRAPH_DECL void SpaceToBatchND::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<BatchToSpaceND>(g.dy(), g.x(1), g.x(2)));
}

DGRAPH_DECL void BatchToSpaceND::shape(ShapeContext& c) { detail::block_shapes(c, false); }
DGRAPH_DECL void BatchToSpaceND::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.add<SpaceToBatchND>(g.dy(), g.x(1), g.x(2)));
}

DGRAPH_DECL void SpaceToDepth::shape(ShapeContext& c) {
  const auto axes = detail::image_axes(c);
  Dims dims = c.with_rank(0, 4).dims();
  const std::int64_t block = c.attr<std::int64_t>("block_size");
  for (const std::size_t axis : {axes.height, axes.width}) {
    if (dims[axis] >= 0 && dims[axis] % block)
      fail(Code::InvalidArgument, "dimension ", axis, " of shape ", c.input(0),
           " is no multiple of the block size ", block);
    if (dims[axis] >= 0) dims[axis] /= block;
  }
  std::int64_t& channels = dims[axes.channels];
  if (channels >= 0 && (__builtin_mul_overflow(channels, block, &channels) ||
                        __builtin_mul_overflow(channels, block, &channels)))
    fail(Code::InvalidArgument, "there would be 2^63 channels or more");
  c.set_output(0, PartialShape(std::move(dims)));
}
DGRAPH_DECL void SpaceToDepth::gradient(GradientContext& g) {
  detail::depth_gradient<DepthToSpace>(g);
}

DGRAPH_DECL void DepthToSpace::shape(ShapeContext& c) {
  const auto axes = detail::image_axes(c);
  Dims dims = c.with_rank(0, 4).dims();
  const std::int64_t block = c.attr<std::int64_t>("block_size");
  for (const std::size_t axis : {axes.height, axes.width})
    if (dims[axis] >= 0 && __builtin_mul_overflow(dims[axis], block, &dims[axis]))
      fail(Code::InvalidArgument, "dimension ", axis, " would have 2^63 elements or more");
  std::int64_t& channels = dims[axes.channels];
  if (channels >= 0) {
    if (channels % block || channels / block % block)
      fail(Code::InvalidArgument, "the ", channels, " channels of shape ", c.input(0),
           " are no multiple of the block's ", block, " * ", block);
    channels = channels / block / block;
  }
  c.set_output(0, PartialShape(std::move(dims)));
}
DGRAPH_DECL void DepthToSpace::gradient(GradientContext& g) {
  detail::depth_gradient<SpaceToDepth>(g);
}

DGRAPH_DECL void ExtractImagePatches::shape(ShapeContext& c) {
  const PartialShape in = c.with_rank(0, 4);
  const auto &sizes = c.attr<std::vector<std::int64_t>>("ksizes"),
             &strides = c.attr<std::vector<std::int64_t>>("strides"),
             &rates = c.attr<std::vector<std::int64_t>>("rates");
  if (sizes.size() != 4 || strides.size() != 4 || rates.size() != 4)
    fail(Code::InvalidArgument, "ksizes, strides and rates must have 4 numbers each");
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}})
    if (sizes[i] != 1 || strides[i] != 1 || rates[i] != 1)
      fail(Code::Unimplemented, "patches are taken of height and width alone");
  const bool same = c.attr<std::string>("padding") == "SAME";
  Dims out = in.dims();
  std::int64_t& channels = out[3];
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    // A length of any size tells whether the numbers are right.
    const std::int64_t places = detail::window_span(std::max<std::int64_t>(in[i], 0), sizes[i],
                                                    strides[i], rates[i], same || in[i] < 0)
                                    .places;
    out[i] = in[i] < 0 ? PartialShape::kUnknown : places;
    if (channels >= 0 && __builtin_mul_overflow(channels, sizes[i], &channels))
      fail(Code::InvalidArgument, "there would be 2^63 channels or more");
  }
  c.set_output(0, PartialShape(std::move(out)));
}
// The patches of a picture whose pixels are their own numbers say where each element of dy belongs.
DGRAPH_DECL void ExtractImagePatches::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output x = g.x(0), dy = g.dy();
  const auto vector = [&](const Dims& values) { return shapes::integers(g, values, DType::Int64); };
  const auto number = [&](std::int64_t value) { return shapes::integer(g, value, DType::Int64); };
  const Output sizes = shapes::of(g, x, DType::Int64);
  const auto size = [&](std::int64_t i) { return g.add<Slice>(sizes, vector({i}), vector({1})); };
  const Output batch = size(0), channels = size(3);
  const auto scalar = [&](const Output& one) {
    return g.add<Reshape>(one, shapes::integers(g, {}));
  };
  const auto join = [&](const std::vector<Output>& parts) {
    return g.add<ConcatV2>(parts, shapes::integer(g, 0));
  };
  const Output pixels = scalar(g.add<Mul>(size(1), size(2)));
  // From 1 on: 0 is what lies outside.
  const Output numbers = g.add<Range>(number(1), g.add<AddV2>(pixels, number(1)), number(1));
  const Output picture =
      g.add<Reshape>(numbers, join({vector({1}), size(1), size(2), vector({1})}));
  const Output seen = g.add<ExtractImagePatches>(
      picture, "ksizes", g.attr<std::vector<std::int64_t>>("ksizes"), "strides",
      g.attr<std::vector<std::int64_t>>("strides"), "rates",
      g.attr<std::vector<std::int64_t>>("rates"), "padding", g.attr<std::string>("padding"));
  const Output places = g.add<Sub>(g.add<Reshape>(seen, vector({-1})), number(1));
  const Output count = g.add<Reshape>(g.add<Size>(places, "out_type", DType::Int64), vector({1}));
  const Output by_place = g.add<Transpose>(g.add<Reshape>(dy, join({batch, count, channels})),
                                           shapes::integers(g, {1, 0, 2}));
  const Output summed = g.add<UnsortedSegmentSum>(by_place, places, pixels);
  g.set(0, g.add<Reshape>(g.add<Transpose>(summed, shapes::integers(g, {1, 0, 2})), sizes));
}

}  // namespace ops
}  // namespace dgraph
