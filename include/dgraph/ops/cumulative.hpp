#pragma once
// Running sums and products along an axis, counts of values: op structs with their rules, and the typed
// functions.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The sum of what comes before each element along `axis` (a scalar), the element itself too unless
/// `exclusive`; from the end
/// where `reverse`. Of nothing it is 0.
struct Cumsum {
  static constexpr auto signature =
      "Cumsum(x: T, axis: Tidx) -> (out: T); exclusive: bool = false; reverse: bool = false; T: "
      "{number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The product of what comes before each element along `axis` (a scalar), the element itself too unless
/// `exclusive`; from the end
/// where `reverse`. Of nothing it is 1. The gradient divides by no zero.
struct Cumprod {
  static constexpr auto signature =
      "Cumprod(x: T, axis: Tidx) -> (out: T); exclusive: bool = false; reverse: bool = false; T: "
      "{number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// How often each of 0 ... size-1 is in arr, or the sum of the weights of where it is; weights are none
/// or of the shape of arr.
/// Values from size on don't count. InvalidArgument for a negative value or size.
struct Bincount {
  static constexpr auto signature =
      "Bincount(arr: int32, size: int32, weights: T) -> (bins: T); T: {int32, int64, float32, "
      "float64}";
  static void shape(ShapeContext& c);
};

}  // namespace ops

namespace detail {
template <class OpType, class X>
Op<element_of<X>> cumulate(const OpName& name, X& x, std::int64_t axis, bool exclusive,
                           bool reverse) {
  using T = element_of<X>;
  const Output value = as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<OpType>(name, value, axis_constant(value, axis, name.location), "exclusive",
                              exclusive, "reverse", reverse));
}
}  // namespace detail

/// The running sum along an axis; without the element itself where `exclusive`, from the end where
/// `reverse`.
template <AnyOperand X>
Op<element_of<X>> cumsum(X&& x, std::int64_t axis = 0, bool exclusive = false, bool reverse = false,
                         OpName name = {}) {
  return detail::cumulate<ops::Cumsum>(name, x, axis, exclusive, reverse);
}
/// The running product along an axis, with the same options.
template <AnyOperand X>
Op<element_of<X>> cumprod(X&& x, std::int64_t axis = 0, bool exclusive = false,
                          bool reverse = false, OpName name = {}) {
  return detail::cumulate<ops::Cumprod>(name, x, axis, exclusive, reverse);
}

/// How often each of 0 ... size-1 is in `values` (int32), a vector of `size` numbers:
/// `bincount<float>(labels, 10)`.
template <Element T = std::int32_t, AnyOperand X>
Op<T> bincount(X&& values, std::int32_t size, OpName name = {}) {
  const Output at = detail::as_output<std::int32_t>(values, name.location, nullptr);
  const Output length =
      detail::add_constant(Tensor::scalar(size), OpName(name.location), at.core());
  const Output none =
      detail::add_constant(Tensor(dtype_of<T>, Shape{0}), OpName(name.location), at.core());
  return Op<T>(add_op<ops::Bincount>(name, at, length, none));
}

using CumulativeOps = OpSet<ops::Cumsum, ops::Cumprod, ops::Bincount>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/cumulative.ipp>
#endif
