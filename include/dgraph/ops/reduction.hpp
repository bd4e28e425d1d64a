#pragma once
// Reductions along axes: op structs with their rules, and the typed functions.

#include <cstdint>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// The sum along the axes; integers wrap. The sum of nothing is 0.
struct Sum {
  static constexpr auto signature =
      "Sum(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// The mean along the axes; integers are rounded towards zero. The mean of nothing is NaN.
struct Mean {
  static constexpr auto signature =
      "Mean(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// The product along the axes; integers wrap. The product of nothing is 1.
struct Prod {
  static constexpr auto signature =
      "Prod(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// The largest element along the axes; of nothing the lowest value. The gradient is shared evenly among ties.
struct Max {
  static constexpr auto signature =
      "Max(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {real}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// The smallest element along the axes; of nothing the highest value. The gradient is shared evenly among ties.
struct Min {
  static constexpr auto signature =
      "Min(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {real}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// The square root of the sum of squares (of absolute squares of complex numbers) along the axes; integers are rounded
/// towards zero.
struct EuclideanNorm {
  static constexpr auto signature =
      "EuclideanNorm(input: T, reduction_indices: Tidx) -> (output: T); keep_dims: bool = false; T: {number}; "
      "Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
  static void gradient(GradientContext& g);
};

/// Whether all elements along the axes are true.
struct All {
  static constexpr auto signature =
      "All(input: bool, reduction_indices: Tidx) -> (output: bool); keep_dims: bool = false; Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
};

/// Whether any element along the axes is true.
struct Any {
  static constexpr auto signature =
      "Any(input: bool, reduction_indices: Tidx) -> (output: bool); keep_dims: bool = false; Tidx: {index} = int32";
  static void shape(ShapeContext& c) { shapes::reduction(c); }
};

/// The index of the first largest element along one axis, which goes. InvalidArgument for an axis of length 0.
struct ArgMax {
  static constexpr auto signature =
      "ArgMax(input: T, dimension: Tidx) -> (output: output_type); T: {number, bool}; "
      "Tidx: {int16, int32, int64} = int32; output_type: {int16, uint16, int32, int64} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The index of the first smallest element along one axis, which goes. InvalidArgument for an axis of length 0.
struct ArgMin {
  static constexpr auto signature =
      "ArgMin(input: T, dimension: Tidx) -> (output: output_type); T: {number, bool}; "
      "Tidx: {int16, int32, int64} = int32; output_type: {int32, int64} = int64";
  static void shape(ShapeContext& c) { ArgMax::shape(c); }
  static void gradient(GradientContext&) {}
};

}  // namespace ops

/// Which axes a reduction takes: all of them, those that are listed (negative ones count from the end), or what an integer
/// value of the graph says.
class Axes {
 public:
  Axes() noexcept = default;
  Axes(std::int64_t axis) : all_(false), listed_{axis} {}
  Axes(int axis) : Axes(static_cast<std::int64_t>(axis)) {}
  Axes(std::initializer_list<std::int64_t> axes) : all_(false), listed_(axes) {}
  Axes(Dims axes) : all_(false), listed_(std::move(axes)) {}
  template <GraphValue X>
    requires(dtype_of<element_of<X>> == DType::Int32 || dtype_of<element_of<X>> == DType::Int64)
  Axes(const X& axes) : all_(false), value_(detail::as_output<element_of<X>>(axes, {}, nullptr)) {}

  /// Those that are listed; null where they are all or come from the graph.
  const Dims* listed() const noexcept { return all_ || value_ ? nullptr : &listed_; }
  /// The node that gives the axes of a reduction of `input`: a constant where they are known.
  Output node(const Output& input, SourceLocation at) const;

 private:
  bool all_ = true;
  Dims listed_;
  Output value_;
};

/// @name Reductions. `reduce_mean(x)` over everything, `reduce_sum(x, 0)`, `reduce_max(x, {0, -1}, true)`.
/// The axes go, or stay as 1 with keep_dims. Each throws InvalidArgument for an axis out of range or named twice.
/// @{
#define DGRAPH_DETAIL_REDUCE(function, op)                                                                  \
  template <AnyOperand X>                                                                                   \
  Op<element_of<X>> function(X&& x, const Axes& axes = {}, bool keep_dims = false, OpName name = {}) {      \
    return detail::reduce<ops::op, element_of<X>>(name, x, axes, keep_dims);                                \
  }
namespace detail {
template <class OpType, class T, class X>
Op<T> reduce(const OpName& name, X&& x, const Axes& axes, bool keep_dims) {
  const Output input = as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<OpType>(name, input, axes.node(input, name.location), "keep_dims", keep_dims));
}
}  // namespace detail
DGRAPH_DETAIL_REDUCE(reduce_sum, Sum)
DGRAPH_DETAIL_REDUCE(reduce_mean, Mean)
DGRAPH_DETAIL_REDUCE(reduce_prod, Prod)
DGRAPH_DETAIL_REDUCE(reduce_max, Max)
DGRAPH_DETAIL_REDUCE(reduce_min, Min)
DGRAPH_DETAIL_REDUCE(reduce_euclidean_norm, EuclideanNorm)
#undef DGRAPH_DETAIL_REDUCE
template <AnyOperand X>
Op<bool> reduce_all(X&& x, const Axes& axes = {}, bool keep_dims = false, OpName name = {}) {
  return detail::reduce<ops::All, bool>(name, x, axes, keep_dims);
}
template <AnyOperand X>
Op<bool> reduce_any(X&& x, const Axes& axes = {}, bool keep_dims = false, OpName name = {}) {
  return detail::reduce<ops::Any, bool>(name, x, axes, keep_dims);
}
/// @}

/// The index of the first largest element along an axis; I is int64 or int32: `argmax(logits, 1)`, `argmax<int>(logits, 1)`.
template <Element I = std::int64_t, AnyOperand X>
Op<I> argmax(X&& x, std::int64_t axis = 0, OpName name = {}) {
  const Output input = detail::as_output<element_of<X>>(x, name.location, nullptr);
  return Op<I>(add_op<ops::ArgMax>(name, input, detail::axis_constant(input, axis, name.location), "output_type",
                                   dtype_of<I>));
}
/// The index of the first smallest element along an axis.
template <Element I = std::int64_t, AnyOperand X>
Op<I> argmin(X&& x, std::int64_t axis = 0, OpName name = {}) {
  const Output input = detail::as_output<element_of<X>>(x, name.location, nullptr);
  return Op<I>(add_op<ops::ArgMin>(name, input, detail::axis_constant(input, axis, name.location), "output_type",
                                   dtype_of<I>));
}

using ReductionOps = OpSet<ops::Sum, ops::Mean, ops::Prod, ops::Max, ops::Min, ops::EuclideanNorm, ops::All, ops::Any,
                           ops::ArgMax, ops::ArgMin>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/reduction.ipp>
#endif
