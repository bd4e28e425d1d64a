#pragma once
// Values that are fed or passed on, and ops about shapes: Placeholder, Identity, Shape, Reshape, Fill, BroadcastTo, ...

#include <type_traits>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// A value that every run must feed.
struct Placeholder {
  static constexpr auto signature = "Placeholder() -> (output: dtype); dtype: type; shape: shape = {}";
  static void shape(ShapeContext& c) { c.set_output(0, c.attr<PartialShape>("shape")); }
};

/// A value that a run may feed; `input` where it does not.
struct PlaceholderWithDefault {
  static constexpr auto signature =
      "PlaceholderWithDefault(input: dtype) -> (output: dtype); dtype: type; shape: shape";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Its input.
struct Identity {
  static constexpr auto signature = "Identity(input: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g) { g.set(0, g.raw_dy()); }
};

/// Its inputs, all of which are there before any output is.
struct IdentityN {
  static constexpr auto signature = "IdentityN(input: T) -> (output: T); T: list(type) >= 1";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Its input; no gradient flows back through it.
struct StopGradient {
  static constexpr auto signature = "StopGradient(input: T) -> (output: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// The shape of its input: an integer vector of length rank.
struct Shape {
  static constexpr auto signature =
      "Shape(input: T) -> (output: out_type); T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The shape of each of its inputs.
struct ShapeN {
  static constexpr auto signature =
      "ShapeN(input: N * T) -> (output: N * out_type); N: int >= 1; T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The number of elements of its input: an integer scalar.
struct Size {
  static constexpr auto signature = "Size(input: T) -> (output: out_type); T: type; out_type: {index} = int32";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
  static void gradient(GradientContext&) {}
};

/// The number of dimensions of its input: an int32 scalar.
struct Rank {
  static constexpr auto signature = "Rank(input: T) -> (output: int32); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
  static void gradient(GradientContext&) {}
};

/// The same elements in another shape; one dimension of `shape` may be -1, which stands for what is left. InvalidArgument where
/// the number of elements differs.
struct Reshape {
  static constexpr auto signature =
      "Reshape(tensor: T, shape: Tshape) -> (output: T); T: type; Tshape: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A dimension of 1 more, at position `dim` (from -rank-1 to rank).
struct ExpandDims {
  static constexpr auto signature =
      "ExpandDims(input: T, dim: Tdim) -> (output: T); T: type; Tdim: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Without the dimensions of 1, or without those of `squeeze_dims` alone, which must be 1.
struct Squeeze {
  static constexpr auto signature =
      "Squeeze(input: T) -> (output: T); T: type; squeeze_dims: list(int) = []";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// A tensor of shape `dims`, all of whose elements are `value` (a scalar).
struct Fill {
  static constexpr auto signature =
      "Fill(dims: index_type, value: T) -> (output: T); T: type; index_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros (false, empty strings) of the shape of x.
struct ZerosLike {
  static constexpr auto signature = "ZerosLike(x: T) -> (y: T); T: type";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// Ones (true) of the shape of x.
struct OnesLike {
  static constexpr auto signature = "OnesLike(x: T) -> (y: T); T: {number, bool}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext&) {}
};

/// `input` repeated along dimensions of 1 and along new leading ones, so that it has shape `shape` (numpy's rules).
struct BroadcastTo {
  static constexpr auto signature =
      "BroadcastTo(input: T, shape: Tidx) -> (output: T); T: type; Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The axes over which the gradient of an elementwise op over shapes s0 and s1 is summed, for each of them.
struct BroadcastGradientArgs {
  static constexpr auto signature =
      "BroadcastGradientArgs(s0: T, s1: T) -> (r0: T, r1: T); T: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// start, start + delta, ... below `limit` (above it where delta < 0). InvalidArgument for delta 0 or of the wrong sign.
struct Range {
  static constexpr auto signature =
      "Range(start: Tidx, limit: Tidx, delta: Tidx) -> (output: Tidx); "
      "Tidx: {bfloat16, float16, float32, float64, int8, int16, int32, int64, uint16, uint32} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// `num` numbers from start to stop, evenly spaced; start alone where num is 1. No gradient, as TensorFlow's.
struct LinSpace {
  static constexpr auto signature =
      "LinSpace(start: T, stop: T, num: Tidx) -> (output: T); T: {floating}; Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The shape that numpy's rules give for shapes s0 and s1.
struct BroadcastArgs {
  static constexpr auto signature = "BroadcastArgs(s0: T, s1: T) -> (r0: T); T: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

}  // namespace ops

namespace detail {

// The graph values decide, then arrays, then numbers, which all three may be.
template <class A, class B, class C>
struct CommonOfThree : CommonElement<std::conditional_t<(kWeight<A> >= kWeight<B>), A, B>, C> {};
template <NumberOperand A, NumberOperand B, NumberOperand C>
struct CommonOfThree<A, B, C> {
  using type = std::common_type_t<std::remove_cvref_t<A>, std::remove_cvref_t<B>, std::remove_cvref_t<C>>;
};

/// A constant where it has fewer than 1,000 elements, a Fill otherwise, so that graphs stay small.
Output filled(const IntegersArg& shape, Tensor scalar, const OpName& name);

}  // namespace detail

/// A value that every run that needs it feeds; of any shape unless one is given: `placeholder<float>({-1, 784})`.
template <Element T>
Op<T> placeholder(const PartialShape& shape = {}, OpName name = {}) {
  return Op<T>(add_op<ops::Placeholder>(name, "dtype", dtype_of<T>, "shape", shape));
}

/// A value that a run may feed with one of that shape; `input` where it does not.
template <AnyOperand X>
Op<element_of<X>> placeholder_with_default(X&& input, const PartialShape& shape, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(add_op<ops::PlaceholderWithDefault>(name, detail::as_output<T>(input, name.location, nullptr), "shape",
                                                   shape));
}

/// x, as a node of its own.
template <AnyOperand X>
Op<element_of<X>> identity(X&& x, OpName name = {}) {
  return detail::unary<ops::Identity, element_of<X>>(name, x);
}

/// The shape of x, a vector; I is int32 or int64.
template <Element I = std::int32_t, AnyOperand X>
Op<I> shape(X&& x, OpName name = {}) {
  return Op<I>(
      add_op<ops::Shape>(name, detail::as_output<element_of<X>>(x, name.location, nullptr), "out_type", dtype_of<I>));
}
/// The number of elements of x, a scalar.
template <Element I = std::int32_t, AnyOperand X>
Op<I> size(X&& x, OpName name = {}) {
  return Op<I>(
      add_op<ops::Size>(name, detail::as_output<element_of<X>>(x, name.location, nullptr), "out_type", dtype_of<I>));
}
/// The number of dimensions of x, a scalar.
template <AnyOperand X>
Op<std::int32_t> rank(X&& x, OpName name = {}) {
  return Op<std::int32_t>(add_op<ops::Rank>(name, detail::as_output<element_of<X>>(x, name.location, nullptr)));
}

/// The elements of x in another shape of as many; one dimension may be -1: `reshape(x, {-1, 10})`.
template <AnyOperand X>
Op<element_of<X>> reshape(X&& x, const IntegersArg& shape, OpName name = {}) {
  return detail::with_integers<ops::Reshape>(name, std::forward<X>(x), shape);
}

/// x with a dimension of 1 more at `axis`; -1: at the end.
template <AnyOperand X>
Op<element_of<X>> expand_dims(X&& x, std::int64_t axis, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::ExpandDims>(name, input, detail::axis_constant(input, axis, name.location)));
}

/// x without its dimensions of 1, or without those named alone.
template <AnyOperand X>
Op<element_of<X>> squeeze(X&& x, const std::vector<std::int64_t>& axes = {}, OpName name = {}) {
  using T = element_of<X>;
  return Op<T>(
      add_op<ops::Squeeze>(name, detail::as_output<T>(x, name.location, nullptr), "squeeze_dims", axes));
}

/// A tensor of that shape, each element `value`, a scalar.
template <AnyOperand X>
Op<element_of<X>> fill(const IntegersArg& shape, X&& value, OpName name = {}) {
  using T = element_of<X>;
  const Output scalar = detail::as_output<T>(value, name.location, nullptr);
  return Op<T>(add_op<ops::Fill>(name, shape.node(name.location, scalar.core()), scalar));
}
/// Zeros (false, empty strings) of that shape: `zeros<float>({2, 3})`.
template <Element T>
Op<T> zeros(const IntegersArg& shape, OpName name = {}) {
  return Op<T>(detail::filled(shape, Tensor::zeros(dtype_of<T>, Shape()), name));
}
/// Ones (true) of that shape.
template <Element T>
Op<T> ones(const IntegersArg& shape, OpName name = {}) {
  return Op<T>(detail::filled(shape, Tensor::scalar<T>(T(1)), name));
}
/// Zeros (ones) of the shape and dtype of x.
template <AnyOperand X>
Op<element_of<X>> zeros_like(X&& x, OpName name = {}) {
  return detail::unary<ops::ZerosLike, element_of<X>>(name, x);
}
template <AnyOperand X>
Op<element_of<X>> ones_like(X&& x, OpName name = {}) {
  return detail::unary<ops::OnesLike, element_of<X>>(name, x);
}

/// x repeated along dimensions of 1 and along new leading ones, to that shape.
template <AnyOperand X>
Op<element_of<X>> broadcast_to(X&& x, const IntegersArg& shape, OpName name = {}) {
  return detail::with_integers<ops::BroadcastTo>(name, std::forward<X>(x), shape);
}

/// start, start + delta, ... below limit (above it for a negative delta): scalars of one dtype.
template <AnyOperand A, AnyOperand B, AnyOperand C>
auto range(A&& start, B&& limit, C&& delta, OpName name = {}) {
  using E = typename detail::CommonOfThree<A, B, C>::type;
  GraphCore* const core = detail::core_of(start, limit, delta);
  const Output a = detail::as_output<E>(start, name.location, core);
  const Output b = detail::as_output<E>(limit, name.location, core);
  const Output c = detail::as_output<E>(delta, name.location, core);
  return Op<E>(add_op<ops::Range>(name, a, b, c));
}
/// 0, 1, ... limit - 1.
template <AnyOperand X>
Op<element_of<X>> range(X&& limit, OpName name = {}) {
  using T = element_of<X>;
  const Output stop = detail::as_output<T>(limit, name.location, nullptr);
  const Output start = detail::add_constant(Tensor::scalar<T>(T(0)), OpName(name.location), stop.core());
  const Output step = detail::add_constant(Tensor::scalar<T>(T(1)), OpName(name.location), stop.core());
  return Op<T>(add_op<ops::Range>(name, start, stop, step));
}

/// `num` numbers from start to stop, evenly spaced.
template <AnyOperand A, AnyOperand B, AnyOperand N>
Op<common_element<A, B>> linspace(A&& start, B&& stop, N&& num, OpName name = {}) {
  using T = common_element<A, B>;
  GraphCore* const core = detail::core_of(start, stop, num);
  const Output a = detail::as_output<T>(start, name.location, core);
  const Output b = detail::as_output<T>(stop, name.location, core);
  return Op<T>(add_op<ops::LinSpace>(name, a, b, detail::as_output<element_of<N>>(num, name.location, core)));
}

/// The shape that numpy's rules give for two shapes, int32 or int64 vectors.
template <AnyOperand A, AnyOperand B>
Op<common_element<A, B>> broadcast_dynamic_shape(A&& a, B&& b, OpName name = {}) {
  return detail::binary<ops::BroadcastArgs, common_element<A, B>>(name, a, b);
}

using ShapeOps = OpSet<ops::Placeholder, ops::PlaceholderWithDefault, ops::Identity, ops::IdentityN, ops::StopGradient,
                       ops::Shape, ops::ShapeN, ops::Size, ops::Rank, ops::Reshape, ops::ExpandDims, ops::Squeeze,
                       ops::Fill, ops::ZerosLike, ops::OnesLike, ops::BroadcastTo, ops::BroadcastGradientArgs,
                       ops::Range, ops::LinSpace, ops::BroadcastArgs>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/shape.ipp>
#endif
