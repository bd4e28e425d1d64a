#pragma once
#include <dgraph/kernels/stack.hpp>

#include <utility>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {

DGRAPH_DECL void StackResource::check(DType dtype) const {
  if (closed_) fail(Code::InvalidArgument, "the stack is closed already");
  if (dtype != dtype_)
    fail(Code::InvalidArgument, "a value of ", dtype_name(dtype), " on a stack of ", dtype_name(dtype_));
}

DGRAPH_DECL void StackResource::push(Tensor value) {
  std::lock_guard lock(mutex_);
  check(value.dtype());
  if (most_ >= 0 && static_cast<std::int64_t>(values_.size()) >= most_)
    fail(Code::InvalidArgument, "the stack is full: its max_size is ", most_);
  values_.push_back(std::move(value));
}

DGRAPH_DECL Tensor StackResource::pop(DType dtype) {
  std::lock_guard lock(mutex_);
  check(dtype);
  if (values_.empty()) fail(Code::InvalidArgument, "the stack is empty: there is nothing to pop");
  Tensor out = std::move(values_.back());
  values_.pop_back();
  return out;
}

DGRAPH_DECL void StackResource::close() {
  std::vector<Tensor> gone;
  std::lock_guard lock(mutex_);
  closed_ = true;
  gone.swap(values_);
}

namespace detail {

DGRAPH_DECL void run_stack(KernelContext& c) {
  const Tensor& most = c.input(0);
  if (most.rank() != 0) fail(Code::InvalidArgument, "max_size must be a scalar, not a tensor of shape ", most.shape());
  c.set_output(0, make_handle(make_ref<StackResource>(c.config<DType>(), *most.data<std::int32_t>())));
}

DGRAPH_DECL void run_stack_push(KernelContext& c) {
  resource_as<StackResource>(c.input(0)).push(c.input(1));
  c.set_output(0, c.take_input(1));
}

DGRAPH_DECL void run_stack_pop(KernelContext& c) {
  c.set_output(0, resource_as<StackResource>(c.input(0)).pop(c.output_dtype(0)));
}

DGRAPH_DECL void run_stack_close(KernelContext& c) { resource_as<StackResource>(c.input(0)).close(); }

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::StackV2>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_stack, true).with(r.dtype("elem_type"));
}
DGRAPH_DECL Kernel Kernels<ops::StackPushV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stack_push, true);
}
DGRAPH_DECL Kernel Kernels<ops::StackPopV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stack_pop, true);
}
DGRAPH_DECL Kernel Kernels<ops::StackCloseV2>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_stack_close, true);
}

}  // namespace dgraph
