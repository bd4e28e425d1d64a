#pragma once
#include <dgraph/kernels/standard_table.hpp>

#include <dgraph/kernels/standard.hpp>

namespace dgraph {

DGRAPH_DECL const KernelEntry* find_standard_kernel(std::string_view name) { return find_kernel<StandardOps>(name); }
DGRAPH_DECL const OpDef* find_standard_signature(std::string_view name) { return find_signature<StandardOps>(name); }

}  // namespace dgraph
