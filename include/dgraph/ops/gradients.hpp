#pragma once
// gradients(ys, xs): adds the nodes that compute how ys change with xs; stop_gradient.

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

/// The ops that the walk needs.
const GradientOps& standard_gradient_ops();
/// A gradient as a dense value; none stays none.
Output dense_gradient(const Gradient& gradient);

// What a gradient is asked for: a variable's handle, through which all its reads come, or the value itself.
template <GraphValue X>
Output gradient_source(const X& x) {
  if constexpr (requires { { x.ref() } -> std::convertible_to<Output>; })
    return x.ref();
  else
    return as_output<element_of<X>>(x, {}, nullptr);
}

}  // namespace detail

/// d(sum of all elements of all ys)/dx for each of xs, in their order; where several paths lead to an x, their sum. An x that no
/// y depends on has an empty handle (or zeros, by the options). xs may be variables' handles. Rows picked by Gather give
/// gradients that are dense here; `sparse_gradients` leaves them as they are. Throws InvalidArgument for a y that is no
/// floating or complex value, for a grad_y of another dtype or shape, and for an op on the way that has no gradient.
std::vector<Output> gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                              const GradientOptions& options = {});

/// The same with gradients of Gather as IndexedSlices.
std::vector<Gradient> sparse_gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                       const GradientOptions& options = {});

/// dy/dx of one value, or sum of values, by one value or variable: `Op<float> dw = dg::gradients(loss, W);`
template <GraphValue Y, GraphValue X>
Op<element_of<X>> gradients(const Y& y, const X& x, const GradientOptions& options = {}) {
  static_assert(is_differentiable(dtype_of<element_of<Y>>) && is_differentiable(dtype_of<element_of<X>>),
                "dgraph: gradients need values of floating or complex dtype");
  return Op<element_of<X>>(
      gradients(std::vector<Output>{detail::gradient_source(y)}, std::vector<Output>{detail::gradient_source(x)}, options)[0]);
}

/// One gradient for each of several values or variables: `auto [dw, db] = dg::gradients(loss, std::tuple(W, b));`
template <GraphValue Y, GraphValue... Xs>
std::tuple<Op<element_of<Xs>>...> gradients(const Y& y, const std::tuple<Xs...>& xs, const GradientOptions& options = {}) {
  static_assert((is_differentiable(dtype_of<element_of<Y>>) && ... && is_differentiable(dtype_of<element_of<Xs>>)),
                "dgraph: gradients need values of floating or complex dtype");
  const auto sources = std::apply(
      [](const auto&... x) { return std::vector<Output>{detail::gradient_source(x)...}; }, xs);
  const std::vector<Output> found = gradients(std::vector<Output>{detail::gradient_source(y)}, sources, options);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<Op<element_of<Xs>>...>(Op<element_of<Xs>>(found[I])...);
  }(std::index_sequence_for<Xs...>{});
}

/// For each x the derivative of every element of y by every element of x: shape y.shape + x.shape. An x that y does not depend
/// on has an empty handle (or zeros, by the options). Each element of y has gradient nodes of its own, so this is for small
/// ones. Throws InvalidArgument where the shape of y is not known while the graph is built, and what `gradients` throws.
std::vector<Output> jacobian(const Output& y, const std::vector<Output>& xs, const GradientOptions& options = {});

/// For each x the second derivatives of the sum of all elements of all ys by each pair of elements of x: shape
/// x.shape + x.shape, which must be known. Throws what `jacobian` throws.
std::vector<Output> hessians(const std::vector<Output>& ys, const std::vector<Output>& xs,
                             const GradientOptions& options = {});

/// The same of one value by one value or variable.
template <GraphValue Y, GraphValue X>
Op<element_of<X>> jacobian(const Y& y, const X& x, const GradientOptions& options = {}) {
  return Op<element_of<X>>(
      jacobian(detail::gradient_source(y), std::vector<Output>{detail::gradient_source(x)}, options)[0]);
}
template <GraphValue Y, GraphValue X>
Op<element_of<X>> hessians(const Y& y, const X& x, const GradientOptions& options = {}) {
  return Op<element_of<X>>(
      hessians(std::vector<Output>{detail::gradient_source(y)}, std::vector<Output>{detail::gradient_source(x)}, options)[0]);
}

/// The operand, through which no gradient flows back.
template <GraphValue X>
Op<element_of<X>> stop_gradient(const X& x, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(add_op<ops::StopGradient>(name, detail::as_output<T>(x, name.location, nullptr)));
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/gradients.ipp>
#endif
