#pragma once
// Values that are fed or passed on, and ops about shapes: Placeholder, Identity, Shape, Reshape, Fill, BroadcastTo, ...

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// A value that every run must feed.
struct Placeholder {
  static constexpr auto signature = "Placeholder() -> (output: dtype); dtype: type; shape: shape = {}";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};

/// A value that a run may feed; `input` where it does not.
struct PlaceholderWithDefault {
  static constexpr auto signature =
      "PlaceholderWithDefault(input: dtype) -> (output: dtype); dtype: type; shape: shape";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Its input.
struct Identity {
  static constexpr auto signature = "Identity(input: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Its inputs, all of which are there before any output is.
struct IdentityN {
  static constexpr auto signature = "IdentityN(input: T) -> (output: T); T: list(type) >= 1";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Its input; no gradient flows back through it.
struct StopGradient {
  static constexpr auto signature = "StopGradient(input: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// The shape of its input: an integer vector of length rank.
struct Shape {
  static constexpr auto signature =
      "Shape(input: T) -> (output: out_type); T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The shape of each of its inputs.
struct ShapeN {
  static constexpr auto signature =
      "ShapeN(input: N * T) -> (output: N * out_type); N: int >= 1; T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The number of elements of its input: an integer scalar.
struct Size {
  static constexpr auto signature = "Size(input: T) -> (output: out_type); T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
  static void gradient(GradientContext&) {}
};

/// The number of dimensions of its input: an int32 scalar.
struct Rank {
  static constexpr auto signature = "Rank(input: T) -> (output: int32); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
  static void gradient(GradientContext&) {}
};

/// The same elements in another shape; one dimension of `shape` may be -1, which stands for what is left. InvalidArgument where
/// the number of elements differs.
struct Reshape {
  static constexpr auto signature =
      "Reshape(tensor: T, shape: Tshape) -> (output: T); T: type; Tshape: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A dimension of 1 more, at position `dim` (from -rank-1 to rank).
struct ExpandDims {
  static constexpr auto signature =
      "ExpandDims(input: T, dim: Tdim) -> (output: T); T: type; Tdim: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Without the dimensions of 1, or without those of `squeeze_dims` alone, which must be 1.
struct Squeeze {
  static constexpr auto signature =
      "Squeeze(input: T) -> (output: T); T: type; squeeze_dims: list(int) = []";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A tensor of shape `dims`, all of whose elements are `value` (a scalar).
struct Fill {
  static constexpr auto signature =
      "Fill(dims: index_type, value: T) -> (output: T); T: type; index_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros (false, empty strings) of the shape of x.
struct ZerosLike {
  static constexpr auto signature = "ZerosLike(x: T) -> (y: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// Ones (true) of the shape of x.
struct OnesLike {
  static constexpr auto signature = "OnesLike(x: T) -> (y: T); T: {number, bool}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// `input` repeated along dimensions of 1 and along new leading ones, so that it has shape `shape` (numpy's rules).
struct BroadcastTo {
  static constexpr auto signature =
      "BroadcastTo(input: T, shape: Tidx) -> (output: T); T: type; Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The axes over which the gradient of an elementwise op over shapes s0 and s1 is summed, for each of them.
struct BroadcastGradientArgs {
  static constexpr auto signature =
      "BroadcastGradientArgs(s0: T, s1: T) -> (r0: T, r1: T); T: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// start, start + delta, ... below `limit` (above it where delta < 0). InvalidArgument for delta 0 or of the wrong sign.
struct Range {
  static constexpr auto signature =
      "Range(start: Tidx, limit: Tidx, delta: Tidx) -> (output: Tidx); "
      "Tidx: {bfloat16, float16, float32, float64, int8, int16, int32, int64, uint16, uint32} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

}  // namespace ops

using ShapeOps = OpSet<ops::Placeholder, ops::PlaceholderWithDefault, ops::Identity, ops::IdentityN, ops::StopGradient,
                       ops::Shape, ops::ShapeN, ops::Size, ops::Rank, ops::Reshape, ops::ExpandDims, ops::Squeeze,
                       ops::Fill, ops::ZerosLike, ops::OnesLike, ops::BroadcastTo, ops::BroadcastGradientArgs,
                       ops::Range>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/shape.ipp>
#endif
