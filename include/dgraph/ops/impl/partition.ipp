#pragma once
#include <dgraph/ops/partition.hpp>

#include <algorithm>

#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void stitch_shape(ShapeContext& c) {
  const std::size_t n = c.num_inputs() / 2;
  PartialShape slice;  // what is known of data[m].shape[indices[m].rank:]
  std::int64_t rows = 0;
  for (std::size_t m = 0; m < n; ++m) {
    const PartialShape &at = c.input(m), &data = c.input(m + n);
    if (at.has_rank() && data.has_rank()) {
      Dims lead, rest;
      for (std::size_t i = 0; i < data.rank(); ++i)
        (i < at.rank() ? lead : rest).push_back(data[i]);
      const PartialShape own(std::move(rest));
      if (!PartialShape(std::move(lead)).compatible_with(at) || !own.compatible_with(slice))
        fail(Code::InvalidArgument, "data ", m, " of shape ", data,
             " does not fit indices of shape ", at, " and slices of shape ", slice);
      slice = slice.merged_with(own);
    }
    const auto known = shapes::constant_elements(c, m);
    if (!known) rows = -1;
    for (std::size_t i = 0; known && rows >= 0 && i < known->size(); ++i)
      rows = std::max(rows, (*known)[i] + 1);
  }
  if (!slice.has_rank()) return;
  Dims out{rows};
  for (const std::int64_t d : slice.dims()) out.push_back(d);
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL void stitch_gradient(GradientContext& g) {
  const std::size_t n = g.num_inputs() / 2;
  for (std::size_t m = 0; m < n; ++m)
    if (g.needs(m + n)) g.set(m + n, g.add<ops::GatherV2>(g.dy(), g.x(m), shapes::integer(g, 0)));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void DynamicPartition::shape(ShapeContext& c) {
  const PartialShape &data = c.input(0), &partitions = c.input(1);
  if (!data.has_rank() || !partitions.has_rank()) return;
  Dims lead, out{PartialShape::kUnknown};
  for (std::size_t i = 0; i < data.rank(); ++i)
    (i < partitions.rank() ? lead : out).push_back(data[i]);
  if (!PartialShape(std::move(lead)).compatible_with(partitions))
    fail(Code::InvalidArgument, "partitions of shape ", partitions,
         " are no prefix of data of shape ", data);
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape(out));
}
// Where each slice went is known by sending the numbers of all slices the same way.
DGRAPH_DECL void DynamicPartition::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const Output partitions = g.x(1);
  const Output count = g.add<Size>(partitions);
  const Output numbers = g.add<Range>(shapes::integer(g, 0), count, shapes::integer(g, 1));
  const Output dealt =
      g.add<DynamicPartition>(shapes::reshape_like(g, numbers, partitions), partitions,
                              "num_partitions", g.attr<std::int64_t>("num_partitions"));
  std::vector<Output> indices, parts;
  for (std::size_t i = 0; i < g.num_outputs(); ++i) {
    indices.push_back(shapes::output(dealt, i));
    parts.push_back(g.dy(i));
  }
  const Output whole = g.add<ParallelDynamicStitch>(indices, parts);
  g.set(0, g.add<Reshape>(whole, shapes::of(g, g.x(0))));
}

DGRAPH_DECL void DynamicStitch::shape(ShapeContext& c) { detail::stitch_shape(c); }
DGRAPH_DECL void DynamicStitch::gradient(GradientContext& g) { detail::stitch_gradient(g); }

DGRAPH_DECL void ParallelDynamicStitch::shape(ShapeContext& c) { detail::stitch_shape(c); }
DGRAPH_DECL void ParallelDynamicStitch::gradient(GradientContext& g) { detail::stitch_gradient(g); }

}  // namespace ops
}  // namespace dgraph
