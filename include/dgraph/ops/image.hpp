#pragma once
// Images in other sizes: ResizeBilinear, ResizeNearestNeighbor and their gradients.

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/integers.hpp>
#include <dgraph/ops/operand.hpp>

namespace dgraph {
/// In all: images are [batch, height, width, channels] and size is (height, width). align_corners: the
/// centres of the corner pixels of both sizes meet; half_pixel_centers: pixels are sampled at their
/// centres; both cannot be. InvalidArgument for sizes that are not positive.
namespace ops {

/// Each pixel is mixed of the four nearest, by their distances; float32 whatever the input is.
struct ResizeBilinear {
  static constexpr auto signature =
      "ResizeBilinear(images: T, size: int32) -> (resized_images: float32); "
      "T: {floating, int8, uint8, int16, uint16, int32, int64}; align_corners: bool = false; "
      "half_pixel_centers: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of ResizeBilinear, of the shape and dtype of original_image.
struct ResizeBilinearGrad {
  static constexpr auto signature =
      "ResizeBilinearGrad(grads: float32, original_image: T) -> (output: T); T: {floating}; "
      "align_corners: bool = false; half_pixel_centers: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// Each pixel is the nearest one.
struct ResizeNearestNeighbor {
  static constexpr auto signature =
      "ResizeNearestNeighbor(images: T, size: int32) -> (resized_images: T); "
      "T: {floating, int8, uint8, int16, uint16, int32, int64}; align_corners: bool = false; "
      "half_pixel_centers: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of ResizeNearestNeighbor by images of that size.
struct ResizeNearestNeighborGrad {
  static constexpr auto signature =
      "ResizeNearestNeighborGrad(grads: T, size: int32) -> (output: T); "
      "T: {floating, uint8, int8, int32}; align_corners: bool = false; "
      "half_pixel_centers: bool = false";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// Where pixels of resized images are sampled; see above.
struct ResizeOptions {
  bool align_corners = false;
  bool half_pixel_centers = false;
};

/// Images [batch, height, width, channels] in that size, (height, width), mixed linearly: float32.
template <AnyOperand X>
Op<float> resize_bilinear(X&& images, const IntegersArg& size, const ResizeOptions& options = {},
                          OpName name = {}) {
  const Output from = detail::as_output<element_of<X>>(images, name.location, nullptr);
  return Op<float>(add_op<ops::ResizeBilinear>(name, from, size.node(name.location, from.core()),
                                               "align_corners", options.align_corners,
                                               "half_pixel_centers", options.half_pixel_centers));
}
/// The same with each pixel the nearest one: of the dtype of images.
template <AnyOperand X>
Op<element_of<X>> resize_nearest_neighbor(X&& images, const IntegersArg& size,
                                          const ResizeOptions& options = {}, OpName name = {}) {
  using T = element_of<X>;
  const Output from = detail::as_output<T>(images, name.location, nullptr);
  return Op<T>(add_op<ops::ResizeNearestNeighbor>(
      name, from, size.node(name.location, from.core()), "align_corners", options.align_corners,
      "half_pixel_centers", options.half_pixel_centers));
}

using ImageOps = OpSet<ops::ResizeBilinear, ops::ResizeBilinearGrad, ops::ResizeNearestNeighbor,
                       ops::ResizeNearestNeighborGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/image.ipp>
#endif
