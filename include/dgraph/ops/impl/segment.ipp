#pragma once
#include <dgraph/ops/segment.hpp>

#include <vector>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/gather_nd.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/selection.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void segment_shape(ShapeContext& c) {
  const PartialShape data = c.with_rank_at_least(0, 1), ids = c.with_rank(1, 1);
  if (data.has_rank() && data[0] >= 0 && ids[0] >= 0 && data[0] != ids[0])
    fail(Code::InvalidArgument, "segment_ids of shape ", ids,
         " do not fit the rows of data of shape ", data);
  if (!data.has_rank()) return;
  Dims out = data.dims();
  out[0] = PartialShape::kUnknown;
  if (const auto known = c.integers(1); known && (known->empty() || known->back() >= 0)) {
    if (known->empty())
      out[0] = 0;
    else if (known->back() != kUnknownValue && known->back() < INT64_MAX)
      out[0] = known->back() + 1;
  }
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL void unsorted_segment_shape(ShapeContext& c) {
  const PartialShape &data = c.input(0), &ids = c.input(1);
  c.with_rank(2, 0);
  const auto segments = c.integers(2);
  std::int64_t count = PartialShape::kUnknown;
  if (segments && (*segments)[0] != kUnknownValue) {
    count = (*segments)[0];
    if (count < 0) fail(Code::InvalidArgument, "the number of segments is negative: ", count);
  }
  if (!data.has_rank() || !ids.has_rank()) return;
  Dims lead, out{count};
  for (std::size_t i = 0; i < data.rank(); ++i) (i < ids.rank() ? lead : out).push_back(data[i]);
  if (!PartialShape(std::move(lead)).compatible_with(ids))
    fail(Code::InvalidArgument, "segment_ids of shape ", ids, " are no prefix of data of shape ",
         data);
  c.set_output(0, PartialShape(std::move(out)));
}

// `per_id`, a value for each id, in a shape that broadcasts against data.
DGRAPH_DECL Output spread_over(const GradientContext& g, const Output& per_id, const Output& data) {
  const PartialShape& shape = data.shape();
  if (shape.has_rank() && shape.rank() == 1) return per_id;
  Output to;
  if (shape.has_rank()) {
    Dims dims(shape.rank(), 1);
    dims[0] = -1;
    to = shapes::integers(g, dims);
  } else {
    const Output more = g.add<ops::Sub>(g.add<ops::Rank>(data), shapes::integer(g, 1));
    const std::vector<Output> parts{
        shapes::integers(g, {-1}),
        g.add<ops::Fill>(g.add<ops::Reshape>(more, shapes::integers(g, {1})),
                         shapes::integer(g, 1))};
    to = g.add<ops::ConcatV2>(parts, shapes::integer(g, 0));
  }
  return g.add<ops::Reshape>(per_id, to);
}

// What the gradients of sorted and unsorted segments share: how to sum, multiply, and take a
// segment's row for each of its data; data that were dropped get zeros.
struct SegmentRules {
  const GradientContext& g;
  bool sorted;

  Output sum(const Output& data) const {
    return sorted ? g.add<ops::SegmentSum>(data, g.x(1))
                  : g.add<ops::UnsortedSegmentSum>(data, g.x(1), g.x(2));
  }
  Output prod(const Output& data) const {
    return sorted ? g.add<ops::SegmentProd>(data, g.x(1))
                  : g.add<ops::UnsortedSegmentProd>(data, g.x(1), g.x(2));
  }
  Output rows(const Output& segments) const {
    if (sorted) return g.add<ops::GatherV2>(segments, g.x(1), shapes::integer(g, 0));
    return g.add<ops::GatherNd>(segments, g.add<ops::ExpandDims>(g.x(1), shapes::integer(g, -1)),
                                "bad_indices_policy", "IGNORE");
  }

  // Shared evenly among all that are equal to the least or greatest.
  Output extreme() const {
    const Output data = g.x(0), dy = g.dy();
    const Output chosen = g.add<ops::Equal>(data, rows(g.y()));
    const Output count = sum(g.add<ops::Cast>(chosen, "DstT", dy.dtype()));
    const Output share =
        g.add<ops::RealDiv>(dy, g.add<ops::Maximum>(count, rules::number(g, dy, 1)));
    return g.add<ops::SelectV2>(chosen, rows(share), rules::number(g, dy, 0));
  }
  // The product over the element; where that is 0, the product of the others. With two zeros that is 0
  // too, but not its slope: it is written as the other zero times what is left.
  Output product() const {
    const Output data = g.x(0), none = rules::number(g, data, 0), one = rules::number(g, data, 1);
    const Output is_zero = g.add<ops::Equal>(data, none);
    const Output count = rows(sum(g.add<ops::Cast>(is_zero, "DstT", DType::Int32)));
    const Output zeros = rows(sum(g.add<ops::SelectV2>(is_zero, data, none)));
    const Output others = g.add<ops::SelectV2>(is_zero, one, data), left = rows(prod(others));
    const auto are = [&](std::int64_t n) {
      return g.add<ops::Equal>(count, shapes::integer(g, n));
    };
    const Output other_zero = g.add<ops::Mul>(left, g.add<ops::Sub>(zeros, data));
    const Output at_zero =
        g.add<ops::SelectV2>(are(1), left, g.add<ops::SelectV2>(are(2), other_zero, none));
    const Output slope =
        g.add<ops::SelectV2>(is_zero, at_zero, g.add<ops::RealDiv>(rows(g.y()), others));
    return g.add<ops::Mul>(rows(g.dy()), rules::conj(g, slope));
  }
};

DGRAPH_DECL Output unsorted_segment_mean(const Output& data, const Output& ids, const Output& count,
                                         bool root, const OpName& name) {
  const OpName at(name.location);
  const auto scalar = [&](double value) {
    return add_constant(scalar_tensor(data.dtype(), value), at, data.core());
  };
  const Output ones = add_op<ops::Fill>(at, add_op<ops::Shape>(at, ids), scalar(1));
  Output sizes = add_op<ops::UnsortedSegmentSum>(at, ones, ids, count);
  sizes = add_op<ops::Maximum>(at, sizes, scalar(1));
  if (root) sizes = add_op<ops::Sqrt>(at, sizes);
  const Output sums = add_op<ops::UnsortedSegmentSum>(at, data, ids, count);
  // One size for each segment, against rows of any rank.
  const auto number = [&](std::int32_t value) {
    return add_constant(Tensor::scalar(value), at, data.core());
  };
  const auto vector = [&](const Output& x) {
    return add_op<ops::Reshape>(at, x, add_constant(index_tensor({1}), at, data.core()));
  };
  const Output more = add_op<ops::Sub>(at, add_op<ops::Rank>(at, sums), number(1));
  const std::vector<Output> parts{vector(number(-1)),
                                  add_op<ops::Fill>(at, vector(more), number(1))};
  const Output column =
      add_op<ops::Reshape>(at, sizes, add_op<ops::ConcatV2>(at, parts, number(0)));
  return add_op<ops::RealDiv>(name, sums, column);
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void SegmentSum::shape(ShapeContext& c) { detail::segment_shape(c); }
DGRAPH_DECL void SegmentSum::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, true}.rows(g.dy()));
}
DGRAPH_DECL void SegmentMean::shape(ShapeContext& c) { detail::segment_shape(c); }
DGRAPH_DECL void SegmentMean::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  const detail::SegmentRules rules{g, true};
  const Output ones = g.add<Fill>(shapes::of(g, g.x(1)), dgraph::rules::number(g, g.dy(), 1));
  const Output sizes = rules.rows(rules.sum(ones));
  g.set(0, g.add<RealDiv>(rules.rows(g.dy()), detail::spread_over(g, sizes, g.x(0))));
}
DGRAPH_DECL void SegmentProd::shape(ShapeContext& c) { detail::segment_shape(c); }
DGRAPH_DECL void SegmentProd::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, true}.product());
}
DGRAPH_DECL void SegmentMin::shape(ShapeContext& c) { detail::segment_shape(c); }
DGRAPH_DECL void SegmentMin::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, true}.extreme());
}
DGRAPH_DECL void SegmentMax::shape(ShapeContext& c) { detail::segment_shape(c); }
DGRAPH_DECL void SegmentMax::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, true}.extreme());
}

DGRAPH_DECL void UnsortedSegmentSum::shape(ShapeContext& c) { detail::unsorted_segment_shape(c); }
DGRAPH_DECL void UnsortedSegmentSum::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, false}.rows(g.dy()));
}
DGRAPH_DECL void UnsortedSegmentProd::shape(ShapeContext& c) { detail::unsorted_segment_shape(c); }
DGRAPH_DECL void UnsortedSegmentProd::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, false}.product());
}
DGRAPH_DECL void UnsortedSegmentMin::shape(ShapeContext& c) { detail::unsorted_segment_shape(c); }
DGRAPH_DECL void UnsortedSegmentMin::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, false}.extreme());
}
DGRAPH_DECL void UnsortedSegmentMax::shape(ShapeContext& c) { detail::unsorted_segment_shape(c); }
DGRAPH_DECL void UnsortedSegmentMax::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::SegmentRules{g, false}.extreme());
}

}  // namespace ops
}  // namespace dgraph
