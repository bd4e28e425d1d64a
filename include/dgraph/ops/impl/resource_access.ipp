#pragma once
#include <dgraph/ops/resource_access.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph::ops {

DGRAPH_DECL void ResourceGather::shape(ShapeContext& c) {
  const PartialShape variable = c.with_rank_at_least(0, 1);
  const PartialShape& indices = c.input(1);
  if (!variable.has_rank() || !indices.has_rank()) return;
  const auto batch = c.attr<std::int64_t>("batch_dims");
  if (batch < 0 || static_cast<std::size_t>(batch) > indices.rank() ||
      static_cast<std::size_t>(batch) >= variable.rank())
    fail(Code::InvalidArgument, "batch_dims, ", batch, ", must be in [0, ", indices.rank(),
         "] and less than the variable's rank, ", variable.rank());
  Dims out = indices.dims();
  for (auto i = static_cast<std::size_t>(batch) + 1; i < variable.rank(); ++i)
    out.push_back(variable[i]);
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL void ResourceGather::gradient(GradientContext& g) {
  if (!g.needs(0)) return;
  if (g.attr<std::int64_t>("batch_dims") != 0)
    fail(Code::Unimplemented, "ResourceGather has no gradient where batch_dims is not 0");
  const PartialShape& shape = g.x(0).shape();
  const Output whole = shape.fully_known()
                           ? shapes::integers(g, shape.dims())
                           : g.add<ops::VariableShape>(g.x(0), "out_type", DType::Int32);
  const Output count = g.add<ops::Reshape>(g.add<ops::Size>(g.x(1)), shapes::integers(g, {1}));
  const Output row = g.add<ops::Slice>(whole, shapes::integers(g, {1}), shapes::integers(g, {-1}));
  const Output rows = g.add<ops::ConcatV2>(std::vector<Output>{count, row}, shapes::integer(g, 0));
  g.set(0, IndexedSlices{g.add<ops::Reshape>(g.dy(), rows),
                         g.add<ops::Reshape>(g.x(1), shapes::integers(g, {-1})), whole});
}

DGRAPH_DECL void VariableShape::shape(ShapeContext& c) {
  const PartialShape& variable = c.input(0);
  c.set_output(0, variable.has_rank() ? PartialShape{static_cast<std::int64_t>(variable.rank())}
                                      : PartialShape::of_rank(1));
}

}  // namespace dgraph::ops
