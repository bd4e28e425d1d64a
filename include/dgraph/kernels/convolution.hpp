#pragma once
// CPU kernels of ops/convolution.hpp: patches times filters, as blocked matrix products.

#include <array>

#include <dgraph/kernels/declare.hpp>
#include <dgraph/ops/spatial.hpp>

namespace dgraph {

DGRAPH_KERNEL(Conv2D);
DGRAPH_KERNEL(Conv2DBackpropInput);
DGRAPH_KERNEL(Conv2DBackpropFilter);
DGRAPH_KERNEL(Conv3D);
DGRAPH_KERNEL(Conv3DBackpropInputV2);
DGRAPH_KERNEL(Conv3DBackpropFilterV2);
DGRAPH_KERNEL(DepthwiseConv2dNative);
DGRAPH_KERNEL(DepthwiseConv2dNativeBackpropInput);
DGRAPH_KERNEL(DepthwiseConv2dNativeBackpropFilter);

namespace detail {

/// A convolution of [batch, d0, d1, d2, channels] with a filter [t0, t1, t2, channels of a group,
/// outputs]; two spatial dimensions have a d0 of 1.
struct Convolution {
  std::int64_t batch = 0, channels = 0, outputs = 0, filter_channels = 0;
  std::array<WindowDim, 3> dims;

  std::int64_t groups() const noexcept { return channels / filter_channels; }
  std::int64_t group_outputs() const noexcept { return outputs / groups(); }
  std::int64_t taps() const noexcept { return dims[0].size * dims[1].size * dims[2].size; }
  std::int64_t places() const noexcept { return dims[0].places * dims[1].places * dims[2].places; }
  std::int64_t elements() const noexcept { return dims[0].input * dims[1].input * dims[2].input; }
};

/// From the shapes of input and filter, the first with its channels last; checks all that can be wrong
/// with them. `depthwise`: the filter has a multiplier where others have outputs.
Convolution plan_convolution(const WindowAttrs& attrs, const Shape& input, const Shape& filter,
                             bool depthwise);
/// Throws InvalidArgument unless this is the shape of the convolution's output.
void check_backprop_shape(const WindowAttrs& attrs, const Convolution& plan, const Shape& shape);
Shape output_shape(const WindowAttrs& attrs, const Convolution& plan);
/// The sizes that an input of integers gives: all of an image's dimensions, or the spatial ones.
Shape image_shape(const WindowAttrs& attrs, const Tensor& sizes, const Shape& filter,
                  const Shape& backprop);
/// The attributes of a kernel of this kind, checked.
WindowAttrs convolution_attrs(const KernelRequest& request);
/// The dtype that products are made in.
DType convolution_compute(const KernelRequest& request);
/// The tensor in that dtype, its channels last.
Tensor convolution_input(const KernelContext& context, const Tensor& from, DType compute,
                         bool channels_first);

}  // namespace detail
}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/convolution.ipp>
#include <dgraph/kernels/impl/convolution_plan.ipp>
#include <dgraph/kernels/impl/depthwise_convolution.ipp>
#endif
