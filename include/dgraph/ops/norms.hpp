#pragma once
// Norms and clipping by them, made of ops: norm, l2_normalize, clip_by_norm, global_norm,
// clip_by_global_norm.

#include <utility>
#include <vector>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/reduction.hpp>

namespace dgraph {

/// Which norm: the Euclidean one (of a matrix: Frobenius'), or that of order p > 0, which may be infinite.
class NormOrder {
 public:
  NormOrder() noexcept = default;
  NormOrder(double p) noexcept : p_(p), euclidean_(p == 2) {}
  bool euclidean() const noexcept { return euclidean_; }
  double p() const noexcept { return p_; }

 private:
  double p_ = 2;
  bool euclidean_ = true;
};

namespace detail {

Output norm(const Output& x, NormOrder order, const Axes& axes, bool keep_dims, const OpName& name);
Output l2_normalize(const Output& x, const Axes& axes, double epsilon, const OpName& name);
Output clip_by_norm(const Output& x, const Output& clip_norm, const Axes& axes, const OpName& name);
Output global_norm(const std::vector<Gradient>& values, const OpName& name);
std::vector<Gradient> clip_by_global_norm(const std::vector<Gradient>& values,
                                          const Output& clip_norm, const Output& norm,
                                          const OpName& name);

}  // namespace detail

/// The norm of the elements along the axes, all of them unless told: `norm(x)`, `norm(x, 1, {0})`. Of two
/// axes the norms of order 1 and infinity are those of matrices: the largest sum of a column or row. The
/// gradient of the Euclidean norm is not finite at 0. Throws InvalidArgument for p <= 0, and for another p
/// of two axes.
template <AnyOperand X>
Op<element_of<X>> norm(X&& x, NormOrder order = {}, const Axes& axes = {}, bool keep_dims = false,
                       OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(detail::norm(value, order, axes, keep_dims, name));
}

/// x divided by its Euclidean norm along the axes; the square of the norm counts as `epsilon` where it
/// is less.
template <AnyOperand X>
Op<element_of<X>> l2_normalize(X&& x, const Axes& axes = {}, double epsilon = 1e-12,
                               OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(detail::l2_normalize(value, axes, epsilon, name));
}

/// x where its Euclidean norm along the axes is at most `clip_norm`, else scaled down to that norm. 0
/// has the
/// gradient 1.
template <AnyOperand X, AnyOperand C>
Op<element_of<X>> clip_by_norm(X&& x, C&& clip_norm, const Axes& axes = {}, OpName name = {}) {
  using T = element_of<X>;
  GraphCore* const core = detail::core_of(x, clip_norm);
  const Output value = detail::as_output<T>(x, name.location, core);
  const Output most = detail::as_output<T>(clip_norm, name.location, core);
  return Op<T>(detail::clip_by_norm(value, most, axes, name));
}

/// The Euclidean norm of all elements of all values together. Throws InvalidArgument for no value.
template <Element T>
Op<T> global_norm(const std::vector<Op<T>>& values, OpName name = {}) {
  return Op<T>(detail::global_norm(std::vector<Gradient>(values.begin(), values.end()), name));
}
/// The same of gradients, of which those that are none don't count; sparse ones by their rows.
inline Output global_norm(const std::vector<Gradient>& gradients, OpName name = {}) {
  return detail::global_norm(gradients, name);
}

/// The values, all scaled by one number so that their global norm is at most `clip_norm`, and the norm they
/// had. All are NaN where that is not finite.
template <Element T, AnyOperand C>
std::pair<std::vector<Op<T>>, Op<T>> clip_by_global_norm(const std::vector<Op<T>>& values,
                                                         C&& clip_norm, OpName name = {}) {
  const std::vector<Gradient> all(values.begin(), values.end());
  const Output had = detail::global_norm(all, OpName(name.location));
  const Output most = detail::as_output<T>(clip_norm, name.location, had.core());
  std::vector<Op<T>> out;
  for (const Gradient& clipped : detail::clip_by_global_norm(all, most, had, name))
    out.emplace_back(clipped.values());
  return {std::move(out), Op<T>(had)};
}
/// The same of gradients: those that are none stay none, sparse ones sparse.
std::pair<std::vector<Gradient>, Output> clip_by_global_norm(const std::vector<Gradient>& gradients,
                                                             double clip_norm, OpName name = {});

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/norms.ipp>
#endif
