#pragma once
#include <dgraph/kernels/selection.hpp>

#include <algorithm>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/compare.hpp>
#include <dgraph/kernels/elementwise.hpp>

namespace dgraph {
namespace detail {

inline constexpr std::int64_t kWhereBlock = 4096;

// Calls `found(position)` for each element that is not zero, in order.
template <class Found>
void for_each_true(const Tensor& input, const CastChain& to_bool, Found found) {
  std::uint8_t block[kWhereBlock];
  const auto size = static_cast<std::int64_t>(dtype_size(input.dtype()));
  for (std::int64_t at = 0; at < input.elements(); at += kWhereBlock) {
    const std::int64_t n = std::min(kWhereBlock, input.elements() - at);
    const std::uint8_t* flags = reinterpret_cast<const std::uint8_t*>(input.raw()) + at;
    if (to_bool.count) {
      to_bool.run(input.raw() + at * size, block, n);
      flags = block;
    }
    for (std::int64_t i = 0; i < n; ++i)
      if (flags[i]) found(at + i);
  }
}

DGRAPH_DECL void run_where(KernelContext& context) {
  const CastChain& to_bool = context.config<CastChain>();
  const Tensor& input = context.input(0);
  const std::size_t rank = input.rank();
  std::int64_t count = 0;
  for_each_true(input, to_bool, [&count](std::int64_t) { ++count; });
  std::int64_t* to = context.allocate_output(0, Shape{count, static_cast<std::int64_t>(rank)})
                         .mutable_data<std::int64_t>();
  const Dims& dims = input.shape().dims();
  for_each_true(input, to_bool, [&](std::int64_t position) {
    for (std::size_t axis = rank; axis-- > 0; position /= dims[axis])
      to[axis] = position % dims[axis];
    to += rank;
  });
}

}  // namespace detail

// Select's loop over operands that are broadcast.
DGRAPH_DECL Kernel Kernels<ops::SelectV2>::make(const KernelRequest& r) {
  Kernel kernel = Kernels<ops::Select>::make(r);
  kernel.run = &detail::run_elementwise;
  return kernel;
}
DGRAPH_DECL Kernel Kernels<ops::Where>::make(const KernelRequest& r) {
  if (!is_plain(r.input_dtypes[0])) detail::no_kernel_for(r, r.input_dtypes[0]);
  Kernel kernel;
  kernel.run = &detail::run_where;
  kernel.with(detail::make_cast_chain(r.input_dtypes[0], DType::Bool));
  return kernel;
}

}  // namespace dgraph
