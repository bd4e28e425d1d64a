#pragma once
// What an op of the standard set can do, found out by building one of it and asking its rules and
// kernel.

#include <string>
#include <vector>

#include <dgraph/base/dtype.hpp>
#include <dgraph/graph/op_def.hpp>

namespace op_table {

/// The op types of StandardOps, in alphabetical order.
std::vector<const dgraph::OpDef*> standard_ops();

enum class GradientKind {
  NoRule,     ///< asking for a gradient through it is an error
  NoneFlows,  ///< it has a rule that gives no input a gradient
  Flows,
  Nowhere,  ///< no input or no output is of a dtype that has gradients
};
GradientKind gradient_kind(const dgraph::OpDef& def);

/// The values of one type attribute.
struct TypeSupport {
  std::string attr;
  dgraph::DTypeSet with_kernel, without_kernel;
};
/// For each type attribute that its signature leaves open; other ones as `gradient_kind` chooses them.
std::vector<TypeSupport> type_support(const dgraph::OpDef& def);

}  // namespace op_table
