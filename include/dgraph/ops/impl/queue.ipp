#pragma once
#include <dgraph/ops/queue.hpp>

#include <string>
#include <vector>

#include <dgraph/ops/integers.hpp>

namespace dgraph::detail {

DGRAPH_DECL void queue_handle_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::scalar());
  const auto& types = c.attr<std::vector<DType>>("component_types");
  const auto& shapes = c.attr<std::vector<PartialShape>>("shapes");
  if (!shapes.empty() && shapes.size() != types.size())
    fail(Code::InvalidArgument, "shapes has ", shapes.size(), " entries for ", types.size(),
         " components");
}

DGRAPH_DECL void queue_scalar_shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }

// What the queue's node says of component i of an element.
DGRAPH_DECL PartialShape component_shape(ShapeContext& c, std::size_t i) {
  const Node& queue = c.producer(0);
  const int at = queue.def->attr_index("shapes");
  if (at < 0) return {};
  const AttrValue& value = (*queue.attrs)[static_cast<std::size_t>(at)];
  if (!value.holds<std::vector<PartialShape>>()) return {};
  const auto& shapes = value.get<std::vector<PartialShape>>();
  if (queue.def->name.starts_with("PriorityQueue")) {
    if (i == 0) return PartialShape::scalar();
    --i;
  }
  return i < shapes.size() ? shapes[i] : PartialShape();
}

DGRAPH_DECL void dequeue_shape(ShapeContext& c) {
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, component_shape(c, i));
}

DGRAPH_DECL void set_batch_shapes(ShapeContext& c, std::int64_t rows) {
  for (std::size_t i = 0; i < c.num_outputs(); ++i) {
    const PartialShape element = component_shape(c, i);
    if (!element.has_rank()) continue;
    Dims dims{rows};
    for (const std::int64_t d : element.dims()) dims.push_back(d);
    c.set_output(i, PartialShape(std::move(dims)));
  }
}

DGRAPH_DECL void dequeue_many_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  std::int64_t rows = PartialShape::kUnknown;
  if (const auto n = c.integers(1); n && n->size() == 1) rows = (*n)[0];
  if (rows < 0) rows = PartialShape::kUnknown;
  set_batch_shapes(c, rows);
}

DGRAPH_DECL void dequeue_up_to_shape(ShapeContext& c) {
  c.with_rank(1, 0);
  set_batch_shapes(c, PartialShape::kUnknown);
}

DGRAPH_DECL void enqueue_many_shape(ShapeContext& c) {
  PartialShape rows;
  for (std::size_t i = 1; i < c.num_inputs(); ++i) {
    const PartialShape shape = c.with_rank_at_least(i, 1);
    if (!shape.has_rank()) continue;
    const PartialShape first{shape[0]};
    if (!rows.compatible_with(first))
      fail(Code::InvalidArgument, "component ", i - 1, " of shape ", shape,
           " has not as many rows as those before it, ", rows);
    rows = rows.merged_with(first);
  }
}

}  // namespace dgraph::detail
