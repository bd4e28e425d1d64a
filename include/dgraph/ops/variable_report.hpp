#pragma once
// Which variables have no value yet.

#include <string>
#include <vector>

#include <dgraph/ops/variable.hpp>

namespace dgraph {

/// The names of those of the variables (handles) that have no value: a vector of strings, empty where all have one.
Op<std::string> report_uninitialized_variables(const std::vector<Output>& variables,
                                               OpName name = {});
/// The same of all variables made so far in this thread's default graph.
Op<std::string> report_uninitialized_variables(OpName name = {});

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/variable_report.ipp>
#endif
