#pragma once
#include <dgraph/ops/convolution.hpp>

#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL WindowAttrs convolution_attrs(const ShapeContext& c) {
  return read_convolution_attrs(
      c.def(), [&c](std::string_view name) -> const AttrValue& { return c.attr(name); });
}

// Throws where channels of an image, of a filter and its outputs do not fit; unknown ones do.
DGRAPH_DECL void check_groups(std::int64_t channels, std::int64_t filter_channels,
                              std::int64_t outputs) {
  if (channels < 0 || filter_channels < 0) return;
  if (filter_channels == 0 || channels % filter_channels != 0)
    fail(Code::InvalidArgument, "input depth must be evenly divisible by filter depth: ", channels,
         " vs ", filter_channels);
  const std::int64_t groups = channels / filter_channels;
  if (groups == 0 || (outputs >= 0 && outputs % groups != 0))
    fail(Code::InvalidArgument, outputs, " outputs do not fit ", groups, " groups of channels");
}

DGRAPH_DECL PartialShape convolved_shape(const ShapeContext& c, bool depthwise) {
  const WindowAttrs attrs = convolution_attrs(c);
  const PartialShape x = c.with_rank(0, attrs.rank()), filter = c.with_rank(1, attrs.rank());
  const std::int64_t channels = x[attrs.channel_axis()], own = filter[attrs.spatial],
                     outputs = filter[attrs.spatial + 1];
  // As in TensorFlow, images may have no outputs, volumes may not.
  for (std::size_t i = 0; i < filter.rank(); ++i)
    if (filter[i] == 0 && !(attrs.spatial == 2 && i == 3))
      fail(Code::InvalidArgument, "a filter must have elements, not shape ", filter);
  Dims out(attrs.rank(), -1);
  out[0] = x[0];
  if (depthwise) {
    if (channels >= 0 && own >= 0 && channels != own)
      fail(Code::InvalidArgument, "an image of ", channels, " channels and a filter for ", own);
    const std::int64_t known = channels >= 0 ? channels : own;
    std::int64_t product = -1;
    if (known >= 0 && outputs >= 0 && __builtin_mul_overflow(known, outputs, &product))
      fail(Code::InvalidArgument, "too many outputs: ", known, " times ", outputs);
    out[attrs.channel_axis()] = product;
  } else {
    check_groups(channels, own, outputs);
    out[attrs.channel_axis()] = outputs;
  }
  for (std::size_t i = 0; i < attrs.spatial; ++i)
    out[attrs.spatial_axis(i)] = attrs.places(i, x[attrs.spatial_axis(i)], filter[i]);
  return PartialShape(std::move(out));
}

// Of a convolution's gradient by its input: the sizes given are all dimensions, or the spatial ones.
DGRAPH_DECL PartialShape backprop_input_shape(const ShapeContext& c, bool depthwise) {
  const WindowAttrs attrs = convolution_attrs(c);
  const PartialShape filter = c.with_rank(1, attrs.rank()), dy = c.with_rank(2, attrs.rank());
  const PartialShape sizes = c.as_shape(0);
  if (!sizes.has_rank()) return PartialShape::of_rank(attrs.rank());
  if (sizes.rank() == attrs.rank()) return sizes;
  if (sizes.rank() != attrs.spatial || depthwise)
    fail(Code::InvalidArgument, "input_sizes must have ", attrs.rank(), " numbers, not ",
         sizes.rank());
  Dims out(attrs.rank(), -1);
  out[0] = dy[0];
  out[attrs.channel_axis()] = filter[attrs.spatial];
  for (std::size_t i = 0; i < attrs.spatial; ++i) out[attrs.spatial_axis(i)] = sizes[i];
  return PartialShape(std::move(out));
}

DGRAPH_DECL PartialShape backprop_filter_shape(const ShapeContext& c) {
  const WindowAttrs attrs = convolution_attrs(c);
  c.with_rank(0, attrs.rank());
  c.with_rank(2, attrs.rank());
  return c.as_shape(1).merged_with(PartialShape::of_rank(attrs.rank()));
}

// A node with the window attributes of the one whose gradient is built.
template <class OpType, class... Inputs>
Output same_windows(const GradientContext& g, const Inputs&... inputs) {
  using List = std::vector<std::int64_t>;
  const auto& strides = g.attr<List>("strides");
  const auto& dilations = g.attr<List>("dilations");
  const auto& padding = g.attr<std::string>("padding");
  const auto& format = g.attr<std::string>("data_format");
  if (format.size() == 5)
    return g.add<OpType>(inputs..., "strides", strides, "padding", padding, "data_format", format,
                         "dilations", dilations);
  return g.add<OpType>(inputs..., "strides", strides, "padding", padding, "explicit_paddings",
                       g.attr<List>("explicit_paddings"), "data_format", format, "dilations",
                       dilations);
}

// The three ops are linear in two of three things each, and are each other's gradients.
template <class Forward, class ByInput, class ByFilter>
struct ConvolutionGradients {
  static void forward(GradientContext& g) {
    const Output x = g.x(0), filter = g.x(1), dy = g.dy();
    if (g.needs(0)) g.set(0, same_windows<ByInput>(g, shapes::of(g, x), filter, dy));
    if (g.needs(1)) g.set(1, same_windows<ByFilter>(g, x, shapes::of(g, filter), dy));
  }
  static void by_input(GradientContext& g) {
    const Output filter = g.x(1), dy = g.x(2), d = g.dy();
    if (g.needs(1)) g.set(1, same_windows<ByFilter>(g, d, shapes::of(g, filter), dy));
    if (g.needs(2)) g.set(2, same_windows<Forward>(g, d, filter));
  }
  static void by_filter(GradientContext& g) {
    const Output x = g.x(0), dy = g.x(2), d = g.dy();
    if (g.needs(0)) g.set(0, same_windows<ByInput>(g, shapes::of(g, x), d, dy));
    if (g.needs(2)) g.set(2, same_windows<Forward>(g, x, d));
  }
};

using Conv2DGradients =
    ConvolutionGradients<ops::Conv2D, ops::Conv2DBackpropInput, ops::Conv2DBackpropFilter>;
using Conv3DGradients =
    ConvolutionGradients<ops::Conv3D, ops::Conv3DBackpropInputV2, ops::Conv3DBackpropFilterV2>;
using DepthwiseGradients =
    ConvolutionGradients<ops::DepthwiseConv2dNative, ops::DepthwiseConv2dNativeBackpropInput,
                         ops::DepthwiseConv2dNativeBackpropFilter>;

}  // namespace detail

namespace ops {

DGRAPH_DECL void Conv2D::shape(ShapeContext& c) {
  c.set_output(0, detail::convolved_shape(c, false));
}
DGRAPH_DECL void Conv2D::gradient(GradientContext& g) { detail::Conv2DGradients::forward(g); }
DGRAPH_DECL void Conv2DBackpropInput::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_input_shape(c, false));
}
DGRAPH_DECL void Conv2DBackpropInput::gradient(GradientContext& g) {
  detail::Conv2DGradients::by_input(g);
}
DGRAPH_DECL void Conv2DBackpropFilter::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_filter_shape(c));
}
DGRAPH_DECL void Conv2DBackpropFilter::gradient(GradientContext& g) {
  detail::Conv2DGradients::by_filter(g);
}

DGRAPH_DECL void Conv3D::shape(ShapeContext& c) {
  c.set_output(0, detail::convolved_shape(c, false));
}
DGRAPH_DECL void Conv3D::gradient(GradientContext& g) { detail::Conv3DGradients::forward(g); }
DGRAPH_DECL void Conv3DBackpropInputV2::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_input_shape(c, false));
}
DGRAPH_DECL void Conv3DBackpropInputV2::gradient(GradientContext& g) {
  detail::Conv3DGradients::by_input(g);
}
DGRAPH_DECL void Conv3DBackpropFilterV2::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_filter_shape(c));
}
DGRAPH_DECL void Conv3DBackpropFilterV2::gradient(GradientContext& g) {
  detail::Conv3DGradients::by_filter(g);
}

DGRAPH_DECL void DepthwiseConv2dNative::shape(ShapeContext& c) {
  c.set_output(0, detail::convolved_shape(c, true));
}
DGRAPH_DECL void DepthwiseConv2dNative::gradient(GradientContext& g) {
  detail::DepthwiseGradients::forward(g);
}
DGRAPH_DECL void DepthwiseConv2dNativeBackpropInput::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_input_shape(c, true));
}
DGRAPH_DECL void DepthwiseConv2dNativeBackpropInput::gradient(GradientContext& g) {
  detail::DepthwiseGradients::by_input(g);
}
DGRAPH_DECL void DepthwiseConv2dNativeBackpropFilter::shape(ShapeContext& c) {
  c.set_output(0, detail::backprop_filter_shape(c));
}
DGRAPH_DECL void DepthwiseConv2dNativeBackpropFilter::gradient(GradientContext& g) {
  detail::DepthwiseGradients::by_filter(g);
}

}  // namespace ops

namespace detail {

// A node of two spatial dimensions with the attributes that the options ask for.
template <class OpType, class... Inputs>
Output add_windows(const WindowOptions& options, const OpName& name, const Inputs&... inputs) {
  const bool first = options.channels_first;
  return add_op<OpType>(
      name, inputs..., "strides", over_all_dims(options.strides, {1}, 2, first, "strides"),
      "padding", options.padding.name(), "explicit_paddings",
      explicit_paddings(options.padding, 2, first), "data_format", data_format(2, first),
      "dilations", over_all_dims(options.dilations, {1}, 2, first, "dilations"));
}
// Of three, where no padding can be given in numbers.
template <class OpType, class... Inputs>
Output add_volume_windows(const WindowOptions& options, const OpName& name,
                          const Inputs&... inputs) {
  const bool first = options.channels_first;
  return add_op<OpType>(name, inputs..., "strides",
                        over_all_dims(options.strides, {1}, 3, first, "strides"), "padding",
                        options.padding.name(), "data_format", data_format(3, first), "dilations",
                        over_all_dims(options.dilations, {1}, 3, first, "dilations"));
}

DGRAPH_DECL Output conv2d(const Output& x, const Output& filter, const WindowOptions& options,
                          const OpName& name) {
  return add_windows<ops::Conv2D>(options, name, x, filter);
}
DGRAPH_DECL Output conv3d(const Output& x, const Output& filter, const WindowOptions& options,
                          const OpName& name) {
  return add_volume_windows<ops::Conv3D>(options, name, x, filter);
}
DGRAPH_DECL Output depthwise_conv2d(const Output& x, const Output& filter,
                                    const WindowOptions& options, const OpName& name) {
  return add_windows<ops::DepthwiseConv2dNative>(options, name, x, filter);
}
DGRAPH_DECL Output conv2d_transpose(const Output& x, const Output& filter, const Output& shape,
                                    const WindowOptions& options, const OpName& name) {
  return add_windows<ops::Conv2DBackpropInput>(options, name, shape, filter, x);
}
DGRAPH_DECL Output conv3d_transpose(const Output& x, const Output& filter, const Output& shape,
                                    const WindowOptions& options, const OpName& name) {
  return add_volume_windows<ops::Conv3DBackpropInputV2>(options, name, shape, filter, x);
}

// An image of one row.
DGRAPH_DECL Output conv1d(const Output& x, const Output& filter, const WindowOptions& options,
                          const OpName& name) {
  const OpName at(name.location);
  const std::size_t row = options.channels_first ? 2 : 1;
  const auto widened = [row](std::vector<std::int64_t> list, std::int64_t one) {
    if (list.size() == 3) list.insert(list.begin() + static_cast<std::ptrdiff_t>(row), one);
    if (list.size() == 1) list.insert(list.begin(), one);
    return list;
  };
  WindowOptions wide = options;
  wide.strides = widened(options.strides, 1);
  wide.dilations = widened(options.dilations, 1);
  if (const auto& amounts = options.padding.amounts(); amounts.size() == 1)
    wide.padding = Padding({{0, 0}, amounts[0]});
  const auto axis = [&](std::size_t i) {
    return add_constant(Tensor::scalar(static_cast<std::int32_t>(i)), at, x.core());
  };
  const Output image = add_op<ops::ExpandDims>(at, x, axis(row));
  const Output rows = add_op<ops::ExpandDims>(at, filter, axis(0));
  const Output out = conv2d(image, rows, wide, at);
  return add_op<ops::Squeeze>(name, out, "squeeze_dims",
                              std::vector<std::int64_t>{static_cast<std::int64_t>(row)});
}

DGRAPH_DECL Output separable_conv2d(const Output& x, const Output& depthwise,
                                    const Output& pointwise, const WindowOptions& options,
                                    const OpName& name) {
  WindowOptions at_places;
  at_places.channels_first = options.channels_first;
  return conv2d(depthwise_conv2d(x, depthwise, options, OpName(name.location)), pointwise,
                at_places, name);
}

}  // namespace detail
}  // namespace dgraph
