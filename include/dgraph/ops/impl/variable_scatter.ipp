#pragma once
#include <dgraph/ops/variable_scatter.hpp>

namespace dgraph::shapes {

DGRAPH_DECL void scatter_rows(ShapeContext& c) {
  const PartialShape var = c.with_rank_at_least(0, 1);
  const PartialShape &indices = c.input(1), &updates = c.input(2);
  if (c.num_outputs() > 0) c.set_output(0, c.input(0));
  if (!var.has_rank() || !indices.has_rank() || !updates.has_rank() || updates.rank() == 0) return;
  Dims wanted = indices.dims();
  for (std::size_t i = 1; i < var.rank(); ++i) wanted.push_back(var[i]);
  if (!PartialShape(wanted).compatible_with(updates))
    fail(Code::InvalidArgument, "updates must have shape ", PartialShape(wanted),
         ", for indices of shape ", indices, " and a variable of shape ", var, ", not ", updates);
}

DGRAPH_DECL void scatter_slices(ShapeContext& c) {
  const PartialShape var = c.with_rank_at_least(0, 1), indices = c.with_rank_at_least(1, 1);
  const PartialShape& updates = c.input(2);
  if (c.num_outputs() > 0) c.set_output(0, c.input(0));
  if (!var.has_rank() || !indices.has_rank()) return;
  Dims wanted = indices.dims();
  const std::int64_t depth = wanted.back();
  if (depth < 0) return;
  if (static_cast<std::size_t>(depth) > var.rank())
    fail(Code::InvalidArgument, "the last dimension of indices, ", depth,
         ", is more than the rank of the variable of shape ", var);
  wanted.resize(wanted.size() - 1);
  for (std::size_t i = static_cast<std::size_t>(depth); i < var.rank(); ++i)
    wanted.push_back(var[i]);
  if (!PartialShape(wanted).compatible_with(updates))
    fail(Code::InvalidArgument, "updates must have shape ", PartialShape(wanted),
         ", for indices of shape ", indices, " and a variable of shape ", var, ", not ", updates);
}

}  // namespace dgraph::shapes
