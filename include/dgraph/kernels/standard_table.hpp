#pragma once
// OpTables: the signatures and kernels of an op set; those of the standard ops are compiled once in dgraph::compiled.

#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/ops/standard.hpp>

namespace dgraph {

/// The kernel table of StandardOps.
const KernelEntry* find_standard_kernel(std::string_view name);
/// The signature table of StandardOps.
const OpDef* find_standard_signature(std::string_view name);

/// What a server of these ops is made with. Kernels of other sets than the standard one are instantiated where this is used.
template <class Ops>
struct OpTables {
  static constexpr KernelLookup kernels = &find_kernel<Ops>;
  static constexpr OpLookup ops = &find_signature<Ops>;
};
template <>
struct OpTables<StandardOps> {
  static constexpr KernelLookup kernels = &find_standard_kernel;
  static constexpr OpLookup ops = &find_standard_signature;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/standard_table.ipp>
#endif
