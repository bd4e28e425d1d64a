#pragma once
// Blocks of space that become rows of a batch or channels, and patches of images: SpaceToBatchND, DepthToSpace, ...

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
namespace ops {

/// input [batch, s1, ..., sm, ...], its m dimensions of space padded with zeros by `paddings` [m, 2]
/// and cut into blocks of `block_shape` [m]: each place in a block becomes a batch of its own. Shape
/// [batch * prod(block_shape), (s1 + pads) / block_shape[0], ..., ...].
struct SpaceToBatchND {
  static constexpr auto signature =
      "SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> (output: T); T: "
      "type; Tblock_shape: {index} = int32; Tpaddings: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverse of SpaceToBatchND: `crops` [m, 2] are taken away where it had put paddings.
struct BatchToSpaceND {
  static constexpr auto signature =
      "BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> (output: T); T: type; "
      "Tblock_shape: {index} = int32; Tcrops: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Blocks of block_size x block_size of each image become channels: NHWC [n, h, w, c] gives
/// [n, h / b, w / b, b * b * c].
struct SpaceToDepth {
  static constexpr auto signature =
      "SpaceToDepth(input: T) -> (output: T); T: type; block_size: int >= 2; data_format: {'NHWC', "
      "'NCHW', 'NCHW_VECT_C'} = 'NHWC'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The inverse of SpaceToDepth.
struct DepthToSpace {
  static constexpr auto signature =
      "DepthToSpace(input: T) -> (output: T); T: type; block_size: int >= 2; data_format: {'NHWC', "
      "'NCHW', 'NCHW_VECT_C'} = 'NHWC'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// What a convolution's window of `ksizes` sees at each of its places, as channels: images
/// [n, h, w, c] give [n, rows, columns, k_h * k_w * c]. The four numbers of ksizes, strides and rates
/// are of n, h, w, c; those of n and c must be 1.
struct ExtractImagePatches {
  static constexpr auto signature =
      "ExtractImagePatches(images: T) -> (patches: T); ksizes: list(int) >= 4; strides: list(int) "
      ">= "
      "4; rates: list(int) >= 4; T: {number, bool}; padding: {'SAME', 'VALID'}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

/// Rows of two numbers, [n, 2].
inline Output pair_table(std::initializer_list<std::initializer_list<std::int32_t>> pairs,
                         SourceLocation at, GraphCore* core) {
  return add_constant(to_tensor<std::int32_t>(pairs), OpName(at), core);
}
template <GraphValue P>
Output pair_table(const P& pairs, SourceLocation at, GraphCore*) {
  return as_output<element_of<P>>(pairs, at, nullptr);
}

template <class OpType, class X, class P>
Op<element_of<X>> blocks(X& x, const IntegersArg& block_shape, const P& pairs, const OpName& name) {
  using T = element_of<X>;
  const Output input = as_output<T>(x, name.location, nullptr);
  const Output block = block_shape.node(name.location, input.core());
  return Op<T>(add_op<OpType>(name, input, block, pair_table(pairs, name.location, input.core())));
}
template <class OpType, class X>
Op<element_of<X>> depth(X& x, std::int64_t block_size, std::string_view format,
                        const OpName& name) {
  using T = element_of<X>;
  const Output input = as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<OpType>(name, input, "block_size", block_size, "data_format", format));
}

}  // namespace detail

/// Blocks of the dimensions behind the first become batches: see ops::SpaceToBatchND;
/// `space_to_batch_nd(x, {2, 2}, {{0, 0}, {1, 1}})`.
template <AnyOperand X>
Op<element_of<X>> space_to_batch_nd(
    X&& x, const IntegersArg& block_shape,
    std::initializer_list<std::initializer_list<std::int32_t>> paddings, OpName name = {}) {
  return detail::blocks<ops::SpaceToBatchND>(x, block_shape, paddings, name);
}
template <AnyOperand X, GraphValue P>
Op<element_of<X>> space_to_batch_nd(X&& x, const IntegersArg& block_shape, const P& paddings,
                                    OpName name = {}) {
  return detail::blocks<ops::SpaceToBatchND>(x, block_shape, paddings, name);
}
/// The inverse of space_to_batch_nd.
template <AnyOperand X>
Op<element_of<X>> batch_to_space_nd(
    X&& x, const IntegersArg& block_shape,
    std::initializer_list<std::initializer_list<std::int32_t>> crops, OpName name = {}) {
  return detail::blocks<ops::BatchToSpaceND>(x, block_shape, crops, name);
}
template <AnyOperand X, GraphValue P>
Op<element_of<X>> batch_to_space_nd(X&& x, const IntegersArg& block_shape, const P& crops,
                                    OpName name = {}) {
  return detail::blocks<ops::BatchToSpaceND>(x, block_shape, crops, name);
}

/// The same for images [n, h, w, c], with blocks of block_size x block_size.
template <AnyOperand X>
Op<element_of<X>> space_to_batch(
    X&& x, std::initializer_list<std::initializer_list<std::int32_t>> paddings,
    std::int64_t block_size, OpName name = {}) {
  return detail::blocks<ops::SpaceToBatchND>(x, {block_size, block_size}, paddings, name);
}
template <AnyOperand X>
Op<element_of<X>> batch_to_space(X&& x,
                                 std::initializer_list<std::initializer_list<std::int32_t>> crops,
                                 std::int64_t block_size, OpName name = {}) {
  return detail::blocks<ops::BatchToSpaceND>(x, {block_size, block_size}, crops, name);
}

/// Blocks of images [n, h, w, c] become channels; "NCHW": of images [n, c, h, w].
template <AnyOperand X>
Op<element_of<X>> space_to_depth(X&& x, std::int64_t block_size,
                                 std::string_view data_format = "NHWC", OpName name = {}) {
  return detail::depth<ops::SpaceToDepth>(x, block_size, data_format, name);
}
/// The inverse of space_to_depth.
template <AnyOperand X>
Op<element_of<X>> depth_to_space(X&& x, std::int64_t block_size,
                                 std::string_view data_format = "NHWC", OpName name = {}) {
  return detail::depth<ops::DepthToSpace>(x, block_size, data_format, name);
}

/// What a window sees at each of its places, as channels: see ops::ExtractImagePatches.
template <AnyOperand X>
Op<element_of<X>> extract_image_patches(X&& images, const std::vector<std::int64_t>& ksizes,
                                        const std::vector<std::int64_t>& strides,
                                        const std::vector<std::int64_t>& rates,
                                        std::string_view padding, OpName name = {}) {
  using T = element_of<X>;
  const Output input = detail::as_output<T>(images, name.location, nullptr);
  return Op<T>(add_op<ops::ExtractImagePatches>(name, input, "ksizes", ksizes, "strides", strides,
                                                "rates", rates, "padding", padding));
}

using SpaceOps = OpSet<ops::SpaceToBatchND, ops::BatchToSpaceND, ops::SpaceToDepth,
                       ops::DepthToSpace, ops::ExtractImagePatches>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/space.ipp>
#endif
