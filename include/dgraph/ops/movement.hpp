#pragma once
// Ops that move elements about: Transpose, ConcatV2, Split, Pack, Slice, StridedSlice, Tile, Pad, ...

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// Dimension i of y is dimension perm[i] of x.
struct Transpose {
  static constexpr auto signature = "Transpose(x: T, perm: Tperm) -> (y: T); T: type; Tperm: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverse of a permutation of 0 ... n-1: y[x[i]] = i. InvalidArgument where x is none.
struct InvertPermutation {
  static constexpr auto signature = "InvertPermutation(x: T) -> (y: T); T: {index} = int32";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank(0, 1)); }
  static void gradient(GradientContext&) {}
};

/// The values one after another along `axis`; all other dimensions agree.
struct ConcatV2 {
  static constexpr auto signature =
      "ConcatV2(values: N * T, axis: Tidx) -> (output: T); N: int >= 2; T: type; Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Where each of the tensors of these shapes begins in their concatenation along `concat_dim`.
struct ConcatOffset {
  static constexpr auto signature =
      "ConcatOffset(concat_dim: int32, shape: N * shape_type) -> (offset: N * shape_type); N: int >= 2; "
      "shape_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The values, which have one shape, side by side along a new dimension `axis`.
struct Pack {
  static constexpr auto signature = "Pack(values: N * T) -> (output: T); N: int >= 1; T: type; axis: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The `num` parts of a value along dimension `axis`, which must be `num`, without that dimension.
struct Unpack {
  static constexpr auto signature = "Unpack(value: T) -> (output: num * T); num: int >= 0; T: type; axis: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// `num_split` equal parts along dimension `split_dim`.
struct Split {
  static constexpr auto signature =
      "Split(split_dim: int32, value: T) -> (output: num_split * T); num_split: int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Parts of the given sizes along dimension `split_dim`; one size may be -1, which stands for what is left.
struct SplitV {
  static constexpr auto signature =
      "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: num_split * T); num_split: int >= 1; T: type; "
      "Tlen: {int8, int32, int64} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The box of `size` elements from `begin` on; a size of -1 stands for all that are left.
struct Slice {
  static constexpr auto signature =
      "Slice(input: T, begin: Index, size: Index) -> (output: T); T: type; Index: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// numpy's x[begin:end:strides, ...]: bit i of a mask is about entry i of begin, end and strides. begin_mask, end_mask: that bound
/// is open; ellipsis_mask: the entry stands for all dimensions that others do not name; new_axis_mask: a new dimension of 1;
/// shrink_axis_mask: one element, its dimension dropped.
struct StridedSlice {
  static constexpr auto signature =
      "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T); T: type; "
      "Index: {int16, int32, int64}; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = 0; "
      "new_axis_mask: int = 0; shrink_axis_mask: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros of shape `shape` but for the places that StridedSlice would take, which have dy.
struct StridedSliceGrad {
  static constexpr auto signature =
      "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> (output: T); T: type; "
      "Index: {index}; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = 0; new_axis_mask: int = 0; "
      "shrink_axis_mask: int = 0";
  static void shape(ShapeContext& c) { c.set_output(0, c.as_shape(0)); }
  static void gradient(GradientContext& g);
};

/// The input `multiples[i]` times along each dimension i.
struct Tile {
  static constexpr auto signature =
      "Tile(input: T, multiples: Tmultiples) -> (output: T); T: type; Tmultiples: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros around the input: paddings[i] = (before, after) of dimension i; shape [rank, 2].
struct Pad {
  static constexpr auto signature =
      "Pad(input: T, paddings: Tpaddings) -> (output: T); T: type; Tpaddings: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

using MovementOps =
    OpSet<ops::Transpose, ops::InvertPermutation, ops::ConcatV2, ops::ConcatOffset, ops::Pack, ops::Unpack, ops::Split,
          ops::SplitV, ops::Slice, ops::StridedSlice, ops::StridedSliceGrad, ops::Tile, ops::Pad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/movement.ipp>
#endif
