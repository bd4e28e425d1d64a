#pragma once
#include <dgraph/ops/common_shapes.hpp>

namespace dgraph::shapes {

DGRAPH_DECL void unchanged(ShapeContext& c) {
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.input(0));
}

DGRAPH_DECL void scalar(ShapeContext& c) {
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape::scalar());
}

DGRAPH_DECL void broadcast(ShapeContext& c) { c.set_output(0, broadcast_shapes(c.input(0), c.input(1))); }

DGRAPH_DECL void all_same(ShapeContext& c) {
  PartialShape shape = c.input(0);
  for (std::size_t i = 1; i < c.num_inputs(); ++i) {
    if (!shape.compatible_with(c.input(i)))
      fail(Code::InvalidArgument, "all inputs must have one shape, but input ", i, " has ", c.input(i),
           " after ", shape);
    shape = shape.merged_with(c.input(i));
  }
  c.set_output(0, std::move(shape));
}

DGRAPH_DECL std::size_t axis(std::int64_t axis, std::size_t rank) {
  const auto r = static_cast<std::int64_t>(rank);
  if (axis < -r || axis >= r)
    fail(Code::InvalidArgument, "axis ", axis, " is out of range for a tensor of rank ", rank);
  return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

DGRAPH_DECL void reduction(ShapeContext& c) {
  const PartialShape& in = c.input(0);
  const bool keep = c.attr<bool>("keep_dims");
  if (c.input(1).has_rank() && c.input(1).rank() > 1)
    fail(Code::InvalidArgument, "the axes must be a scalar or a vector, not of shape ", c.input(1));
  const auto axes = c.integers(1);
  if (!in.has_rank()) {
    if (axes && axes->empty()) c.set_output(0, in);
    return;
  }
  if (!axes) {
    if (keep) c.set_output(0, PartialShape::of_rank(in.rank()));
    return;
  }
  Dims left = in.dims();
  std::size_t removed = 0;
  bool all_known = true;
  constexpr std::int64_t kReduced = -2;
  for (std::int64_t a : *axes) {
    if (a == kUnknownValue) {
      all_known = false;
      continue;
    }
    std::int64_t& d = left[axis(a, in.rank())];
    if (d == kReduced) fail(Code::InvalidArgument, "axis ", a, " is to be reduced twice");
    d = kReduced;
    ++removed;
  }
  if (!all_known) {
    if (keep)
      c.set_output(0, PartialShape::of_rank(in.rank()));
    else if (axes->size() <= in.rank())
      c.set_output(0, PartialShape::of_rank(in.rank() - axes->size()));
    return;
  }
  Dims out;
  for (std::int64_t d : left) {
    if (d != kReduced)
      out.push_back(d);
    else if (keep)
      out.push_back(1);
  }
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace dgraph::shapes
