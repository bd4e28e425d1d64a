#pragma once
#include <dgraph/graph/shape_context.hpp>

#include <dgraph/graph/constant_value.hpp>

namespace dgraph {

DGRAPH_DECL const AttrValue& ShapeContext::attr(std::string_view name) const {
  const int index = def_.attr_index(name);
  if (index < 0) fail(Code::Internal, "op ", def_.name, " has no attribute ", name);
  return attrs_[static_cast<std::size_t>(index)];
}

DGRAPH_DECL PartialShape ShapeContext::with_rank(std::size_t i, std::size_t rank) const {
  const PartialShape& shape = input(i);
  if (!shape.has_rank()) return PartialShape::of_rank(rank);
  if (shape.rank() != rank)
    fail(Code::InvalidArgument, "input ", i, " must have rank ", rank, ", not shape ", shape);
  return shape;
}

DGRAPH_DECL PartialShape ShapeContext::with_rank_at_least(std::size_t i, std::size_t rank) const {
  const PartialShape& shape = input(i);
  if (shape.has_rank() && shape.rank() < rank)
    fail(Code::InvalidArgument, "input ", i, " must have rank ", rank, " or more, not shape ", shape);
  return shape;
}

DGRAPH_DECL std::optional<Tensor> ShapeContext::constant(std::size_t i) const {
  return constant_tensor(core_, inputs_[i]);
}

DGRAPH_DECL std::optional<Dims> ShapeContext::integers(std::size_t i) const {
  return constant_integers(core_, inputs_[i]);
}

DGRAPH_DECL PartialShape ShapeContext::as_shape(std::size_t i) const {
  if (auto values = integers(i)) {
    for (std::int64_t& d : *values) {
      if (d == kUnknownValue) d = PartialShape::kUnknown;
      if (d < -1) fail(Code::InvalidArgument, "a shape has the negative dimension ", d);
    }
    return PartialShape(std::move(*values));
  }
  const PartialShape& shape = input(i);
  if (shape.has_rank() && shape.rank() == 1 && shape[0] >= 0 && shape[0] <= 254)
    return PartialShape::of_rank(static_cast<std::size_t>(shape[0]));
  return {};
}

namespace detail {

DGRAPH_DECL void run_shape_rule(const GraphCore& core, const OpDef& def, const AttrList& attrs,
                                std::span<const Endpoint> inputs, std::span<const OutputInfo> outputs,
                                std::span<PartialShape> shapes) {
  if (!def.shape) return;
  ShapeContext context(core, def, attrs, inputs, outputs, shapes);
  def.shape(context);
}

}  // namespace detail
}  // namespace dgraph
