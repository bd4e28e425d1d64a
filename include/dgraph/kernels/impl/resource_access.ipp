#pragma once
#include <dgraph/kernels/resource_access.hpp>

#include <array>
#include <utility>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/gather.hpp>
#include <dgraph/kernels/variable_access.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL void run_resource_gather(KernelContext& c) {
  std::array<Tensor, 2> inputs{variable_input(c).read(), c.take_input(1)};
  const Tensor &params = inputs[0], &indices = inputs[1];
  const auto batch = static_cast<std::size_t>(c.config<std::int64_t>());
  if (params.rank() <= batch || indices.rank() < batch)
    fail(Code::InvalidArgument, "rows of a variable of shape ", params.shape(),
         " cannot be taken by indices of shape ", indices.shape(), " with batch_dims ", batch);
  for (std::size_t i = 0; i < batch; ++i)
    if (params.dim(i) != indices.dim(i))
      fail(Code::InvalidArgument, "params.shape[", i, "]: ", params.dim(i),
           " should be equal to indices.shape[", i, "]: ", indices.dim(i));
  const DType dtype = c.output_dtype(0);
  KernelContext inner(inputs, {&c.output(0), 1}, {&dtype, 1}, nullptr, nullptr, c.services());
  gather_along(inner, batch, batch);
}

DGRAPH_DECL void run_variable_shape(KernelContext& c) {
  c.set_output(0, integer_vector(c.output_dtype(0), variable_input(c).read().shape().dims()));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::ResourceGather>::make(const KernelRequest& r) {
  const auto batch = r.attr<std::int64_t>("batch_dims");
  if (batch < 0) fail(Code::InvalidArgument, "batch_dims must be 0 or more, not ", batch);
  return detail::plain_kernel(&detail::run_resource_gather).with(batch);
}
DGRAPH_DECL Kernel Kernels<ops::VariableShape>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_variable_shape);
}

}  // namespace dgraph
