#pragma once
// Ops that move elements about: Transpose, ConcatV2, Split, Pack, Slice, StridedSlice, Tile, ...

#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// Dimension i of y is dimension perm[i] of x.
struct Transpose {
  static constexpr auto signature = "Transpose(x: T, perm: Tperm) -> (y: T); T: type; Tperm: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverse of a permutation of 0 ... n-1: y[x[i]] = i. InvalidArgument where x is none.
struct InvertPermutation {
  static constexpr auto signature = "InvertPermutation(x: T) -> (y: T); T: {index} = int32";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank(0, 1)); }
  static void gradient(GradientContext&) {}
};

/// The values one after another along `axis`; all other dimensions agree.
struct ConcatV2 {
  static constexpr auto signature =
      "ConcatV2(values: N * T, axis: Tidx) -> (output: T); N: int >= 2; T: type; Tidx: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Where each of the tensors of these shapes begins in their concatenation along `concat_dim`.
struct ConcatOffset {
  static constexpr auto signature =
      "ConcatOffset(concat_dim: int32, shape: N * shape_type) -> (offset: N * shape_type); N: int >= 2; "
      "shape_type: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext&) {}
};

/// The values, which have one shape, side by side along a new dimension `axis`.
struct Pack {
  static constexpr auto signature = "Pack(values: N * T) -> (output: T); N: int >= 1; T: type; axis: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The `num` parts of a value along dimension `axis`, which must be `num`, without that dimension.
struct Unpack {
  static constexpr auto signature = "Unpack(value: T) -> (output: num * T); num: int >= 0; T: type; axis: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// `num_split` equal parts along dimension `split_dim`.
struct Split {
  static constexpr auto signature =
      "Split(split_dim: int32, value: T) -> (output: num_split * T); num_split: int >= 1; T: type";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Parts of the given sizes along dimension `split_dim`; one size may be -1, which stands for what is left.
struct SplitV {
  static constexpr auto signature =
      "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: num_split * T); num_split: int >= 1; T: type; "
      "Tlen: {int8, int32, int64} = int64";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The box of `size` elements from `begin` on; a size of -1 stands for all that are left.
struct Slice {
  static constexpr auto signature =
      "Slice(input: T, begin: Index, size: Index) -> (output: T); T: type; Index: {index}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// numpy's x[begin:end:strides, ...]: bit i of a mask is about entry i of begin, end and strides. begin_mask, end_mask: that bound
/// is open; ellipsis_mask: the entry stands for all dimensions that others do not name; new_axis_mask: a new dimension of 1;
/// shrink_axis_mask: one element, its dimension dropped.
struct StridedSlice {
  static constexpr auto signature =
      "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T); T: type; "
      "Index: {int16, int32, int64}; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = 0; "
      "new_axis_mask: int = 0; shrink_axis_mask: int = 0";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Zeros of shape `shape` but for the places that StridedSlice would take, which have dy.
struct StridedSliceGrad {
  static constexpr auto signature =
      "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> (output: T); T: type; "
      "Index: {index}; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = 0; new_axis_mask: int = 0; "
      "shrink_axis_mask: int = 0";
  static void shape(ShapeContext& c) { c.set_output(0, c.as_shape(0)); }
  static void gradient(GradientContext& g);
};

/// The input `multiples[i]` times along each dimension i.
struct Tile {
  static constexpr auto signature =
      "Tile(input: T, multiples: Tmultiples) -> (output: T); T: type; Tmultiples: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

/// The values of `node`'s outputs, typed.
template <class T>
std::vector<Op<T>> all_outputs(const Output& node) {
  std::vector<Op<T>> out;
  for (std::uint32_t i = 0; i < node.node().num_outputs; ++i) out.emplace_back(Output(node.core(), node.node_id(), i));
  return out;
}

/// The permutation that reverses the dimensions of x: constant where its rank is known.
Output reversed_axes(const Output& x, SourceLocation at);
Output add_concat(const std::vector<Output>& values, std::int64_t axis, const OpName& name);

}  // namespace detail

/// Dimension i of the result is dimension perm[i] of x.
template <AnyOperand X>
Op<element_of<X>> transpose(X&& x, const IntegersArg& perm, OpName name = {}) {
  return detail::with_integers<ops::Transpose>(name, std::forward<X>(x), perm);
}
/// x with its dimensions in reverse order.
template <AnyOperand X>
Op<element_of<X>> transpose(X&& x, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::Transpose>(name, input, detail::reversed_axes(input, name.location)));
}

/// y[x[i]] = i, for a permutation x of 0 ... n-1.
template <AnyOperand X>
Op<element_of<X>> invert_permutation(X&& x, OpName name = {}) {
  return detail::unary<ops::InvertPermutation, element_of<X>>(name, x);
}

/// The values one after another along an axis; their other dimensions agree. One alone is returned as it is.
template <Element T>
Op<T> concat(const std::vector<Op<T>>& values, std::int64_t axis, OpName name = {}) {
  return Op<T>(detail::add_concat(std::vector<Output>(values.begin(), values.end()), axis, name));
}
template <Element T>
Op<T> concat(std::initializer_list<Op<T>> values, std::int64_t axis, OpName name = {}) {
  return concat(std::vector<Op<T>>(values), axis, name);
}

/// The values, of one shape, side by side along a new axis.
template <Element T>
Op<T> stack(const std::vector<Op<T>>& values, std::int64_t axis = 0, OpName name = {}) {
  return Op<T>(add_op<ops::Pack>(name, std::vector<Output>(values.begin(), values.end()), "axis", axis));
}
template <Element T>
Op<T> stack(std::initializer_list<Op<T>> values, std::int64_t axis = 0, OpName name = {}) {
  return stack(std::vector<Op<T>>(values), axis, name);
}

/// The parts of x along an axis, without that dimension. Throws InvalidArgument where neither x's shape nor `num` says how many
/// there are.
template <AnyOperand X>
std::vector<Op<element_of<X>>> unstack(X&& x, std::int64_t axis = 0, std::int64_t num = -1, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  if (num < 0 && input.shape().has_rank()) num = input.shape()[shapes::axis(axis, input.shape().rank())];
  if (num < 0) fail(Code::InvalidArgument, "unstack cannot tell how many parts a value of shape ", input.shape(), " has");
  return detail::all_outputs<T>(add_op<ops::Unpack>(name, input, "num", num, "axis", axis));
}

/// x in `parts` equal parts along an axis.
template <AnyOperand X>
std::vector<Op<element_of<X>>> split(X&& x, std::int64_t parts, std::int64_t axis = 0, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  return detail::all_outputs<T>(
      add_op<ops::Split>(name, detail::axis_constant(input, axis, name.location), input, "num_split", parts));
}
/// x in parts of these sizes along an axis; one of them may be -1: what is left.
template <AnyOperand X>
std::vector<Op<element_of<X>>> split(X&& x, std::initializer_list<std::int64_t> sizes, std::int64_t axis = 0,
                                     OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output lengths = IntegersArg(sizes).node(name.location, input.core());
  return detail::all_outputs<T>(add_op<ops::SplitV>(
      name, input, lengths, detail::axis_constant(input, axis, name.location), "num_split", sizes.size()));
}

/// The box of `size` elements of x from `begin` on; -1: all that are left.
template <AnyOperand X>
Op<element_of<X>> slice(X&& x, const IntegersArg& begin, const IntegersArg& size, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output from = begin.node(name.location, input.core());
  return Op<T>(add_op<ops::Slice>(name, input, from, size.node(name.location, input.core())));
}

/// Which entries of a strided_slice are not plain: bit i is about entry i.
struct StridedSliceMasks {
  std::int64_t begin = 0;        ///< from the beginning
  std::int64_t end = 0;          ///< to the end
  std::int64_t ellipsis = 0;     ///< all dimensions that others do not name
  std::int64_t new_axis = 0;     ///< a new dimension of 1
  std::int64_t shrink_axis = 0;  ///< one element, its dimension dropped
};

/// numpy's x[begin:end:strides] in each dimension named; negative positions count from the end.
template <AnyOperand X>
Op<element_of<X>> strided_slice(X&& x, const IntegersArg& begin, const IntegersArg& end, const IntegersArg& strides,
                                const StridedSliceMasks& masks = {}, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(x, name.location, nullptr);
  const Output from = begin.node(name.location, input.core());
  const Output to = end.node(name.location, input.core());
  const Output by = strides.node(name.location, input.core());
  return Op<T>(add_op<ops::StridedSlice>(name, input, from, to, by, "begin_mask", masks.begin, "end_mask", masks.end,
                                         "ellipsis_mask", masks.ellipsis, "new_axis_mask", masks.new_axis,
                                         "shrink_axis_mask", masks.shrink_axis));
}

/// x repeated multiples[i] times along each dimension i.
template <AnyOperand X>
Op<element_of<X>> tile(X&& x, const IntegersArg& multiples, OpName name = {}) {
  return detail::with_integers<ops::Tile>(name, std::forward<X>(x), multiples);
}

using MovementOps =
    OpSet<ops::Transpose, ops::InvertPermutation, ops::ConcatV2, ops::ConcatOffset, ops::Pack, ops::Unpack, ops::Split,
          ops::SplitV, ops::Slice, ops::StridedSlice, ops::StridedSliceGrad, ops::Tile>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/movement.ipp>
#endif
