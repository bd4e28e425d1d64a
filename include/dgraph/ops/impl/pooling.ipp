#pragma once
#include <dgraph/ops/pooling.hpp>

#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL PartialShape pooled_shape(const ShapeContext& c) {
  const WindowAttrs attrs = read_pool_attrs(
      c.def(), [&c](std::string_view name) -> const AttrValue& { return c.attr(name); });
  const PartialShape x = c.with_rank(0, attrs.rank());
  Dims out = x.dims();
  for (std::size_t i = 0; i < attrs.spatial; ++i) {
    const std::size_t axis = attrs.spatial_axis(i);
    out[axis] = attrs.places(i, x[axis], attrs.sizes[axis]);
  }
  std::int64_t& channels = out[attrs.channel_axis()];
  const std::int64_t depth = attrs.sizes[attrs.channel_axis()];
  if (channels >= 0 && channels % depth != 0)
    fail(Code::Unimplemented, "windows of ", depth, " channels do not fit ", channels);
  if (channels >= 0) channels /= depth;
  return PartialShape(std::move(out));
}

// A node with the window attributes of the one whose gradient is built.
template <class OpType, class... Inputs>
Output same_pool(const GradientContext& g, const Inputs&... inputs) {
  using List = std::vector<std::int64_t>;
  const auto& padding = g.attr<std::string>("padding");
  const auto& format = g.attr<std::string>("data_format");
  const auto &sizes = g.attr<List>("ksize"), &strides = g.attr<List>("strides");
  if (padding == "EXPLICIT")
    return g.add<OpType>(inputs..., "ksize", sizes, "strides", strides, "padding", padding,
                         "explicit_paddings", g.attr<List>("explicit_paddings"), "data_format",
                         format);
  return g.add<OpType>(inputs..., "ksize", sizes, "strides", strides, "padding", padding,
                       "data_format", format);
}
template <class OpType, class... Inputs>
Output same_argmax_pool(const GradientContext& g, const Inputs&... inputs) {
  using List = std::vector<std::int64_t>;
  return g.add<OpType>(inputs..., "ksize", g.attr<List>("ksize"), "strides",
                       g.attr<List>("strides"), "padding", g.attr<std::string>("padding"),
                       "include_batch_in_index", g.attr<bool>("include_batch_in_index"));
}

// Both gradients are linear in the third input, and piecewise constant in the others.
template <class Back>
void grad_of_pool_gradient(GradientContext& g) {
  for (std::size_t i = 0; i < 2; ++i)
    if (g.needs(i)) g.set(i, g.zeros_like(g.x(i)));
  if (g.needs(2)) g.set(2, same_pool<Back>(g, g.x(0), g.x(1), g.dy()));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void MaxPool::shape(ShapeContext& c) { c.set_output(0, detail::pooled_shape(c)); }
DGRAPH_DECL void MaxPool::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::same_pool<MaxPoolGrad>(g, g.x(0), g.y(), g.dy()));
}
DGRAPH_DECL void MaxPoolGrad::gradient(GradientContext& g) {
  detail::grad_of_pool_gradient<MaxPoolGradGrad>(g);
}
DGRAPH_DECL void MaxPoolGradGrad::gradient(GradientContext& g) {
  detail::grad_of_pool_gradient<MaxPoolGrad>(g);
}

DGRAPH_DECL void MaxPoolWithArgmax::shape(ShapeContext& c) {
  const PartialShape out = detail::pooled_shape(c);
  c.set_output(0, out);
  c.set_output(1, out);
}
DGRAPH_DECL void MaxPoolWithArgmax::gradient(GradientContext& g) {
  if (g.needs(0))
    g.set(0, detail::same_argmax_pool<MaxPoolGradWithArgmax>(g, g.x(0), g.dy(), g.y(1)));
}
DGRAPH_DECL void MaxPoolGradWithArgmax::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.zeros_like(g.x(0)));
  if (g.needs(1))
    g.set(1, detail::same_argmax_pool<MaxPoolGradGradWithArgmax>(g, g.x(0), g.dy(), g.x(2)));
}
DGRAPH_DECL void MaxPoolGradGradWithArgmax::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, g.zeros_like(g.x(0)));
  if (g.needs(1))
    g.set(1, detail::same_argmax_pool<MaxPoolGradWithArgmax>(g, g.x(0), g.dy(), g.x(2)));
}

DGRAPH_DECL void AvgPool::shape(ShapeContext& c) { c.set_output(0, detail::pooled_shape(c)); }
DGRAPH_DECL void AvgPool::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::same_pool<AvgPoolGrad>(g, shapes::of(g, g.x(0)), g.dy()));
}
DGRAPH_DECL void AvgPoolGrad::shape(ShapeContext& c) {
  c.set_output(0, c.as_shape(0).merged_with(PartialShape::of_rank(4)));
}
DGRAPH_DECL void AvgPoolGrad::gradient(GradientContext& g) {
  if (g.needs(1)) g.set(1, detail::same_pool<AvgPool>(g, g.dy()));
}

DGRAPH_DECL void MaxPool3D::shape(ShapeContext& c) { c.set_output(0, detail::pooled_shape(c)); }
DGRAPH_DECL void MaxPool3D::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::same_pool<MaxPool3DGrad>(g, g.x(0), g.y(), g.dy()));
}
DGRAPH_DECL void MaxPool3DGrad::gradient(GradientContext& g) {
  detail::grad_of_pool_gradient<MaxPool3DGradGrad>(g);
}
DGRAPH_DECL void MaxPool3DGradGrad::gradient(GradientContext& g) {
  detail::grad_of_pool_gradient<MaxPool3DGrad>(g);
}

DGRAPH_DECL void AvgPool3D::shape(ShapeContext& c) { c.set_output(0, detail::pooled_shape(c)); }
DGRAPH_DECL void AvgPool3D::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::same_pool<AvgPool3DGrad>(g, shapes::of(g, g.x(0)), g.dy()));
}
DGRAPH_DECL void AvgPool3DGrad::shape(ShapeContext& c) {
  c.set_output(0, c.as_shape(0).merged_with(PartialShape::of_rank(5)));
}
DGRAPH_DECL void AvgPool3DGrad::gradient(GradientContext& g) {
  if (g.needs(1)) g.set(1, detail::same_pool<AvgPool3D>(g, g.dy()));
}

}  // namespace ops

namespace detail {

// The attributes that pooling of either rank has.
struct PoolLists {
  std::vector<std::int64_t> sizes, strides;
  PoolLists(const std::vector<std::int64_t>& size, const WindowOptions& options,
            std::size_t spatial)
      : sizes(over_all_dims(size, {}, spatial, options.channels_first, "window sizes")),
        strides(over_all_dims(options.strides, sizes, spatial, options.channels_first, "strides")) {
    if (!options.dilations.empty())
      fail(Code::InvalidArgument, "windows of pooling have no dilations");
  }
};

DGRAPH_DECL Output max_pool(const Output& x, const std::vector<std::int64_t>& size,
                            const WindowOptions& options, std::size_t spatial, const OpName& name) {
  const PoolLists lists(size, options, spatial);
  const std::string format = data_format(spatial, options.channels_first);
  if (spatial == 3)
    return add_op<ops::MaxPool3D>(name, x, "ksize", lists.sizes, "strides", lists.strides,
                                  "padding", options.padding.name(), "data_format", format);
  return add_op<ops::MaxPool>(name, x, "ksize", lists.sizes, "strides", lists.strides, "padding",
                              options.padding.name(), "explicit_paddings",
                              explicit_paddings(options.padding, 2, options.channels_first),
                              "data_format", format);
}

DGRAPH_DECL Output avg_pool(const Output& x, const std::vector<std::int64_t>& size,
                            const WindowOptions& options, std::size_t spatial, const OpName& name) {
  const PoolLists lists(size, options, spatial);
  const std::string format = data_format(spatial, options.channels_first);
  if (spatial == 3)
    return add_op<ops::AvgPool3D>(name, x, "ksize", lists.sizes, "strides", lists.strides,
                                  "padding", options.padding.name(), "data_format", format);
  return add_op<ops::AvgPool>(name, x, "ksize", lists.sizes, "strides", lists.strides, "padding",
                              options.padding.name(), "data_format", format);
}

DGRAPH_DECL Output max_pool_with_argmax(const Output& x, const std::vector<std::int64_t>& size,
                                        const WindowOptions& options, bool include_batch,
                                        const OpName& name) {
  if (options.channels_first)
    fail(Code::InvalidArgument, "max_pool_with_argmax is for images whose channels are last");
  const PoolLists lists(size, options, 2);
  return add_op<ops::MaxPoolWithArgmax>(name, x, "ksize", lists.sizes, "strides", lists.strides,
                                        "padding", options.padding.name(), "include_batch_in_index",
                                        include_batch);
}

}  // namespace detail
}  // namespace dgraph
