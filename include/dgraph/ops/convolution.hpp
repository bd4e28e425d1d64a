#pragma once
// Convolutions of images and volumes, their gradients, and the functions made of them.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/spatial.hpp>

namespace dgraph {
/// In all: images are [batch, height, width, channels] (NHWC) or [batch, channels, height, width]
/// (NCHW), filters [height, width, channels, outputs]. Channels that are a multiple of the filter's
/// are convolved in groups. InvalidArgument for channels that do not fit, strides and dilations that
/// are not positive, windows larger than the padded image.
namespace ops {

/// Each output is the sum of a window of the image times the filter.
struct Conv2D {
  static constexpr auto signature =
      "Conv2D(input: T, filter: T) -> (output: T); T: {floating, int32}; strides: list(int); "
      "use_cudnn_on_gpu: bool = true; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of Conv2D by its input, whose shape (or height and width) is input_sizes.
struct Conv2DBackpropInput {
  static constexpr auto signature =
      "Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> (output: T); "
      "T: {floating, int32}; strides: list(int); use_cudnn_on_gpu: bool = true; "
      "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'; dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of Conv2D by its filter, whose shape is filter_sizes.
struct Conv2DBackpropFilter {
  static constexpr auto signature =
      "Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> (output: T); "
      "T: {floating}; strides: list(int); use_cudnn_on_gpu: bool = true; "
      "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'; dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Conv2D in three dimensions: [batch, depth, height, width, channels].
struct Conv3D {
  static constexpr auto signature =
      "Conv3D(input: T, filter: T) -> (output: T); T: {floating}; strides: list(int) >= 5; "
      "padding: {'SAME', 'VALID'}; data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; "
      "dilations: list(int) = [1, 1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of Conv3D by its input, whose shape is input_sizes.
struct Conv3DBackpropInputV2 {
  static constexpr auto signature =
      "Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> (output: T); "
      "T: {floating}; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; dilations: list(int) = [1, 1, 1, 1, 1]; "
      "Tshape: {index} = int32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of Conv3D by its filter, whose shape is filter_sizes.
struct Conv3DBackpropFilterV2 {
  static constexpr auto signature =
      "Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> (output: T); "
      "T: {floating}; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'; dilations: list(int) = [1, 1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Each channel convolved with filters of its own, [height, width, channels, multiplier]: channels *
/// multiplier outputs. Strides over rows and columns are equal.
struct DepthwiseConv2dNative {
  static constexpr auto signature =
      "DepthwiseConv2dNative(input: T, filter: T) -> (output: T); T: {floating}; "
      "strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of DepthwiseConv2dNative by its input, whose shape is input_sizes.
struct DepthwiseConv2dNativeBackpropInput {
  static constexpr auto signature =
      "DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> "
      "(output: T); T: {floating}; strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of DepthwiseConv2dNative by its filter, whose shape is filter_sizes.
struct DepthwiseConv2dNativeBackpropFilter {
  static constexpr auto signature =
      "DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> "
      "(output: T); T: {floating}; strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "dilations: list(int) = [1, 1, 1, 1]";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

namespace detail {

Output conv1d(const Output& x, const Output& filter, const WindowOptions& options,
              const OpName& name);
Output conv2d(const Output& x, const Output& filter, const WindowOptions& options,
              const OpName& name);
Output conv3d(const Output& x, const Output& filter, const WindowOptions& options,
              const OpName& name);
Output conv2d_transpose(const Output& x, const Output& filter, const Output& shape,
                        const WindowOptions& options, const OpName& name);
Output conv3d_transpose(const Output& x, const Output& filter, const Output& shape,
                        const WindowOptions& options, const OpName& name);
Output depthwise_conv2d(const Output& x, const Output& filter, const WindowOptions& options,
                        const OpName& name);
Output separable_conv2d(const Output& x, const Output& depthwise, const Output& pointwise,
                        const WindowOptions& options, const OpName& name);

}  // namespace detail

/// Convolutions of [batch, (depth, (height,)) width, channels] with a filter of shape [(depth, (height,))
/// width, channels, outputs]: `conv2d(images, filter, {.strides = {2, 2}, .padding = "SAME"})`.
/// Throws InvalidArgument where shapes or options do not fit. Floating dtypes.
#define DGRAPH_DETAIL_CONVOLUTION(function)                                                 \
  template <AnyOperand X, AnyOperand F>                                                     \
  Op<common_element<X, F>> function(X&& x, F&& filter, const WindowOptions& options = {},   \
                                    OpName name = {}) {                                     \
    using T = common_element<X, F>;                                                         \
    GraphCore* const core = detail::core_of(x, filter);                                     \
    const Output value = detail::as_output<T>(x, name.location, core);                      \
    return Op<T>(detail::function(value, detail::as_output<T>(filter, name.location, core), \
                                  options, name));                                          \
  }
DGRAPH_DETAIL_CONVOLUTION(conv1d)
DGRAPH_DETAIL_CONVOLUTION(conv2d)
DGRAPH_DETAIL_CONVOLUTION(conv3d)
/// Of each channel with its own filters: [height, width, channels, multiplier].
DGRAPH_DETAIL_CONVOLUTION(depthwise_conv2d)
#undef DGRAPH_DETAIL_CONVOLUTION

/// What conv2d with these options turns into x, run backwards: x times the filter, [height, width,
/// outputs, channels], laid over an image of shape `output_shape`, [batch, height, width, outputs].
#define DGRAPH_DETAIL_CONVOLUTION(function)                                                \
  template <AnyOperand X, AnyOperand F>                                                    \
  Op<common_element<X, F>> function(X&& x, F&& filter, const IntegersArg& output_shape,    \
                                    const WindowOptions& options = {}, OpName name = {}) { \
    using T = common_element<X, F>;                                                        \
    GraphCore* const core = detail::core_of(x, filter);                                    \
    const Output value = detail::as_output<T>(x, name.location, core);                     \
    const Output weights = detail::as_output<T>(filter, name.location, core);              \
    const Output shape = output_shape.node(name.location, value.core());                   \
    return Op<T>(detail::function(value, weights, shape, options, name));                  \
  }
DGRAPH_DETAIL_CONVOLUTION(conv2d_transpose)
/// The same in three dimensions.
DGRAPH_DETAIL_CONVOLUTION(conv3d_transpose)
#undef DGRAPH_DETAIL_CONVOLUTION

/// depthwise_conv2d, then a mix of its outputs at each place by pointwise_filter, [1, 1, channels *
/// multiplier, outputs].
template <AnyOperand X, AnyOperand D, AnyOperand P>
Op<common_element<X, D>> separable_conv2d(X&& x, D&& depthwise_filter, P&& pointwise_filter,
                                          const WindowOptions& options = {}, OpName name = {}) {
  using T = common_element<X, D>;
  GraphCore* const core = detail::core_of(x, depthwise_filter, pointwise_filter);
  const Output value = detail::as_output<T>(x, name.location, core);
  const Output own = detail::as_output<T>(depthwise_filter, name.location, core);
  const Output mix = detail::as_output<T>(pointwise_filter, name.location, core);
  return Op<T>(detail::separable_conv2d(value, own, mix, options, name));
}

using ConvolutionOps =
    OpSet<ops::Conv2D, ops::Conv2DBackpropInput, ops::Conv2DBackpropFilter, ops::Conv3D,
          ops::Conv3DBackpropInputV2, ops::Conv3DBackpropFilterV2, ops::DepthwiseConv2dNative,
          ops::DepthwiseConv2dNativeBackpropInput, ops::DepthwiseConv2dNativeBackpropFilter>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/convolution.ipp>
#endif
