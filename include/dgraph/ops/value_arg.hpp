#pragma once
// ValueArg<T>: a graph value, a number or an array as an argument of a typed function.

#include <type_traits>
#include <utility>

#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace detail {

/// A value of the graph, or one that becomes a constant of it.
class AnyValueArg {
 public:
  /// The value; a constant is built in this thread's default graph, else in `core`.
  Output node(SourceLocation at, GraphCore* core) const {
    return value_ ? value_ : add_constant(constant_, OpName(at), core);
  }

 protected:
  explicit AnyValueArg(const Output& value) : value_(value) {}
  explicit AnyValueArg(Tensor constant) : constant_(std::move(constant)) {}

 private:
  Output value_;
  Tensor constant_;
};

template <class T>
class TypedValueArg : public AnyValueArg {
 public:
  template <AnyOperand X>
  TypedValueArg(X&& x) : AnyValueArg(hold(std::forward<X>(x))) {}

 private:
  template <class X>
  static auto hold(X&& x) {
    if constexpr (GraphValue<X>)
      return as_output<T>(x, {}, nullptr);
    else
      return to_tensor<T>(std::forward<X>(x));
  }
};

}  // namespace detail

/// What takes any operand of dtype T; T is not deduced from it.
template <class T>
using ValueArg = detail::TypedValueArg<std::type_identity_t<T>>;

}  // namespace dgraph
