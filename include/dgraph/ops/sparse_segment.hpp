#pragma once
// Rows picked by index and summed by segment, without the picked rows in between: SparseSegmentSum, ...

#include <optional>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// output[i] = sum of the rows data[indices[j]] with segment_ids[j] = i. The ids are sorted and not
/// negative; there are as many segments as the last says, or num_segments, and one without rows is 0.
/// With sparse_gradient the gradient of data is IndexedSlices. The Grad op adds segments' gradients to
/// the rows that were picked.
struct SparseSegmentSum {
  static constexpr auto signature =
      "SparseSegmentSum(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T); T: "
      "{real}; Tidx: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool = "
      "false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentSumWithNumSegments {
  static constexpr auto signature =
      "SparseSegmentSumWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, "
      "num_segments: Tnumsegments) -> (output: T); T: {real}; Tidx: {index} = int32; "
      "Tnumsegments: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool = "
      "false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentSumGrad {
  static constexpr auto signature =
      "SparseSegmentSumGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: "
      "int32) -> (output: T); T: {floating}; Tidx: {index} = int32; Tsegmentids: {index} = "
      "int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with means.
struct SparseSegmentMean {
  static constexpr auto signature =
      "SparseSegmentMean(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T); T: "
      "{floating}; Tidx: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool "
      "= false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentMeanWithNumSegments {
  static constexpr auto signature =
      "SparseSegmentMeanWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, "
      "num_segments: Tnumsegments) -> (output: T); T: {floating}; Tidx: {index} = int32; "
      "Tnumsegments: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool = "
      "false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentMeanGrad {
  static constexpr auto signature =
      "SparseSegmentMeanGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: "
      "int32) -> (output: T); T: {floating}; Tidx: {index} = int32; Tsegmentids: {index} = "
      "int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
/// The same with sums over the root of the number of rows.
struct SparseSegmentSqrtN {
  static constexpr auto signature =
      "SparseSegmentSqrtN(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T); T: "
      "{floating}; Tidx: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool "
      "= false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentSqrtNWithNumSegments {
  static constexpr auto signature =
      "SparseSegmentSqrtNWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, "
      "num_segments: Tnumsegments) -> (output: T); T: {floating}; Tidx: {index} = int32; "
      "Tnumsegments: {index} = int32; Tsegmentids: {index} = int32; sparse_gradient: bool = "
      "false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};
struct SparseSegmentSqrtNGrad {
  static constexpr auto signature =
      "SparseSegmentSqrtNGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: "
      "int32) -> (output: T); T: {floating}; Tidx: {index} = int32; Tsegmentids: {index} = "
      "int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

template <class OpType, class Counted, class X, class I, class S>
Op<element_of<X>> sparse_segments(X& data, I& indices, S& segment_ids,
                                  std::optional<std::int64_t> num_segments, const OpName& name) {
  using T = element_of<X>;
  GraphCore* const core = core_of(data, indices, segment_ids);
  const Output rows = as_output<T>(data, name.location, core);
  const Output picks = as_output<element_of<I>>(indices, name.location, core);
  const Output ids = as_output<element_of<S>>(segment_ids, name.location, core);
  if (!num_segments) return Op<T>(add_op<OpType>(name, rows, picks, ids));
  const Output count = add_constant(Tensor::scalar(*num_segments), OpName(name.location), core);
  return Op<T>(add_op<Counted>(name, rows, picks, ids, count));
}

}  // namespace detail

/// For each segment the sum of the rows of data that its indices name: see ops::SparseSegmentSum.
template <AnyOperand X, AnyOperand I, AnyOperand S>
Op<element_of<X>> sparse_segment_sum(X&& data, I&& indices, S&& segment_ids,
                                     std::optional<std::int64_t> num_segments = std::nullopt,
                                     OpName name = {}) {
  return detail::sparse_segments<ops::SparseSegmentSum, ops::SparseSegmentSumWithNumSegments>(
      data, indices, segment_ids, num_segments, name);
}
/// The same with means, and with sums over the root of the number of rows.
template <AnyOperand X, AnyOperand I, AnyOperand S>
Op<element_of<X>> sparse_segment_mean(X&& data, I&& indices, S&& segment_ids,
                                      std::optional<std::int64_t> num_segments = std::nullopt,
                                      OpName name = {}) {
  return detail::sparse_segments<ops::SparseSegmentMean, ops::SparseSegmentMeanWithNumSegments>(
      data, indices, segment_ids, num_segments, name);
}
template <AnyOperand X, AnyOperand I, AnyOperand S>
Op<element_of<X>> sparse_segment_sqrt_n(X&& data, I&& indices, S&& segment_ids,
                                        std::optional<std::int64_t> num_segments = std::nullopt,
                                        OpName name = {}) {
  return detail::sparse_segments<ops::SparseSegmentSqrtN, ops::SparseSegmentSqrtNWithNumSegments>(
      data, indices, segment_ids, num_segments, name);
}

using SparseSegmentOps =
    OpSet<ops::SparseSegmentSum, ops::SparseSegmentSumWithNumSegments, ops::SparseSegmentSumGrad,
          ops::SparseSegmentMean, ops::SparseSegmentMeanWithNumSegments, ops::SparseSegmentMeanGrad,
          ops::SparseSegmentSqrtN, ops::SparseSegmentSqrtNWithNumSegments,
          ops::SparseSegmentSqrtNGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/sparse_segment.ipp>
#endif
