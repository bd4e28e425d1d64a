#pragma once
#include <dgraph/ops/control_flow.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void switch_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(0));
}

// What is known of all inputs alike: one of them passes, and in a loop a later one may be no subset of the first.
DGRAPH_DECL void merge_shape(ShapeContext& c) {
  c.set_output(1, PartialShape::scalar());
  PartialShape all = c.input(0);
  for (std::size_t i = 1; i < c.num_inputs(); ++i) {
    const PartialShape& in = c.input(i);
    if (!all.has_rank() || !in.has_rank() || in.rank() != all.rank()) return;
    Dims dims = all.dims();
    for (std::size_t k = 0; k < dims.size(); ++k)
      if (dims[k] != in[k]) dims[k] = PartialShape::kUnknown;
    all = PartialShape(std::move(dims));
  }
  c.set_output(0, std::move(all));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Switch::shape(ShapeContext& c) { detail::switch_shape(c); }
DGRAPH_DECL void RefSwitch::shape(ShapeContext& c) { detail::switch_shape(c); }
DGRAPH_DECL void Merge::shape(ShapeContext& c) { detail::merge_shape(c); }
DGRAPH_DECL void RefMerge::shape(ShapeContext& c) { detail::merge_shape(c); }

}  // namespace ops
}  // namespace dgraph
