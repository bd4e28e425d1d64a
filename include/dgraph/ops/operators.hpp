#pragma once
// The operators + - * / < <= > >= and unary minus over graph values and what can meet them. == and != compare handles.

#include <type_traits>
#include <utility>

#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace detail {

template <class X>
concept XtensorOperand = XtensorExpression<X> && !GraphValue<X>;
template <class X>
concept OtherHostOperand = HostValue<X> && !NumberOperand<X> && !XtensorOperand<X> && !GraphValue<X>;

// What stands beside a graph value of T: another one or a number. Its constructor's default argument is the user's line.
template <class T>
class Beside {
 public:
  template <class X>
    requires GraphValue<X> || NumberOperand<X>
  Beside(const X& x, SourceLocation at = SourceLocation::current()) : location(at) {
    if constexpr (GraphValue<X>)
      value = as_output<T>(x, at, nullptr);
    else
      number = to_tensor<T>(x);
  }
  Output output(GraphCore* core) const { return value ? value : add_constant(number, OpName(location), core); }

  SourceLocation location;

 private:
  Output value;
  Tensor number;
};

template <class T>
class NumberBeside {
 public:
  template <NumberOperand X>
  NumberBeside(X x, SourceLocation at = SourceLocation::current()) : location(at), number(to_tensor<T>(x)) {}
  Output output(GraphCore* core) const { return add_constant(number, OpName(location), core); }

  SourceLocation location;

 private:
  Tensor number;
};

template <class T>
using Quotient = std::conditional_t<is_integer(dtype_of<T>), ops::Div, ops::RealDiv>;

template <class A, class X>
constexpr bool no_operand() {
  static_assert(AnyOperand<X>,
                "dgraph: this type is no operand: a graph value meets graph values, variables, numbers, xtensor "
                "expressions, std::vectors and strings");
  return true;
}

}  // namespace detail

// Forms of each: value and value or number; number and value; value and array; array and value; nonsense on either side. With
// an array, xtensor's own operators leave no room for a default argument: the line is that of the graph value.
#define DGRAPH_DETAIL_OPERATOR(symbol, OpType, Result)                                                           \
  template <GraphValue A>                                                                                        \
  Op<Result<element_of<A>>> operator symbol(const A& a, detail::Beside<std::type_identity_t<element_of<A>>> b) { \
    using T = element_of<A>;                                                                                     \
    const Output x = detail::as_output<T>(a, b.location, nullptr);                                               \
    const Output y = b.output(x.core());                                                                         \
    return Op<Result<T>>(add_op<OpType>(OpName(b.location), x, y));                                              \
  }                                                                                                              \
  template <GraphValue B>                                                                                        \
  Op<Result<element_of<B>>> operator symbol(detail::NumberBeside<std::type_identity_t<element_of<B>>> a,         \
                                            const B& b) {                                                        \
    using T = element_of<B>;                                                                                     \
    const Output y = detail::as_output<T>(b, a.location, nullptr);                                               \
    const Output x = a.output(y.core());                                                                         \
    return Op<Result<T>>(add_op<OpType>(OpName(a.location), x, y));                                              \
  }                                                                                                              \
  template <class A, class B>                                                                                    \
    requires GraphValue<A> && (detail::XtensorOperand<B> || detail::OtherHostOperand<B>)                         \
  Op<Result<element_of<A>>> operator symbol(A&& a, B&& b) {                                                      \
    using T = element_of<A>;                                                                                     \
    const Output x = detail::as_output<T>(a, {}, nullptr);                                                       \
    const Output y = detail::as_output<T>(std::forward<B>(b), x.node().location, x.core());                      \
    return Op<Result<T>>(add_op<OpType>(OpName(x.node().location), x, y));                                       \
  }                                                                                                              \
  template <class A, class B>                                                                                    \
    requires GraphValue<B> && (detail::XtensorOperand<A> || detail::OtherHostOperand<A>)                         \
  Op<Result<element_of<B>>> operator symbol(A&& a, B&& b) {                                                      \
    using T = element_of<B>;                                                                                     \
    const Output y = detail::as_output<T>(b, {}, nullptr);                                                       \
    const Output x = detail::as_output<T>(std::forward<A>(a), y.node().location, y.core());                      \
    return Op<Result<T>>(add_op<OpType>(OpName(y.node().location), x, y));                                       \
  }                                                                                                              \
  template <GraphValue A, class B>                                                                               \
    requires(!AnyOperand<B>)                                                                                     \
  Op<Result<element_of<A>>> operator symbol(const A&, const B&) {                                                \
    detail::no_operand<A, B>();                                                                                  \
    return {};                                                                                                   \
  }                                                                                                              \
  template <class A, GraphValue B>                                                                               \
    requires(!AnyOperand<A>)                                                                                     \
  Op<Result<element_of<B>>> operator symbol(const A&, const B&) {                                                \
    detail::no_operand<B, A>();                                                                                  \
    return {};                                                                                                   \
  }

namespace detail {
template <class T>
using BoolOf = bool;
}  // namespace detail

DGRAPH_DETAIL_OPERATOR(+, ops::AddV2, std::type_identity_t)
DGRAPH_DETAIL_OPERATOR(-, ops::Sub, std::type_identity_t)
DGRAPH_DETAIL_OPERATOR(*, ops::Mul, std::type_identity_t)
DGRAPH_DETAIL_OPERATOR(/, detail::Quotient<T>, std::type_identity_t)
DGRAPH_DETAIL_OPERATOR(<, ops::Less, detail::BoolOf)
DGRAPH_DETAIL_OPERATOR(<=, ops::LessEqual, detail::BoolOf)
DGRAPH_DETAIL_OPERATOR(>, ops::Greater, detail::BoolOf)
DGRAPH_DETAIL_OPERATOR(>=, ops::GreaterEqual, detail::BoolOf)
#undef DGRAPH_DETAIL_OPERATOR

/// -x
template <GraphValue X>
Op<element_of<X>> operator-(const X& x) {
  const Output value = detail::as_output<element_of<X>>(x, {}, nullptr);
  return Op<element_of<X>>(add_op<ops::Neg>(OpName(value.node().location), value));
}

}  // namespace dgraph
