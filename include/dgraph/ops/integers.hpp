#pragma once
// IntegersArg: a shape, a permutation, sizes, ... as an argument of a typed function: numbers, or a value of the graph.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {

/// Whole numbers for an op (a shape, a permutation, sizes, ...): known ones, `{2, -1}`, or an int32 or int64 value of the graph.
class IntegersArg {
 public:
  IntegersArg(std::initializer_list<std::int64_t> values) : known_(values) {}
  IntegersArg(Dims values) : known_(std::move(values)) {}
  IntegersArg(const Shape& shape) : known_(shape.dims()) {}
  IntegersArg(const std::vector<std::int64_t>& values) : known_(std::span<const std::int64_t>(values)) {}
  template <GraphValue X>
    requires(dtype_of<element_of<X>> == DType::Int32 || dtype_of<element_of<X>> == DType::Int64)
  IntegersArg(const X& values) : value_(detail::as_output<element_of<X>>(values, {}, nullptr)) {}

  /// The known numbers; null where a value of the graph gives them.
  const Dims* known() const noexcept { return value_ ? nullptr : &known_; }
  /// A value: a constant (int32, or int64 where a number needs it) in this thread's default graph, else in `core`.
  Output node(SourceLocation at, GraphCore* core) const {
    return value_ ? value_ : detail::add_constant(detail::index_tensor(known_), OpName(at), core);
  }
  /// The same where the op wants them in that dtype (int16, int32 or int64): known numbers come as it; a value of the graph as it is.
  Output node(DType dtype, SourceLocation at, GraphCore* core) const {
    return value_ ? value_ : detail::add_constant(detail::integers_tensor(known_, dtype), OpName(at), core);
  }

 private:
  Dims known_;
  Output value_;
};

namespace detail {

template <class OpType, class X>
Op<element_of<X>> with_integers(const OpName& name, X&& x, const IntegersArg& integers) {
  using T = element_of<X>;
  const Output input = as_output<T>(std::forward<X>(x), name.location, nullptr);
  return Op<T>(add_op<OpType>(name, input, integers.node(name.location, input.core())));
}

}  // namespace detail
}  // namespace dgraph
