#pragma once
#include <dgraph/ops/training.hpp>

namespace dgraph::shapes {

DGRAPH_DECL void training(ShapeContext& c) {
  const std::vector<ArgDef>& args = c.def().inputs;
  PartialShape shape = c.input(0), rows;
  bool sparse = false;
  const auto merge = [&](PartialShape& into, const PartialShape& other, const ArgDef& arg) {
    if (!into.compatible_with(other))
      fail(Code::InvalidArgument, "the variable has shape ", c.input(0), ", but ", arg.name,
           " has ", other);
    into = into.merged_with(other);
  };
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i].name == "indices") {
      rows = c.with_rank(i, 1);
      sparse = true;
      shape = c.with_rank_at_least(0, 1);
    }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ArgDef& arg = args[i];
    if (arg.name == "indices") continue;
    if (arg.ref || arg.dtype == DType::Resource) {
      merge(shape, c.input(i), arg);
    } else if (arg.name != "grad" && arg.name != "delta") {
      c.with_rank(i, 0);
    } else if (!sparse) {
      merge(shape, c.input(i), arg);
    } else if (shape.has_rank()) {
      // All but the first dimension, which counts the indices.
      Dims wanted = shape.dims();
      wanted[0] = rows.has_rank() ? rows[0] : PartialShape::kUnknown;
      PartialShape expected(wanted);
      if (!expected.compatible_with(c.input(i)))
        fail(Code::InvalidArgument, arg.name, " must have shape ", expected,
             ", a row for each index, not ", c.input(i));
    }
  }
  if (c.num_outputs() > 0) c.set_output(0, shape);
}

}  // namespace dgraph::shapes
