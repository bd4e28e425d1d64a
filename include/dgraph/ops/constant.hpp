#pragma once
// Const: a value that is part of the graph, and `constant`, which makes one of anything that can be a tensor.

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/xtensor.hpp>
#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// TensorFlow's Const. The value of attribute `value`; no inputs.
struct Const {
  static constexpr auto signature = "Const() -> (output: dtype); value: tensor; dtype: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<Tensor>("value").shape()); }
};

}  // namespace ops

/// A constant of a dtype that is known at run time only.
Output constant_output(Tensor value, const OpName& name = {});

namespace detail {

/// The constant in this thread's default graph; in `fallback`, if given, where there is no default graph.
Output add_constant(Tensor value, const OpName& name, GraphCore* fallback);

/// The number as a scalar of `dtype`, which must be numeric (rounded or truncated as by static_cast).
Tensor scalar_tensor(DType dtype, double value);
/// `count` elements of `dtype`, each `value`.
Tensor filled_tensor(DType dtype, const Shape& shape, double value);
/// A shape as a vector: int32, or int64 where a dimension needs it.
Tensor shape_tensor(const Shape& shape);
/// An int32 vector; an int64 one where a value needs it.
Tensor index_tensor(const Dims& values);
/// A vector of int16, int32 or int64; throws InvalidArgument for a number that does not fit.
Tensor integers_tensor(const Dims& values, DType dtype);

struct DeduceElement {};

}  // namespace detail

/// A constant: of a number, string, std::vector, xtensor container or expression (moved in where it is an rvalue container).
/// The dtype is the argument's own, or T where it is given: `constant<float>(1)`, `constant(x_data)`.
template <class T = detail::DeduceElement, class X>
  requires HostValue<X>
auto constant(X&& value, OpName name = {}) {
  using E = std::conditional_t<std::is_same_v<T, detail::DeduceElement>, host_element<X>, T>;
  return Op<E>(detail::add_constant(to_tensor<E>(std::forward<X>(value)), name, nullptr));
}

/// A vector (rank 1): `constant<float>({1, 2, 3})`.
template <Element T>
Op<T> constant(std::initializer_list<T> values, OpName name = {}) {
  return Op<T>(detail::add_constant(Tensor::vector<T>(values), name, nullptr));
}

/// A matrix: `constant<float>({{1, 2}, {3, 4}})`. Throws InvalidArgument where the rows differ in length.
template <Element T>
Op<T> constant(std::initializer_list<std::initializer_list<T>> rows, OpName name = {}) {
  return Op<T>(detail::add_constant(to_tensor<T>(rows), name, nullptr));
}

/// A tensor of that shape, each element `value`: `constant(0.5f, {2, 3})`.
template <Element T>
Op<T> constant(T value, Shape shape, OpName name = {}) {
  Tensor tensor(dtype_of<T>, std::move(shape));
  for (T& x : tensor.mutable_flat<T>()) x = value;
  return Op<T>(detail::add_constant(std::move(tensor), name, nullptr));
}

using ConstantOps = OpSet<ops::Const>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/constant.ipp>
#endif
