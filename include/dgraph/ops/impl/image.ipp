#pragma once
#include <dgraph/ops/image.hpp>

#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

// The image of input 0 in the size of input 1.
DGRAPH_DECL void resized_shape(ShapeContext& c) {
  const PartialShape images = c.with_rank(0, 4);
  const PartialShape sizes = c.as_shape(1).merged_with(PartialShape{-1, -1});
  c.with_rank(1, 1);
  c.set_output(0, PartialShape{images[0], sizes[0], sizes[1], images[3]});
}

template <class OpType>
Output same_resize(const GradientContext& g, const Output& a, const Output& b) {
  return g.add<OpType>(a, b, "align_corners", g.attr<bool>("align_corners"), "half_pixel_centers",
                       g.attr<bool>("half_pixel_centers"));
}

// Height and width of images.
DGRAPH_DECL Output image_size(const GradientContext& g, const Output& images) {
  const PartialShape& shape = images.shape();
  if (shape.has_rank()) return shapes::of(g, images, 1, 3);
  return g.add<ops::Slice>(shapes::of(g, images), shapes::integers(g, {1}),
                           shapes::integers(g, {2}));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void ResizeBilinear::shape(ShapeContext& c) { detail::resized_shape(c); }
DGRAPH_DECL void ResizeBilinear::gradient(GradientContext& g) {
  if (is_floating(g.x(0).dtype()) && g.needs(0))
    g.set(0, detail::same_resize<ResizeBilinearGrad>(g, g.dy(), g.x(0)));
}
DGRAPH_DECL void ResizeBilinearGrad::shape(ShapeContext& c) {
  c.with_rank(0, 4);
  c.set_output(0, c.with_rank(1, 4));
}
DGRAPH_DECL void ResizeBilinearGrad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, detail::same_resize<ResizeBilinear>(g, g.dy(), detail::image_size(g, g.x(0))));
}

DGRAPH_DECL void ResizeNearestNeighbor::shape(ShapeContext& c) { detail::resized_shape(c); }
DGRAPH_DECL void ResizeNearestNeighbor::gradient(GradientContext& g) {
  if (is_floating(g.x(0).dtype()) && g.needs(0))
    g.set(0,
          detail::same_resize<ResizeNearestNeighborGrad>(g, g.dy(), detail::image_size(g, g.x(0))));
}
DGRAPH_DECL void ResizeNearestNeighborGrad::shape(ShapeContext& c) { detail::resized_shape(c); }
DGRAPH_DECL void ResizeNearestNeighborGrad::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, detail::same_resize<ResizeNearestNeighbor>(g, g.dy(), detail::image_size(g, g.x(0))));
}

}  // namespace ops
}  // namespace dgraph
