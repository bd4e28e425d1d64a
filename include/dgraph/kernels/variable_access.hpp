#pragma once
// Variables as inputs of kernels, and changing several at once (D7).

#include <cstddef>
#include <span>

#include <dgraph/base/function.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/kernels/resource.hpp>

namespace dgraph::detail {

/// The variable that input i is a handle of; throws InvalidArgument for any other input.
VariableResource& variable_input(const KernelContext& c, std::size_t i = 0);
/// An op on a reference gives it on; one on a resource gives nothing.
void forward_handle(KernelContext& c);
/// Throws InvalidArgument unless the variable takes values of that dtype.
void check_value_dtype(const VariableResource& variable, DType dtype);

/// Locks the variables, points values[i] at the value of variables[i] (none where it was never
/// assigned) and calls `change`. A variable that is given twice is locked once.
void update_variables(std::span<VariableResource* const> variables, std::span<Tensor*> values,
                      FunctionRef<void()> change);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/variable_access.ipp>
#endif
