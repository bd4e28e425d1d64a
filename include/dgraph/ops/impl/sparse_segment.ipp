#pragma once
#include <dgraph/ops/sparse_segment.hpp>

#include <vector>

#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// Rows of input 0: as many as the scalar input `count` says, or the last id where `count` is negative.
DGRAPH_DECL void picked_segment_shape(ShapeContext& c, int count) {
  const PartialShape rows = c.with_rank_at_least(0, 1), indices = c.with_rank(1, 1),
                     ids = c.with_rank(2, 1);
  if (!indices.compatible_with(ids))
    fail(Code::InvalidArgument, "indices and segment_ids must have one shape, not ", indices,
         " and ", ids);
  std::int64_t length = PartialShape::kUnknown;
  if (count >= 0) {
    const auto at = static_cast<std::size_t>(count);
    c.with_rank(at, 0);
    if (const auto known = c.integers(at); known && (*known)[0] != kUnknownValue) {
      length = (*known)[0];
      if (length < 0) fail(Code::InvalidArgument, "the number of rows is negative: ", length);
    }
  } else if (const auto known = c.integers(2)) {
    if (known->empty())
      length = 0;
    else if (known->back() >= 0 && known->back() < INT64_MAX)
      length = known->back() + 1;
  }
  if (!rows.has_rank()) return;
  Dims out = rows.dims();
  out[0] = length;
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL Output row_count(const GradientContext& g, const Output& x) {
  if (x.shape().has_rank() && x.shape()[0] >= 0 && x.shape()[0] <= INT32_MAX)
    return shapes::integer(g, x.shape()[0]);
  return g.add<ops::GatherV2>(shapes::of(g, x), shapes::integer(g, 0), shapes::integer(g, 0));
}

// As IndexedSlices: each picked row has its segment's gradient, divided by what the sum was.
DGRAPH_DECL IndexedSlices picked_rows(const GradientContext& g, bool mean, bool root) {
  const Output indices = g.x(1), ids = g.x(2), along = shapes::integer(g, 0);
  Output values = g.add<ops::GatherV2>(g.dy(), ids, along);
  if (mean || root) {
    const Output ones = g.add<ops::Fill>(shapes::of(g, ids), rules::number(g, g.dy(), 1));
    Output sizes = g.add<ops::GatherV2>(g.add<ops::SegmentSum>(ones, ids), ids, along);
    if (root) sizes = g.add<ops::Sqrt>(sizes);
    const Output more = g.add<ops::Sub>(g.add<ops::Rank>(values), shapes::integer(g, 1));
    const std::vector<Output> parts{
        shapes::of(g, ids), g.add<ops::Fill>(g.add<ops::Reshape>(more, shapes::integers(g, {1})),
                                             shapes::integer(g, 1))};
    values = g.add<ops::RealDiv>(
        values, g.add<ops::Reshape>(sizes, g.add<ops::ConcatV2>(parts, shapes::integer(g, 0))));
  }
  return {values, indices, shapes::of(g, g.x(0), indices.dtype())};
}

template <class Grad>
void picked_gradient(GradientContext& g, bool mean, bool root) {
  if (!g.needs(0)) return;
  if (g.attr<bool>("sparse_gradient")) return g.set(0, picked_rows(g, mean, root));
  g.set(0, g.add<Grad>(g.dy(), g.x(1), g.x(2), row_count(g, g.x(0))));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void SparseSegmentSum::shape(ShapeContext& c) { detail::picked_segment_shape(c, -1); }
DGRAPH_DECL void SparseSegmentSum::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentSumGrad>(g, false, false);
}
DGRAPH_DECL void SparseSegmentSumWithNumSegments::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentSumWithNumSegments::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentSumGrad>(g, false, false);
}
DGRAPH_DECL void SparseSegmentSumGrad::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentSumGrad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<SparseSegmentSumWithNumSegments>(g.dy(), g.x(1), g.x(2),
                                                    detail::row_count(g, g.x(0))));
}

DGRAPH_DECL void SparseSegmentMean::shape(ShapeContext& c) { detail::picked_segment_shape(c, -1); }
DGRAPH_DECL void SparseSegmentMean::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentMeanGrad>(g, true, false);
}
DGRAPH_DECL void SparseSegmentMeanWithNumSegments::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentMeanWithNumSegments::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentMeanGrad>(g, true, false);
}
DGRAPH_DECL void SparseSegmentMeanGrad::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentMeanGrad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<SparseSegmentMeanWithNumSegments>(g.dy(), g.x(1), g.x(2),
                                                     detail::row_count(g, g.x(0))));
}

DGRAPH_DECL void SparseSegmentSqrtN::shape(ShapeContext& c) { detail::picked_segment_shape(c, -1); }
DGRAPH_DECL void SparseSegmentSqrtN::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentSqrtNGrad>(g, false, true);
}
DGRAPH_DECL void SparseSegmentSqrtNWithNumSegments::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentSqrtNWithNumSegments::gradient(GradientContext& g) {
  detail::picked_gradient<SparseSegmentSqrtNGrad>(g, false, true);
}
DGRAPH_DECL void SparseSegmentSqrtNGrad::shape(ShapeContext& c) {
  detail::picked_segment_shape(c, 3);
}
DGRAPH_DECL void SparseSegmentSqrtNGrad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, g.add<SparseSegmentSqrtNWithNumSegments>(g.dy(), g.x(1), g.x(2),
                                                      detail::row_count(g, g.x(0))));
}

}  // namespace ops
}  // namespace dgraph
