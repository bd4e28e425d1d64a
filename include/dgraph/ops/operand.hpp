#pragma once
// What typed functions and operators take: graph values, and C++ values that become constants beside them (D12, D28).

#include <cstdint>
#include <type_traits>
#include <utility>

#include <dgraph/base/xtensor.hpp>
#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/output.hpp>
#include <dgraph/ops/constant.hpp>

namespace dgraph {

/// A value in a graph: `Op<T>`, or anything with a `value_type` that converts to `Op<value_type>` (a variable converts by
/// being read where it is used).
template <class X>
concept GraphValue = requires {
  typename std::remove_cvref_t<X>::value_type;
  requires Element<typename std::remove_cvref_t<X>::value_type>;
  requires std::is_convertible_v<const std::remove_cvref_t<X>&, Op<typename std::remove_cvref_t<X>::value_type>>;
};

/// A number, which takes the dtype of what it meets.
template <class X>
concept NumberOperand = detail::HostNumber<std::remove_cvref_t<X>>;

/// What typed functions take.
template <class X>
concept AnyOperand = GraphValue<X> || HostValue<X>;

namespace detail {

template <class X>
struct ElementOf {
  using type = host_element<X>;
};
template <GraphValue X>
struct ElementOf<X> {
  using type = typename std::remove_cvref_t<X>::value_type;
};

// Graph values decide a common dtype, then arrays and strings, then numbers.
template <class X>
inline constexpr int kWeight = GraphValue<X> ? 3 : NumberOperand<X> ? 1 : 2;

template <class A, class B>
struct CommonElement {
  using type = typename ElementOf<std::conditional_t<(kWeight<A> >= kWeight<B>), A, B>>::type;
};
template <NumberOperand A, NumberOperand B>
struct CommonElement<A, B> {
  using type = std::common_type_t<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;
};

}  // namespace detail

/// The element type of an operand.
template <AnyOperand X>
using element_of = typename detail::ElementOf<X>::type;

/// The element type of an op over both: that of the graph value, of the array or string, or of both numbers.
template <AnyOperand A, AnyOperand B>
using common_element = typename detail::CommonElement<A, B>::type;

namespace detail {

template <class X>
GraphCore* core_of_one(const X& x) {
  if constexpr (GraphValue<X> && requires { x.core(); })
    return x.core();
  else
    return nullptr;
}
/// The graph of the first graph value.
template <class... X>
GraphCore* core_of(const X&... x) {
  GraphCore* core = nullptr;
  ((core = core ? core : core_of_one(x)), ...);
  return core;
}

/// The operand as a value of dtype T in the graph; a C++ value becomes a constant built at `at`, in `core` where there is no
/// default graph.
template <Element T, class X>
Output as_output(X&& x, SourceLocation at, GraphCore* core) {
  if constexpr (GraphValue<X>) {
    using E = element_of<X>;
    static_assert(dtype_of<E> == dtype_of<T>,
                  "dgraph: operands of different dtypes; convert one of them with dg::cast<T>(x)");
    const Op<E> value = x;
    return value;
  } else {
    return add_constant(to_tensor<T>(std::forward<X>(x)), OpName(at), core);
  }
}

/// The same for a whole number, whose dtype the axis argument of an op decides.
inline Output axis_constant(const Output& input, std::int64_t axis, SourceLocation at) {
  return add_constant(Tensor::scalar(static_cast<std::int32_t>(axis)), OpName(at), input.core());
}

template <class OpType, class T, class X>
Op<T> unary(const OpName& name, X& x) {
  return Op<T>(add_op<OpType>(name, as_output<T>(x, name.location, nullptr)));
}

// In two steps: the order in which arguments are evaluated, and so that of the nodes, is not fixed.
template <class OpType, class R, class T, class A, class B>
Op<R> binary_to(const OpName& name, A& a, B& b) {
  GraphCore* const core = core_of(a, b);
  const Output x = as_output<T>(a, name.location, core);
  const Output y = as_output<T>(b, name.location, core);
  return Op<R>(add_op<OpType>(name, x, y));
}
template <class OpType, class T, class A, class B>
Op<T> binary(const OpName& name, A& a, B& b) {
  return binary_to<OpType, T, T>(name, a, b);
}
template <class OpType, class T, class A, class B>
Op<bool> compare(const OpName& name, A& a, B& b) {
  return binary_to<OpType, bool, T>(name, a, b);
}

}  // namespace detail
}  // namespace dgraph
