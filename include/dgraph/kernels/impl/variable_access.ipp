#pragma once
#include <dgraph/kernels/variable_access.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace dgraph::detail {

DGRAPH_DECL VariableResource& variable_input(const KernelContext& c, std::size_t i) {
  return resource_as<VariableResource>(c.input(i));
}

DGRAPH_DECL void forward_handle(KernelContext& c) {
  if (c.num_outputs() > 0) c.set_output(0, c.take_input(0));
}

DGRAPH_DECL void check_value_dtype(const VariableResource& variable, DType dtype) {
  if (variable.dtype() != dtype)
    fail(Code::InvalidArgument, "variable ", variable.name(), " is ", dtype_name(variable.dtype()),
         " and cannot take ", dtype_name(dtype));
}

// Locks the variables from `first` on, one inside the other.
DGRAPH_DECL void lock_from(std::span<VariableResource* const> order, std::size_t first,
                           std::span<VariableResource* const> variables, std::span<Tensor*> values,
                           FunctionRef<void()> change) {
  if (first == order.size()) return change();
  order[first]->update([&](Tensor& value) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i] == order[first]) values[i] = &value;
    lock_from(order, first + 1, variables, values, change);
  });
}

DGRAPH_DECL void update_variables(std::span<VariableResource* const> variables,
                                  std::span<Tensor*> values, FunctionRef<void()> change) {
  // In the order of their addresses, so that two nodes never wait for each other.
  std::vector<VariableResource*> order(variables.begin(), variables.end());
  std::sort(order.begin(), order.end(), std::less<>());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  lock_from(order, 0, variables, values, change);
}

}  // namespace dgraph::detail
