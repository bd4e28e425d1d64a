#pragma once
// What kernels on strings share: scalar strings, and one result for each string.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

/// The string that input i, a scalar, holds; throws InvalidArgument for other shapes.
inline const std::string& scalar_string(const KernelContext& c, std::size_t i,
                                        std::string_view what) {
  if (c.input(i).rank() > 0)
    fail(Code::InvalidArgument, what, " must be a scalar, not of shape ", c.input(i).shape());
  return *c.input(i).data<std::string>();
}

/// Output 0, of input 0's shape, is `change` of each string; over the pool where there are many.
template <class T, class F>
void map_strings(KernelContext& c, double ns_each, F change) {
  const Tensor& in = c.input(0);
  Tensor& out = c.allocate_output(0, in.shape());
  const std::string* const from = in.data<std::string>();
  T* const to = out.mutable_data<T>();
  c.parallel_for(in.elements(), ns_each, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = change(from[i]);
  });
}

}  // namespace dgraph::detail
