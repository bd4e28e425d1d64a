#pragma once
#include <dgraph/kernels/state.hpp>

#include <mutex>
#include <string>
#include <utility>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/variable_access.hpp>

namespace dgraph {
namespace detail {

// Which variable a node means, and what it takes it to be.
struct VariableConfig {
  std::string container;  // empty: the task's own
  std::string name;
  DType dtype;
  PartialShape shape;
};

// The handle that a node of a session gave last; found by name anew once its task has forgotten resources.
struct FoundVariable final : Counted {
  std::mutex mutex;
  std::uint64_t generation = 0;
  Tensor handle;
};

DGRAPH_DECL Ref<Counted> make_found_variable(const KernelRequest&, std::uint64_t) {
  return make_ref<FoundVariable>();
}

DGRAPH_DECL Kernel variable_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  VariableConfig config{r.attr<std::string>("container"), r.attr<std::string>("shared_name"),
                        r.dtype("dtype"), r.attr<PartialShape>("shape")};
  if (config.name.empty()) config.name = r.name;
  Kernel kernel = plain_kernel(run, true);
  kernel.make_state = &make_found_variable;
  return kernel.with(std::move(config));
}

DGRAPH_DECL Tensor find_variable(KernelContext& c) {
  const auto& config = c.config<VariableConfig>();
  const std::string& container =
      config.container.empty() ? c.services().default_container() : config.container;
  Ref<VariableResource> variable = c.services().resources().find_or_create<VariableResource>(
      container, config.name,
      [&] { return make_ref<VariableResource>(config.name, config.dtype, config.shape); });
  if (variable->dtype() != config.dtype || !variable->shape().compatible_with(config.shape))
    fail(Code::InvalidArgument, "variable ", config.name, " in container ", container,
         " of this server is ", dtype_name(variable->dtype()), variable->shape(),
         ", but this graph has ", dtype_name(config.dtype), config.shape,
         " under that name: give it another name or container, or clear the container with reset");
  return make_handle(std::move(variable));
}

DGRAPH_DECL void run_variable(KernelContext& c) {
  auto& found = c.state<FoundVariable>();
  std::lock_guard lock(found.mutex);
  const std::uint64_t generation = c.services().resources().generation();
  if (found.generation != generation) {
    found.handle = find_variable(c);
    found.generation = generation;
  }
  c.set_output(0, found.handle);
}

DGRAPH_DECL void run_read_variable(KernelContext& c) {
  Tensor value = variable_input(c).read();
  if (value.dtype() != c.output_dtype(0))
    fail(Code::InvalidArgument, "variable ", variable_input(c).name(), " is ",
         dtype_name(value.dtype()), ", not ", dtype_name(c.output_dtype(0)));
  c.set_output(0, std::move(value));
}

DGRAPH_DECL void run_is_initialized(KernelContext& c) {
  c.set_output(0, Tensor::scalar(variable_input(c).initialized()));
}

// A variable outlives the step, and with it memory that was only lent to the step must not be kept.
DGRAPH_DECL Tensor kept_value(Tensor value) {
  return value.buffer() && !value.buffer()->writable() ? value.clone() : value;
}

DGRAPH_DECL void run_assign(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  Tensor value = kept_value(c.take_input(1));
  check_value_dtype(variable, value.dtype());
  const bool validate = c.config<bool>();
  variable.update([&](Tensor& now) {
    const PartialShape shape = now.has_value() ? PartialShape(now.shape()) : variable.shape();
    if (validate && !shape.compatible_with(value.shape()))
      fail(Code::InvalidArgument, "Assign requires shapes of both tensors to match. variable ",
           variable.name(), ": lhs shape= ", shape, " rhs shape= ", value.shape());
    std::swap(now, value);
  });
  forward_handle(c);
}

// The shape of a resource variable that was given one is kept, unlike its value's.
DGRAPH_DECL void run_assign_variable(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  Tensor value = kept_value(c.take_input(1));
  check_value_dtype(variable, value.dtype());
  if (!variable.shape().compatible_with(value.shape()))
    fail(Code::InvalidArgument, "Assign requires shapes of both tensors to match. variable ",
         variable.name(), ": lhs shape= ", variable.shape(), " rhs shape= ", value.shape());
  variable.assign(std::move(value));
  forward_handle(c);
}

// Replaces the value by what `compute(out, now)` makes of it: in place where nobody else reads it,
// else in the memory of `spare` where nobody else reads that, else in new memory.
template <class F>
void replace_value(const VariableResource& variable, Tensor& now, Tensor& spare, F compute) {
  if (!now.has_value()) variable.throw_uninitialized();
  if (now.unique()) {
    compute(now.mutable_raw(), now.raw());
    return;
  }
  Tensor out = spare.unique() && spare.shape() == now.shape() ? std::move(spare)
                                                              : Tensor(now.dtype(), now.shape());
  compute(out.mutable_raw(), now.raw());
  now = std::move(out);
}

DGRAPH_DECL void check_same_shape(const VariableResource& variable, const Tensor& now,
                                  const Tensor& value) {
  if (now.has_value() && !(now.shape() == value.shape()))
    fail(Code::InvalidArgument, "variable ", variable.name(), " of shape ", now.shape(),
         " cannot be changed by a tensor of shape ", value.shape());
}

DGRAPH_DECL void run_assign_sum(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  Tensor value = c.take_input(1);
  check_value_dtype(variable, value.dtype());
  variable.update([&](Tensor& now) {
    check_same_shape(variable, now, value);
    const std::byte* change = value.raw();
    replace_value(variable, now, value, [&](std::byte* out, const std::byte* old) {
      c.config<RowSum>()(out, old, change, now.elements());
    });
  });
  forward_handle(c);
}

DGRAPH_DECL void run_gradient_descent(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  const Tensor& alpha = c.input(1);
  Tensor delta = c.take_input(2);
  check_value_dtype(variable, delta.dtype());
  if (alpha.elements() != 1 || alpha.rank() > 0)
    fail(Code::InvalidArgument, "alpha is not a scalar: ", alpha.shape());
  variable.update([&](Tensor& now) {
    check_same_shape(variable, now, delta);
    const std::byte* change = delta.raw();
    replace_value(variable, now, delta, [&](std::byte* out, const std::byte* old) {
      c.config<ScaledDifference>()(out, old, alpha.raw(), change, now.elements());
    });
  });
  forward_handle(c);
}

template <class T>
void count_up(const VariableResource& variable, Tensor& now, std::int64_t limit, Tensor& out) {
  const T value = *now.data<T>();
  if (value >= limit)
    fail(Code::OutOfRange, "variable ", variable.name(), " has reached its limit of ", limit);
  out = Tensor::scalar(value);
  now = Tensor::scalar(static_cast<T>(value + 1));
}

DGRAPH_DECL void run_count_up_to(KernelContext& c) {
  VariableResource& variable = variable_input(c);
  check_value_dtype(variable, c.output_dtype(0));
  const std::int64_t limit = c.config<std::int64_t>();
  variable.update([&](Tensor& now) {
    if (!now.has_value()) variable.throw_uninitialized();
    if (now.rank() > 0)
      fail(Code::InvalidArgument, "variable ", variable.name(), " of shape ", now.shape(), " is no scalar");
    if (now.dtype() == DType::Int32)
      count_up<std::int32_t>(variable, now, limit, c.output(0));
    else
      count_up<std::int64_t>(variable, now, limit, c.output(0));
  });
}

DGRAPH_DECL Kernel row_sum_kernel(const KernelRequest& r, void (*run)(KernelContext&),
                                  RowSum (*sum)(DType) noexcept) {
  const RowSum chosen = sum(r.input_dtypes.back());
  if (!chosen) no_kernel_for(r, r.input_dtypes.back());
  return plain_kernel(run).with(chosen);
}

DGRAPH_DECL Kernel gradient_descent_kernel(const KernelRequest& r) {
  const ScaledDifference chosen = scaled_difference(r.dtype("T"));
  if (!chosen) no_kernel_for(r, r.dtype("T"));
  return plain_kernel(&run_gradient_descent).with(chosen);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::VariableV2>::make(const KernelRequest& r) {
  return detail::variable_kernel(r, &detail::run_variable);
}
DGRAPH_DECL Kernel Kernels<ops::Variable>::make(const KernelRequest& r) {
  return detail::variable_kernel(r, &detail::run_variable);
}
DGRAPH_DECL Kernel Kernels<ops::VarHandleOp>::make(const KernelRequest& r) {
  return detail::variable_kernel(r, &detail::run_variable);
}
DGRAPH_DECL Kernel Kernels<ops::IsVariableInitialized>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_is_initialized, true);
}
DGRAPH_DECL Kernel Kernels<ops::VarIsInitializedOp>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_is_initialized, true);
}
DGRAPH_DECL Kernel Kernels<ops::ReadVariableOp>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_read_variable, true);
}
DGRAPH_DECL Kernel Kernels<ops::Assign>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_assign, true).with(r.attr<bool>("validate_shape"));
}
DGRAPH_DECL Kernel Kernels<ops::AssignVariableOp>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_assign_variable, true);
}
DGRAPH_DECL Kernel Kernels<ops::AssignAdd>::make(const KernelRequest& r) {
  return detail::row_sum_kernel(r, &detail::run_assign_sum, &detail::RowSum::add);
}
DGRAPH_DECL Kernel Kernels<ops::AssignSub>::make(const KernelRequest& r) {
  return detail::row_sum_kernel(r, &detail::run_assign_sum, &detail::RowSum::subtract);
}
DGRAPH_DECL Kernel Kernels<ops::AssignAddVariableOp>::make(const KernelRequest& r) {
  return detail::row_sum_kernel(r, &detail::run_assign_sum, &detail::RowSum::add);
}
DGRAPH_DECL Kernel Kernels<ops::AssignSubVariableOp>::make(const KernelRequest& r) {
  return detail::row_sum_kernel(r, &detail::run_assign_sum, &detail::RowSum::subtract);
}
DGRAPH_DECL Kernel Kernels<ops::ApplyGradientDescent>::make(const KernelRequest& r) {
  return detail::gradient_descent_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::ResourceApplyGradientDescent>::make(const KernelRequest& r) {
  return detail::gradient_descent_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::CountUpTo>::make(const KernelRequest& r) {
  if (r.output_dtypes[0] != DType::Int32 && r.output_dtypes[0] != DType::Int64)
    detail::no_kernel_for(r, r.output_dtypes[0]);
  return detail::plain_kernel(&detail::run_count_up_to, true).with(r.attr<std::int64_t>("limit"));
}

}  // namespace dgraph
