#pragma once
// Rows by index: Gather, GatherV2, UnsortedSegmentSum, OneHot.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// Rows `indices` of params: shape indices.shape + params.shape[1:]. InvalidArgument for an index out of range, naming index,
/// position and bound.
struct Gather {
  static constexpr auto signature =
      "Gather(params: Tparams, indices: Tindices) -> (output: Tparams); validate_indices: bool = true; Tparams: type; "
      "Tindices: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Slices `indices` of params along `axis`; the first `batch_dims` dimensions of both go together.
struct GatherV2 {
  static constexpr auto signature =
      "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams); batch_dims: int = 0; "
      "Tparams: type; Tindices: {int16, int32, int64}; Taxis: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// output[i] = sum of the data[j] with segment_ids[j] = i, for i below num_segments; a negative id drops its data.
struct UnsortedSegmentSum {
  static constexpr auto signature =
      "UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T); T: {number}; "
      "Tindices: {index}; Tnumsegments: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A new dimension of length `depth` at `axis` (-1: last), on_value where it equals the index, off_value elsewhere.
struct OneHot {
  static constexpr auto signature =
      "OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> (output: T); axis: int = -1; T: type; "
      "TI: {uint8, int8, int32, int64} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

}  // namespace ops

using GatherOps = OpSet<ops::Gather, ops::GatherV2, ops::UnsortedSegmentSum, ops::OneHot>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/gather.ipp>
#endif
