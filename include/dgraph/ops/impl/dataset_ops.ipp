#pragma once
#include <dgraph/ops/dataset_ops.hpp>

namespace dgraph::ops {

DGRAPH_DECL void IteratorGetNext::shape(ShapeContext& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  if (shapes.size() != c.num_outputs())
    fail(Code::InvalidArgument, "output_shapes has ", shapes.size(), " shapes for ", c.num_outputs(), " components");
  for (std::size_t i = 0; i < shapes.size(); ++i) c.set_output(i, shapes[i]);
}

}  // namespace dgraph::ops
