#pragma once
#include <dgraph/ops/top_k.hpp>

#include <vector>

#include <dgraph/graph/constant_value.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void top_k_shape(ShapeContext& c, std::int64_t k) {
  const PartialShape x = c.with_rank_at_least(0, 1);
  if (!x.has_rank()) return;
  Dims out = x.dims();
  std::int64_t& last = out[x.rank() - 1];
  if (k >= 0 && last >= 0 && last < k)
    fail(Code::InvalidArgument, "input must have at least k columns. Had ", last, ", needed ", k);
  last = k;
  c.set_output(0, PartialShape(out));
  c.set_output(1, PartialShape(std::move(out)));
}

// What flows to the elements that were picked.
DGRAPH_DECL void top_k_gradient(GradientContext& g) {
  if (!g.needs(0) || !g.has_dy(0)) return;
  constexpr DType kIndex = DType::Int64;
  const Output x = g.x(0), shape = shapes::of(g, x, kIndex);
  const Output picked = shapes::output(g.y(0), 1);
  const auto scalar = [&](std::int64_t value) { return shapes::integer(g, value, kIndex); };
  const auto vector = [&](const Dims& values) { return shapes::integers(g, values, kIndex); };
  Output rows, columns, picks;
  const PartialShape& known = x.shape();
  if (known.fully_known()) {
    std::int64_t count = 1;
    for (std::size_t i = 0; i + 1 < known.rank(); ++i) count *= known[i];
    rows = scalar(count);
    columns = scalar(known[known.rank() - 1]);
  } else {
    const Output before = g.add<ops::Sub>(g.add<ops::Rank>(x), shapes::integer(g, 1));
    const Output leading = g.add<ops::Slice>(shape, shapes::integers(g, {0}),
                                             g.add<ops::Reshape>(before, shapes::integers(g, {1})));
    rows = g.add<ops::Prod>(leading, shapes::integers(g, {0}));
    columns = g.add<ops::Gather>(shape, before);
  }
  const Output indices =
      picked.dtype() == kIndex ? picked : g.add<ops::Cast>(picked, "DstT", kIndex);
  // Rows of picks, each counted from the row's own beginning.
  const Output per_row = shapes::of(g, picked, kIndex);
  const Output k =
      g.add<ops::Gather>(per_row, g.add<ops::Sub>(g.add<ops::Rank>(picked), shapes::integer(g, 1)));
  const Output by_row =
      g.add<ops::Reshape>(indices, g.add<ops::Pack>(std::vector<Output>{rows, k}));
  const Output starts = g.add<ops::Mul>(g.add<ops::Range>(scalar(0), rows, scalar(1)), columns);
  const Output flat = g.add<ops::AddV2>(by_row, g.add<ops::Reshape>(starts, vector({-1, 1})));
  const Output summed = g.add<ops::UnsortedSegmentSum>(g.add<ops::Reshape>(g.dy(0), vector({-1})),
                                                       g.add<ops::Reshape>(flat, vector({-1})),
                                                       g.add<ops::Mul>(rows, columns));
  g.set(0, g.add<ops::Reshape>(summed, shape));
}

DGRAPH_DECL void in_top_k_shape(ShapeContext& c) {
  const PartialShape predictions = c.with_rank(0, 2), targets = c.with_rank(1, 1);
  c.set_output(0, PartialShape{predictions[0]}.merged_with(targets));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void TopKV2::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  std::int64_t k = -1;
  if (const auto value = c.integers(1);
      value && value->size() == 1 && (*value)[0] != kUnknownValue) {
    k = (*value)[0];
    if (k < 0) fail(Code::InvalidArgument, "Need k >= 0, got ", k);
  }
  detail::top_k_shape(c, k);
}
DGRAPH_DECL void TopKV2::gradient(GradientContext& g) { detail::top_k_gradient(g); }
DGRAPH_DECL void TopK::shape(ShapeContext& c) { detail::top_k_shape(c, c.attr<std::int64_t>("k")); }
DGRAPH_DECL void TopK::gradient(GradientContext& g) { detail::top_k_gradient(g); }
DGRAPH_DECL void InTopK::shape(ShapeContext& c) { detail::in_top_k_shape(c); }
DGRAPH_DECL void InTopKV2::shape(ShapeContext& c) {
  c.with_rank(2, 0);
  detail::in_top_k_shape(c);
}

}  // namespace ops
}  // namespace dgraph
