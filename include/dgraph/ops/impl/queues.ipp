#pragma once
#include <dgraph/ops/queues.hpp>

#include <algorithm>

namespace dgraph::detail {

DGRAPH_DECL std::vector<PartialShape> partial_shapes(const std::vector<Shape>& shapes) {
  return {shapes.begin(), shapes.end()};
}

DGRAPH_DECL std::vector<AttrArg> shuffle_attrs(std::int64_t min_after_dequeue, Seed seed) {
  const SeedPair seeds = seed_pair(*need_build_context().core, seed);
  return {{"min_after_dequeue", min_after_dequeue}, {"seed", seeds.seed}, {"seed2", seeds.seed2}};
}

DGRAPH_DECL QueueNode::QueueNode(const OpDef& def, std::vector<DType> types,
                                 std::vector<PartialShape> shapes, std::vector<AttrArg> attrs,
                                 std::int64_t capacity, std::string_view shared_name,
                                 const OpName& name)
    : types_(std::move(types)), shapes_(std::move(shapes)) {
  NodeBuilder builder(def, name);
  // The priority is a component that neither attribute counts.
  const bool priority = def.name == "PriorityQueueV2";
  builder.attr("component_types", std::vector<DType>(types_.begin() + priority, types_.end()));
  builder.attr("shapes", shapes_);
  builder.attr("capacity", capacity);
  builder.attr("shared_name", shared_name);
  for (AttrArg& attr : attrs) builder.attr(attr.name, std::move(attr.value));
  handle_ = builder.add();
  if (priority && (!shapes_.empty() || types_.size() == 1))
    shapes_.insert(shapes_.begin(), PartialShape::scalar());
}

DGRAPH_DECL Output QueueNode::enqueue(bool many, const std::vector<const AnyValueArg*>& values,
                                      const OpName& name) const {
  const OpDef& def =
      many ? definition<ops::QueueEnqueueManyV2>() : definition<ops::QueueEnqueueV2>();
  NodeBuilder builder(def, name);
  builder.input(handle_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Output value = values[i]->node(name.location, handle_.core());
    PartialShape shape = i < shapes_.size() ? shapes_[i] : PartialShape();
    if (many && shape.has_rank()) {
      Dims dims{PartialShape::kUnknown};
      for (const std::int64_t d : shape.dims()) dims.push_back(d);
      shape = PartialShape(std::move(dims));
    }
    if (!shape.compatible_with(value.shape())) {
      Status status =
          errors::InvalidArgument("component ", i, " of the queue ", handle_.name(), " has shape ",
                                  shape, ", but ", value.name(), " has ", value.shape());
      throw Error(status.at({std::string(name.name), def.name, "", "", name.location.to_string()}));
    }
    builder.input(value);
  }
  return builder.add();
}

DGRAPH_DECL std::vector<Output> all_outputs(const Output& node) {
  std::vector<Output> out;
  for (std::uint32_t i = 0; i < node.node().num_outputs; ++i)
    out.emplace_back(node.core(), node.node_id(), i);
  return out;
}

DGRAPH_DECL std::vector<Output> QueueNode::dequeue(const OpName& name) const {
  return all_outputs(add_op<ops::QueueDequeueV2>(name, handle_, "component_types", types_));
}

DGRAPH_DECL std::vector<Output> QueueNode::dequeue_many(bool up_to, const AnyValueArg& n,
                                                        const OpName& name) const {
  const OpDef& def =
      up_to ? definition<ops::QueueDequeueUpToV2>() : definition<ops::QueueDequeueManyV2>();
  if (shapes_.empty()) {
    Status status = errors::InvalidArgument("several elements of the queue ", handle_.name(),
                                            " cannot be taken at once: it was made without shapes");
    throw Error(status.at({std::string(name.name), def.name, "", "", name.location.to_string()}));
  }
  NodeBuilder builder(def, name);
  builder.input(handle_);
  builder.input(n.node(name.location, handle_.core()));
  builder.attr("component_types", types_);
  return all_outputs(builder.add());
}

DGRAPH_DECL Output QueueNode::close(bool cancel_pending_enqueues, const OpName& name) const {
  return add_op<ops::QueueCloseV2>(name, handle_, "cancel_pending_enqueues",
                                   cancel_pending_enqueues);
}
DGRAPH_DECL Output QueueNode::size(const OpName& name) const {
  return add_op<ops::QueueSizeV2>(name, handle_);
}
DGRAPH_DECL Output QueueNode::is_closed(const OpName& name) const {
  return add_op<ops::QueueIsClosedV2>(name, handle_);
}

}  // namespace dgraph::detail
