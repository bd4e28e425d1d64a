#pragma once
// Pooling: the largest or the mean of each window of images and volumes, and their gradients.

#include <utility>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/spatial.hpp>

namespace dgraph {
/// In all: images are [batch, height, width, channels] (NHWC) or [batch, channels, height, width]
/// (NCHW); ksize and strides have a number for each dimension. InvalidArgument for windows larger than
/// the padded image and numbers that are not positive.
namespace ops {

/// The largest element of each window, or of each `ksize[3]` channels. NaN counts as less than all.
struct MaxPool {
  static constexpr auto signature =
      "MaxPool(input: T) -> (output: T); T: {floating, int8, int16, int32, int64, uint8, uint16} = "
      "float32; ksize: list(int) >= 4; strides: list(int) >= 4; "
      "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of MaxPool: all of a window's goes to the first of its largest elements.
struct MaxPoolGrad {
  static constexpr auto signature =
      "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> (output: T); ksize: list(int) >= 4; "
      "strides: list(int) >= 4; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "T: {real} = float32";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// Of each window the element of `grad`, an image, at the first place where orig_input equals the
/// window's orig_output; 0 where there is none.
struct MaxPoolGradGrad {
  static constexpr auto signature =
      "MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T); "
      "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(1)); }
  static void gradient(GradientContext& g);
};

/// MaxPool, and where in the image each largest element is: (row * width + column) * channels +
/// channel, from the beginning of the batch where include_batch_in_index. A NaN that is the window's
/// first element is the largest.
struct MaxPoolWithArgmax {
  static constexpr auto signature =
      "MaxPoolWithArgmax(input: T) -> (output: T, argmax: Targmax); ksize: list(int) >= 4; "
      "strides: list(int) >= 4; Targmax: {index} = int64; padding: {'SAME', 'VALID'}; "
      "include_batch_in_index: bool = false; T: {real}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of MaxPoolWithArgmax: each element of `grad` is added where argmax says.
struct MaxPoolGradWithArgmax {
  static constexpr auto signature =
      "MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> (output: T); "
      "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID'}; "
      "include_batch_in_index: bool = false; Targmax: {index}; T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// The elements of `grad`, an image, where argmax says.
struct MaxPoolGradGradWithArgmax {
  static constexpr auto signature =
      "MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax) -> (output: T); "
      "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID'}; "
      "include_batch_in_index: bool = false; Targmax: {index}; T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(2)); }
  static void gradient(GradientContext& g);
};

/// The mean of each window's elements that are not padding.
struct AvgPool {
  static constexpr auto signature =
      "AvgPool(value: T) -> (output: T); ksize: list(int) >= 4; strides: list(int) >= 4; "
      "padding: {'SAME', 'VALID'}; data_format: {'NHWC', 'NCHW'} = 'NHWC'; T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of AvgPool, of the shape orig_input_shape.
struct AvgPoolGrad {
  static constexpr auto signature =
      "AvgPoolGrad(orig_input_shape: int32, grad: T) -> (output: T); ksize: list(int) >= 4; "
      "strides: list(int) >= 4; padding: {'SAME', 'VALID'}; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'; T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// MaxPool in three dimensions: [batch, depth, height, width, channels].
struct MaxPool3D {
  static constexpr auto signature =
      "MaxPool3D(input: T) -> (output: T); ksize: list(int) >= 5; strides: list(int) >= 5; "
      "padding: {'SAME', 'VALID'}; data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// MaxPoolGrad in three dimensions.
struct MaxPool3DGrad {
  static constexpr auto signature =
      "MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> (output: T); "
      "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; T: {floating} = float32; "
      "TInput: {floating} = float32";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(GradientContext& g);
};

/// MaxPoolGradGrad in three dimensions.
struct MaxPool3DGradGrad {
  static constexpr auto signature =
      "MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T); "
      "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; T: {real}";
  static void shape(ShapeContext& c) { c.set_output(0, c.input(1)); }
  static void gradient(GradientContext& g);
};

/// AvgPool in three dimensions.
struct AvgPool3D {
  static constexpr auto signature =
      "AvgPool3D(input: T) -> (output: T); ksize: list(int) >= 5; strides: list(int) >= 5; "
      "padding: {'SAME', 'VALID'}; data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// AvgPoolGrad in three dimensions.
struct AvgPool3DGrad {
  static constexpr auto signature =
      "AvgPool3DGrad(orig_input_shape: int32, grad: T) -> (output: T); ksize: list(int) >= 5; "
      "strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; T: {floating}";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {
Output max_pool(const Output& x, const std::vector<std::int64_t>& size,
                const WindowOptions& options, std::size_t spatial, const OpName& name);
Output avg_pool(const Output& x, const std::vector<std::int64_t>& size,
                const WindowOptions& options, std::size_t spatial, const OpName& name);
Output max_pool_with_argmax(const Output& x, const std::vector<std::int64_t>& size,
                            const WindowOptions& options, bool include_batch, const OpName& name);
}  // namespace detail

/// The largest element, or the mean, of each window of that size: `max_pool(images, {2, 2})`. Windows
/// move by their own size unless the options say otherwise; the lists are as in WindowOptions.
#define DGRAPH_DETAIL_POOL(function, pool, spatial)                                 \
  template <AnyOperand X>                                                           \
  Op<element_of<X>> function(X&& x, const std::vector<std::int64_t>& size,          \
                             const WindowOptions& options = {}, OpName name = {}) { \
    using T = element_of<X>;                                                        \
    const Output value = detail::as_output<T>(x, name.location, nullptr);           \
    return Op<T>(detail::pool(value, size, options, spatial, name));                \
  }
DGRAPH_DETAIL_POOL(max_pool, max_pool, 2)
DGRAPH_DETAIL_POOL(avg_pool, avg_pool, 2)
DGRAPH_DETAIL_POOL(max_pool3d, max_pool, 3)
DGRAPH_DETAIL_POOL(avg_pool3d, avg_pool, 3)
#undef DGRAPH_DETAIL_POOL

/// max_pool, and where in its image each element is: (row * width + column) * channels + channel; from
/// the beginning of the batch where `include_batch`.
template <AnyOperand X>
std::pair<Op<element_of<X>>, Op<std::int64_t>> max_pool_with_argmax(
    X&& x, const std::vector<std::int64_t>& size, const WindowOptions& options = {},
    bool include_batch = false, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const Output node = detail::max_pool_with_argmax(value, size, options, include_batch, name);
  return {Op<T>(node), Op<std::int64_t>(Output(node.core(), node.node_id(), 1))};
}

using PoolingOps =
    OpSet<ops::MaxPool, ops::MaxPoolGrad, ops::MaxPoolGradGrad, ops::MaxPoolWithArgmax,
          ops::MaxPoolGradWithArgmax, ops::MaxPoolGradGradWithArgmax, ops::AvgPool,
          ops::AvgPoolGrad, ops::MaxPool3D, ops::MaxPool3DGrad, ops::MaxPool3DGradGrad,
          ops::AvgPool3D, ops::AvgPool3DGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/pooling.ipp>
#endif
