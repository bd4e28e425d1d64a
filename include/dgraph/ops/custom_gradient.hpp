#pragma once
// custom_gradient: a piece of graph whose gradient is what its author says instead of what its ops have.

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace detail {

/// Gradients of xs from those of ys.
using GradientFunction = std::function<std::vector<Output>(const std::vector<Output>& dys)>;

/// The ys, as outputs of a node through which gradients go to the xs by `gradient`.
std::vector<Output> with_gradient(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                  GradientFunction gradient, const OpName& name);

template <class T, class... Rest>
std::vector<Output> outputs_of_gradients(const std::tuple<T, Rest...>& values) {
  return std::apply([](const auto&... value) { return std::vector<Output>{value...}; }, values);
}
template <class T>
std::vector<Output> outputs_of_gradients(const Op<T>& value) {
  return {value};
}

}  // namespace detail

/// `f` of the operands, with a gradient of its own. `f` takes a graph value for each operand and returns a pair: the result, and a
/// function that takes the gradient of the result and gives that of the operand (a std::tuple of several). It is called
/// whenever gradients are built, and may use all that `f` made:
///
///     auto log1pexp = dg::custom_gradient([](const dg::Op<float>& x) {
///       const auto e = dg::exp(x);
///       return std::pair(dg::log(1.f + e), [e](const dg::Op<float>& dy) { return dy * (1.f - 1.f / (1.f + e)); });
///     }, x);
///
/// A value that `f` uses and is no operand gets no gradient through it. The gradient belongs to this graph and is not
/// part of a GraphDef. Building gradients throws InvalidArgument where a gradient has another dtype or shape than its operand.
template <class F, GraphValue... Xs>
auto custom_gradient(F&& f, const Xs&... xs) {
  const std::tuple<Op<element_of<Xs>>...> operands{
      Op<element_of<Xs>>(detail::as_output<element_of<Xs>>(xs, {}, nullptr))...};
  auto made = std::apply(std::forward<F>(f), operands);
  using Y = typename std::remove_cvref_t<decltype(made.first)>::value_type;
  detail::GradientFunction gradient = [rule =
                                           std::move(made.second)](const std::vector<Output>& dys) {
    return detail::outputs_of_gradients(rule(Op<Y>(dys[0])));
  };
  const std::vector<Output> sources = detail::outputs_of_gradients(operands);
  return Op<Y>(detail::with_gradient({made.first}, sources, std::move(gradient),
                                     OpName(made.first.node().location))[0]);
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/custom_gradient.ipp>
#endif
