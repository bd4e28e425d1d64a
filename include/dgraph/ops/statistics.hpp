#pragma once
// Statistics made of ops: reduce_logsumexp, reduce_variance, reduce_std, moments.

#include <utility>

#include <dgraph/ops/reduction.hpp>

namespace dgraph {
namespace detail {

Output reduce_logsumexp(const Output& x, const Axes& axes, bool keep_dims, const OpName& name);
Output reduce_variance(const Output& x, const Axes& axes, bool keep_dims, const OpName& name);
Output reduce_std(const Output& x, const Axes& axes, bool keep_dims, const OpName& name);
std::pair<Output, Output> moments(const Output& x, const Axes& axes, bool keep_dims,
                                  const OpName& name);

}  // namespace detail

/// log(sum(exp(x))) along the axes (all of them unless told), with no overflow: the largest element is
/// taken out first. Floating dtypes; -infinity where all elements are.
template <AnyOperand X>
Op<element_of<X>> reduce_logsumexp(X&& x, const Axes& axes = {}, bool keep_dims = false,
                                   OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(detail::reduce_logsumexp(value, axes, keep_dims, name));
}

/// The mean of the squares of what lies between each element and the mean along the axes (divided by n, not
/// n - 1). Floating dtypes.
template <AnyOperand X>
Op<element_of<X>> reduce_variance(X&& x, const Axes& axes = {}, bool keep_dims = false,
                                  OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(detail::reduce_variance(value, axes, keep_dims, name));
}

/// The square root of reduce_variance. Its gradient is not finite where all elements are equal.
template <AnyOperand X>
Op<element_of<X>> reduce_std(X&& x, const Axes& axes = {}, bool keep_dims = false,
                             OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(detail::reduce_std(value, axes, keep_dims, name));
}

/// Mean and variance along the axes; float16 and bfloat16 are computed as float32.
template <AnyOperand X>
std::pair<Op<element_of<X>>, Op<element_of<X>>> moments(X&& x, const Axes& axes = {},
                                                        bool keep_dims = false, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const auto [mean, variance] = detail::moments(value, axes, keep_dims, name);
  return {Op<T>(mean), Op<T>(variance)};
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/statistics.ipp>
#endif
