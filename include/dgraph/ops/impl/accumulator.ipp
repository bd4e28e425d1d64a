#pragma once
#include <dgraph/ops/accumulator.hpp>

namespace dgraph::detail {

DGRAPH_DECL void scalar_output_shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
DGRAPH_DECL void scalar_input_shape(ShapeContext& c) { c.with_rank(1, 0); }

// What the accumulator's node says of its gradients.
DGRAPH_DECL PartialShape accumulated_shape(ShapeContext& c) {
  const Node& node = c.producer(0);
  const int at = node.def->attr_index("shape");
  if (at < 0) return {};
  const AttrValue& value = (*node.attrs)[static_cast<std::size_t>(at)];
  return value.holds<PartialShape>() ? value.get<PartialShape>() : PartialShape();
}

DGRAPH_DECL void take_gradient_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, accumulated_shape(c));
}

DGRAPH_DECL void sparse_take_gradient_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  const PartialShape whole = accumulated_shape(c);
  c.set_output(0, PartialShape::of_rank(1));
  c.set_output(2, PartialShape::of_rank(1));
  if (!whole.has_rank() || whole.rank() == 0) return;
  Dims dims = whole.dims();
  dims[0] = PartialShape::kUnknown;
  c.set_output(1, PartialShape(std::move(dims)));
  c.set_output(2, PartialShape{static_cast<std::int64_t>(whole.rank())});
}

DGRAPH_DECL void sparse_apply_gradient_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.with_rank(2, 1);
  c.with_rank_at_least(3, 1);
}

}  // namespace dgraph::detail
