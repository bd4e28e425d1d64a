#pragma once
#include <dgraph/ops/normalization.hpp>

#include <string>
#include <vector>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/matrix_parts.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/rounding.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL std::size_t channel_axis(const std::string& data_format) {
  return data_format[1] == 'C' ? 1 : data_format.size() - 1;
}

// Outputs [first, last) are vectors of channels; x with what is known of its channels.
DGRAPH_DECL void batch_norm_shapes(ShapeContext& c, std::size_t x_input, std::size_t x_output,
                                   std::initializer_list<std::size_t> vectors_in, std::size_t first,
                                   std::size_t last) {
  const std::string& format = c.attr<std::string>("data_format");
  const std::size_t axis = channel_axis(format);
  PartialShape x = c.with_rank(x_input, format.size());
  if (x_input == 1) x = x.merged_with(c.input(0));
  std::int64_t channels = x[axis];
  for (const std::size_t i : vectors_in) {
    const PartialShape vector = c.with_rank(i, 1);
    if (vector[0] < 0) continue;
    // Training has a mean and a variance of its own.
    if (i >= 3 && x_input == 0 && c.attr<bool>("is_training")) continue;
    if (channels >= 0 && vector[0] != channels)
      fail(Code::InvalidArgument, "input ", i, " has ", vector[0], " elements for ", channels,
           " channels of ", x);
    channels = vector[0];
  }
  Dims dims = x.dims();
  dims[axis] = channels;
  c.set_output(x_output, PartialShape(std::move(dims)));
  for (std::size_t i = first; i < last; ++i) c.set_output(i, PartialShape{channels});
}

DGRAPH_DECL void batch_norm_shape(ShapeContext& c) {
  batch_norm_shapes(c, 0, 0, {1, 2, 3, 4}, 1, 5);
  if (c.num_outputs() > 5) c.set_output(5, PartialShape{0});
}
DGRAPH_DECL void batch_norm_grad_shape(ShapeContext& c) {
  batch_norm_shapes(c, 1, 0, {2, 3, 4}, 1, 3);
  for (std::size_t i = 3; i < 5; ++i) c.set_output(i, PartialShape{0});
}

// What flows back is that of y alone: the moments that come out are for the next step.
template <class GradOp, bool Third>
void batch_norm_gradient(GradientContext& g) {
  const bool training = g.attr<bool>("is_training");
  Output mean = training ? g.y(3) : g.x(3), variance = training ? g.y(4) : g.x(4);
  const auto add = [&](const auto&... more) {
    return g.add<GradOp>(g.dy(), g.x(0), g.x(1), mean, variance, more..., "epsilon",
                         g.attr<float>("epsilon"), "data_format",
                         g.attr<std::string>("data_format"), "is_training", training);
  };
  Output node;
  if constexpr (Third)
    node = add(g.y(5));
  else
    node = add();
  for (std::size_t i = 0; i < 3; ++i)
    if (g.needs(i)) g.set(i, shapes::output(node, i));
}

// Sets the gradients of inputs `xs` of a node whose outputs `ys` stand for its outputs 0, 1, ...: those of
// the ops that they are made of.
DGRAPH_DECL void set_composed_gradients(GradientContext& g, const std::vector<Output>& ys,
                                        const std::vector<Output>& xs) {
  std::vector<Output> reached;
  GradientOptions options;
  options.unconnected_gradients = UnconnectedGradients::Zero;
  for (std::size_t i = 0; i < ys.size(); ++i) {
    if (!g.has_dy(i)) continue;
    reached.push_back(ys[i]);
    options.grad_ys.push_back(g.dy(i));
  }
  if (reached.empty()) return;
  const std::vector<Output> dxs = gradients(reached, xs, options);
  for (std::size_t i = 0; i < xs.size(); ++i)
    if (g.needs(i)) g.set(i, dxs[i]);
}

// A handle of its own for each value, so that derivatives by it are by nothing before it.
DGRAPH_DECL std::vector<Output> own_handles(const GradientContext& g, std::size_t count) {
  std::vector<Output> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(g.add<ops::Identity>(g.x(i)));
  return out;
}

DGRAPH_DECL void batch_norm_grad_gradient(GradientContext& g) {
  const std::string& format = g.attr<std::string>("data_format");
  const std::size_t axis = channel_axis(format);
  Dims others, wide(format.size(), 1);
  for (std::size_t i = 0; i < format.size(); ++i)
    if (i != axis) others.push_back(static_cast<std::int64_t>(i));
  wide[axis] = -1;
  const Output axes = shapes::integers(g, others), vector = shapes::integers(g, wide);
  const auto as_float = [&](const Output& x) {
    return x.dtype() == DType::Float32 ? x : g.add<ops::Cast>(x, "DstT", DType::Float32);
  };
  const bool training = g.attr<bool>("is_training");
  const std::vector<Output> xs = own_handles(g, training ? 3 : 5);
  const Output dy = as_float(xs[0]), x = as_float(xs[1]);
  const Output scale = g.add<ops::Reshape>(as_float(xs[2]), vector);
  const auto mean_of = [&](const Output& v) {
    return g.add<ops::Mean>(v, axes, "keep_dims", true);
  };
  const Output mean = training ? mean_of(x) : g.add<ops::Reshape>(as_float(xs[3]), vector);
  const Output apart = g.add<ops::Sub>(x, mean);
  const Output variance =
      training ? mean_of(g.add<ops::Square>(apart)) : g.add<ops::Reshape>(as_float(xs[4]), vector);
  const Output epsilon = shapes::constant(g, Tensor::scalar(g.attr<float>("epsilon")));
  const Output inverse = g.add<ops::Rsqrt>(g.add<ops::AddV2>(variance, epsilon));
  const Output weighted = g.add<ops::Mul>(dy, apart);
  Output dx = dy;
  if (training) {
    const Output along =
        g.add<ops::Mul>(g.add<ops::Mul>(g.add<ops::Square>(inverse), apart), mean_of(weighted));
    dx = g.add<ops::Sub>(g.add<ops::Sub>(dy, mean_of(dy)), along);
  }
  dx = g.add<ops::Mul>(dx, g.add<ops::Mul>(scale, inverse));
  if (dx.dtype() != g.x(1).dtype()) dx = g.add<ops::Cast>(dx, "DstT", g.x(1).dtype());
  const Output dscale = g.add<ops::Sum>(g.add<ops::Mul>(weighted, inverse), axes);
  set_composed_gradients(g, {dx, dscale, g.add<ops::Sum>(dy, axes)}, xs);
}

template <class OpType, class... Inputs>
Output same_lrn(const GradientContext& g, const Inputs&... inputs) {
  return g.add<OpType>(inputs..., "depth_radius", g.attr<std::int64_t>("depth_radius"), "bias",
                       g.attr<float>("bias"), "alpha", g.attr<float>("alpha"), "beta",
                       g.attr<float>("beta"));
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void FusedBatchNorm::shape(ShapeContext& c) { detail::batch_norm_shape(c); }
DGRAPH_DECL void FusedBatchNormV2::shape(ShapeContext& c) { detail::batch_norm_shape(c); }
DGRAPH_DECL void FusedBatchNormV3::shape(ShapeContext& c) { detail::batch_norm_shape(c); }
DGRAPH_DECL void FusedBatchNormGrad::shape(ShapeContext& c) { detail::batch_norm_grad_shape(c); }
DGRAPH_DECL void FusedBatchNormGradV2::shape(ShapeContext& c) { detail::batch_norm_grad_shape(c); }
DGRAPH_DECL void FusedBatchNormGradV3::shape(ShapeContext& c) { detail::batch_norm_grad_shape(c); }

DGRAPH_DECL void FusedBatchNorm::gradient(GradientContext& g) {
  detail::batch_norm_gradient<FusedBatchNormGrad, false>(g);
}
DGRAPH_DECL void FusedBatchNormV2::gradient(GradientContext& g) {
  detail::batch_norm_gradient<FusedBatchNormGradV2, false>(g);
}
DGRAPH_DECL void FusedBatchNormV3::gradient(GradientContext& g) {
  detail::batch_norm_gradient<FusedBatchNormGradV3, true>(g);
}
DGRAPH_DECL void FusedBatchNormGrad::gradient(GradientContext& g) {
  detail::batch_norm_grad_gradient(g);
}
DGRAPH_DECL void FusedBatchNormGradV2::gradient(GradientContext& g) {
  detail::batch_norm_grad_gradient(g);
}
DGRAPH_DECL void FusedBatchNormGradV3::gradient(GradientContext& g) {
  detail::batch_norm_grad_gradient(g);
}

DGRAPH_DECL void LRN::gradient(GradientContext& g) {
  if (g.needs(0)) g.set(0, detail::same_lrn<LRNGrad>(g, g.dy(), g.x(0), g.y()));
}
DGRAPH_DECL void LRNGrad::shape(ShapeContext& c) {
  c.set_output(0, c.with_rank(0, 4).merged_with(c.input(1)).merged_with(c.input(2)));
}
// With n = bias + alpha * sum of squares, the gradient is dy n^-beta - 2 alpha beta x W(dy y / n), where W
// sums over neighbouring channels: a product with a band of ones.
DGRAPH_DECL void LRNGrad::gradient(GradientContext& g) {
  const std::vector<Output> xs = detail::own_handles(g, 3);
  const auto wide = [&](const Output& v) {
    return v.dtype() == DType::Float32 ? v : g.add<Cast>(v, "DstT", DType::Float32);
  };
  const Output dy = wide(xs[0]), x = wide(xs[1]), y = wide(xs[2]);
  const auto number = [&](float value) { return shapes::constant(g, Tensor::scalar(value)); };
  const float alpha = g.attr<float>("alpha"), beta = g.attr<float>("beta");
  const Output shape = shapes::of(g, x),
               reach = shapes::integer(g, g.attr<std::int64_t>("depth_radius"));
  const Output one = shapes::integers(g, {1});
  const Output channels = g.add<Slice>(shape, shapes::integers(g, {3}), one);
  const Output square =
      g.add<ConcatV2>(std::vector<Output>{channels, channels}, shapes::integer(g, 0));
  const Output most = g.add<Minimum>(reach, g.add<Reshape>(channels, shapes::integers(g, {})));
  const Output band = g.add<MatrixBandPart>(g.add<Fill>(square, number(1)), most, most);
  const auto neighbours = [&](const Output& v) {
    const Output rows = g.add<ConcatV2>(std::vector<Output>{shapes::integers(g, {-1}), channels},
                                        shapes::integer(g, 0));
    return g.add<Reshape>(g.add<MatMul>(g.add<Reshape>(v, rows), band), shape);
  };
  const Output norm = g.add<AddV2>(g.add<Mul>(neighbours(g.add<Square>(x)), number(alpha)),
                                   number(g.attr<float>("bias")));
  const Output spread = neighbours(g.add<RealDiv>(g.add<Mul>(dy, y), norm));
  const Output direct = g.add<Mul>(dy, g.add<Pow>(norm, number(-beta)));
  Output dx = g.add<Sub>(direct, g.add<Mul>(g.add<Mul>(x, spread), number(2 * alpha * beta)));
  if (dx.dtype() != g.x(0).dtype()) dx = g.add<Cast>(dx, "DstT", g.x(0).dtype());
  detail::set_composed_gradients(g, {dx}, xs);
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output batch_normalization(const Output& x, const Output& mean, const Output& variance,
                                       const Output& offset, const Output& scale, double epsilon,
                                       const OpName& name) {
  const OpName at(name.location);
  const Output least = add_constant(scalar_tensor(x.dtype(), epsilon), at, x.core());
  const Output inverse = add_op<ops::Rsqrt>(at, add_op<ops::AddV2>(at, variance, least));
  const Output factor = add_op<ops::Mul>(at, inverse, scale);
  const Output moved = add_op<ops::Sub>(at, offset, add_op<ops::Mul>(at, mean, factor));
  return add_op<ops::AddV2>(name, add_op<ops::Mul>(at, x, factor), moved);
}

DGRAPH_DECL Output fused_batch_norm(const Output& x, const Output& scale, const Output& offset,
                                    const Output& mean, const Output& variance,
                                    const FusedBatchNormOptions& options, const OpName& name) {
  const bool volume = x.shape().rank() == 5;
  const char* const format =
      options.channels_first ? (volume ? "NCDHW" : "NCHW") : (volume ? "NDHWC" : "NHWC");
  return add_op<ops::FusedBatchNormV3>(
      name, x, scale, offset, mean, variance, "epsilon", options.epsilon, "exponential_avg_factor",
      options.exponential_avg_factor, "data_format", format, "is_training", options.is_training);
}

DGRAPH_DECL Output layer_norm(const Output& x, const Output& scale, const Output& offset,
                              std::int64_t axis, double epsilon, const OpName& name) {
  if (axis >= 0 && !x.shape().has_rank())
    fail(Code::InvalidArgument, "axis ", axis, " of layer_norm needs a known rank, not shape ",
         x.shape());
  const OpName at(name.location);
  if (x.shape().has_rank())
    axis = static_cast<std::int64_t>(shapes::axis(axis, x.shape().rank())) -
           static_cast<std::int64_t>(x.shape().rank());
  Dims axes;
  for (std::int64_t i = axis; i < 0; ++i) axes.push_back(i);
  const Output over = add_constant(index_tensor(axes), at, x.core());
  const Output mean = add_op<ops::Mean>(at, x, over, "keep_dims", true);
  const Output apart = add_op<ops::SquaredDifference>(at, x, mean);
  const Output variance = add_op<ops::Mean>(at, apart, over, "keep_dims", true);
  const Output least = add_constant(scalar_tensor(x.dtype(), epsilon), at, x.core());
  const Output inverse = add_op<ops::Rsqrt>(at, add_op<ops::AddV2>(at, variance, least));
  const Output even = add_op<ops::Mul>(at, add_op<ops::Sub>(at, x, mean), inverse);
  return add_op<ops::AddV2>(name, add_op<ops::Mul>(at, even, scale), offset);
}

}  // namespace detail
}  // namespace dgraph
