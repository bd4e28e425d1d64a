#pragma once
#include <dgraph/ops/strings.hpp>

#include <vector>

namespace dgraph {
namespace detail {

DGRAPH_DECL void split_shape(ShapeContext& c) {
  c.with_rank(0, 1);
  c.with_rank(1, 0);
  c.set_output(0, PartialShape{PartialShape::kUnknown, 2});
  c.set_output(1, PartialShape{PartialShape::kUnknown});
  c.set_output(2, PartialShape{2});
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void StringJoin::shape(ShapeContext& c) {
  PartialShape shape = PartialShape::scalar();
  bool all_scalars = true, unknown = false;
  for (std::size_t i = 0; i < c.num_inputs(); ++i) {
    const PartialShape& in = c.input(i);
    if (!in.has_rank()) {
      unknown = true;
    } else if (in.rank() > 0) {
      if (!all_scalars && !shape.compatible_with(in))
        fail(Code::InvalidArgument, "inputs must have one shape or be scalars, but input ", i,
             " has ", in, " after ", shape);
      shape = all_scalars ? in : shape.merged_with(in);
      all_scalars = false;
    }
  }
  // What is not known may be a scalar, or give the shape.
  c.set_output(0, all_scalars && unknown ? PartialShape() : shape);
}

DGRAPH_DECL void ReduceJoin::shape(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  if (const auto axes = c.integers(1); axes && in.has_rank()) {
    const auto rank = static_cast<std::int64_t>(in.rank());
    for (const std::int64_t axis : *axes)
      if (axis != kUnknownValue && (axis < -rank || axis >= rank))
        fail(Code::OutOfRange, "Invalid reduction dimension ", axis, " for input with ", rank,
             " dimension(s)");
  }
  shapes::reduction(c);
}

DGRAPH_DECL void StringSplit::shape(ShapeContext& c) { detail::split_shape(c); }
DGRAPH_DECL void StringSplitV2::shape(ShapeContext& c) { detail::split_shape(c); }

DGRAPH_DECL void Substr::shape(ShapeContext& c) {
  if (!c.input(1).compatible_with(c.input(2)))
    fail(Code::InvalidArgument, "pos and len must have one shape, not ", c.input(1), " and ",
         c.input(2));
  c.set_output(0, broadcast_shapes(c.input(0), c.input(1).merged_with(c.input(2))));
}

DGRAPH_DECL void RegexReplace::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.with_rank(2, 0);
  c.set_output(0, c.input(0));
}

DGRAPH_DECL void RegexFullMatch::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, c.input(0));
}

}  // namespace ops
}  // namespace dgraph
