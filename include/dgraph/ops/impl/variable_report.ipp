#pragma once
#include <dgraph/ops/variable_report.hpp>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/selection.hpp>

namespace dgraph {

DGRAPH_DECL Op<std::string> report_uninitialized_variables(const std::vector<Output>& variables,
                                                           OpName name) {
  const auto scope = name_scope(name.name.empty() ? "report_uninitialized_variables" : name.name);
  std::vector<std::string> names;
  std::vector<Op<bool>> missing;
  for (const Output& variable : variables) {
    detail::need_variable(variable);
    names.emplace_back(variable.node().name);
    const Output has_value =
        variable.dtype() == DType::Resource
            ? add_op<ops::VarIsInitializedOp>(OpName(name.location), variable)
            : add_op<ops::IsVariableInitialized>(OpName(name.location), variable);
    missing.push_back(logical_not(Op<bool>(has_value), OpName(name.location)));
  }
  const auto all = constant(names, OpName("names", name.location));
  if (names.empty()) return all;
  return boolean_mask(all, stack(missing, 0, OpName(name.location)), 0, OpName(name.location));
}

DGRAPH_DECL Op<std::string> report_uninitialized_variables(OpName name) {
  return report_uninitialized_variables(global_variables(), name);
}

}  // namespace dgraph
