#pragma once
// Normalisation: FusedBatchNorm, LRN and their gradients; batch_normalization, fused_batch_norm,
// layer_norm, local_response_normalization.

#include <tuple>
#include <type_traits>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>
#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {
namespace ops {

/// y = (x - mean) / sqrt(variance + epsilon) * scale + offset for each channel. Where is_training, mean
/// and variance are those of x, and batch_mean and batch_variance (divided by n - 1) come out, mixed
/// with the given ones where exponential_avg_factor is not 1; otherwise the given ones are used. No
/// gradient flows to mean and variance. InvalidArgument where a vector is not as long as channels are.
struct FusedBatchNorm {
  static constexpr auto signature =
      "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> "
      "(y: T, batch_mean: T, batch_variance: T, reserve_space_1: T, reserve_space_2: T); "
      "T: {float32}; epsilon: float = 0.0001; exponential_avg_factor: float = 1.0; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'; is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same with images of a smaller dtype.
struct FusedBatchNormV2 {
  static constexpr auto signature =
      "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> "
      "(y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U); "
      "T: {float16, bfloat16, float32}; U: {bfloat16, float32}; epsilon: float = 0.0001; "
      "exponential_avg_factor: float = 1.0; data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
      "is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The same, also of volumes; reserve_space_3 is empty.
struct FusedBatchNormV3 {
  static constexpr auto signature =
      "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> "
      "(y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, "
      "reserve_space_3: U); T: {float16, bfloat16, float32}; U: {bfloat16, float32}; "
      "epsilon: float = 0.0001; exponential_avg_factor: float = 1.0; "
      "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'; is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of FusedBatchNorm; reserve_space_1 and 2 are the mean and variance that it used. The
/// reserve spaces that come out are empty.
struct FusedBatchNormGrad {
  static constexpr auto signature =
      "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) "
      "-> "
      "(x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, "
      "reserve_space_4: T); T: {float32}; epsilon: float = 0.0001; "
      "data_format: {'NHWC', 'NCHW'} = 'NHWC'; is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of FusedBatchNormV2.
struct FusedBatchNormGradV2 {
  static constexpr auto signature =
      "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float32, reserve_space_1: U, "
      "reserve_space_2: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, "
      "reserve_space_3: U, reserve_space_4: U); T: {float16, bfloat16, float32}; U: {float32}; "
      "epsilon: float = 0.0001; data_format: {'NHWC', 'NCHW'} = 'NHWC'; is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// The gradient of FusedBatchNormV3.
struct FusedBatchNormGradV3 {
  static constexpr auto signature =
      "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float32, reserve_space_1: U, "
      "reserve_space_2: U, reserve_space_3: U) -> (x_backprop: T, scale_backprop: U, "
      "offset_backprop: U, reserve_space_4: U, reserve_space_5: U); "
      "T: {float16, bfloat16, float32}; U: {float32}; epsilon: float = 0.0001; "
      "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'; is_training: bool = true";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

/// input / (bias + alpha * s) ** beta, s the sum of the squares of the channels from depth_radius before
/// to depth_radius after; rank 4.
struct LRN {
  static constexpr auto signature =
      "LRN(input: T) -> (output: T); depth_radius: int = 5; bias: float = 1.0; alpha: float = 1.0; "
      "beta: float = 0.5; T: {float16, bfloat16, float32} = float32";
  static void shape(ShapeContext& c) { c.set_output(0, c.with_rank(0, 4)); }
  static void gradient(GradientContext& g);
};

/// The gradient of LRN.
struct LRNGrad {
  static constexpr auto signature =
      "LRNGrad(input_grads: T, input_image: T, output_image: T) -> (output: T); "
      "depth_radius: int = 5; bias: float = 1.0; alpha: float = 1.0; beta: float = 0.5; "
      "T: {float16, bfloat16, float32} = float32";
  static void shape(ShapeContext& c);
  static void gradient(GradientContext& g);
};

}  // namespace ops

/// The attributes of fused_batch_norm; mean and variance are needed where it is not training.
struct FusedBatchNormOptions {
  float epsilon = 0.001f;
  bool channels_first = false;
  bool is_training = true;
  /// batch_mean and batch_variance are this much of the batch's, the rest of the given ones.
  float exponential_avg_factor = 1.0f;
};

namespace detail {
Output batch_normalization(const Output& x, const Output& mean, const Output& variance,
                           const Output& offset, const Output& scale, double epsilon,
                           const OpName& name);
Output fused_batch_norm(const Output& x, const Output& scale, const Output& offset,
                        const Output& mean, const Output& variance,
                        const FusedBatchNormOptions& options, const OpName& name);
Output layer_norm(const Output& x, const Output& scale, const Output& offset, std::int64_t axis,
                  double epsilon, const OpName& name);
}  // namespace detail

/// (x - mean) / sqrt(variance + epsilon) * scale + offset, all broadcast to the shape of x.
template <AnyOperand X>
Op<element_of<X>> batch_normalization(X&& x, const ValueArg<element_of<X>>& mean,
                                      const ValueArg<element_of<X>>& variance,
                                      const ValueArg<element_of<X>>& offset,
                                      const ValueArg<element_of<X>>& scale, double epsilon,
                                      OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const auto node = [&](const ValueArg<T>& arg) { return arg.node(name.location, value.core()); };
  const Output m = node(mean), v = node(variance), o = node(offset), s = node(scale);
  return Op<T>(detail::batch_normalization(value, m, v, o, s, epsilon, name));
}

/// Images [batch, height, width, channels] (or volumes; or channels first) normalised for each channel
/// and the mean and variance of the batch: `auto [y, mean, variance] = fused_batch_norm(x, scale,
/// offset)`. Where options say that it is not training, mean and variance are given, and come back.
template <AnyOperand X>
std::tuple<Op<element_of<X>>, Op<float>, Op<float>> fused_batch_norm(
    X&& x, const ValueArg<float>& scale, const ValueArg<float>& offset,
    const ValueArg<float>& mean = Tensor(DType::Float32, Shape{0}),
    const ValueArg<float>& variance = Tensor(DType::Float32, Shape{0}),
    const FusedBatchNormOptions& options = {}, OpName name = {}) {
  using T = element_of<X>;
  static_assert(!std::is_same_v<T, double>,
                "dgraph: fused_batch_norm has no float64; use batch_normalization");
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const auto node = [&](const ValueArg<float>& arg) {
    return arg.node(name.location, value.core());
  };
  const Output s = node(scale), o = node(offset), m = node(mean), v = node(variance);
  const Output out = detail::fused_batch_norm(value, s, o, m, v, options, name);
  const auto result = [&out](std::uint32_t i) { return Output(out.core(), out.node_id(), i); };
  return {Op<T>(out), Op<float>(result(1)), Op<float>(result(2))};
}

/// x with mean 0 and variance 1 over the dimensions from `axis` on, times scale plus offset, which are
/// broadcast to the shape of x.
template <AnyOperand X>
Op<element_of<X>> layer_norm(X&& x, const ValueArg<element_of<X>>& scale,
                             const ValueArg<element_of<X>>& offset, std::int64_t axis = -1,
                             double epsilon = 1e-6, OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  const Output s = scale.node(name.location, value.core());
  const Output o = offset.node(name.location, value.core());
  return Op<T>(detail::layer_norm(value, s, o, axis, epsilon, name));
}

/// x / (bias + alpha * s) ** beta, s the sum of the squares of the channels (the last of four
/// dimensions) from `depth_radius` before to `depth_radius` after.
template <AnyOperand X>
Op<element_of<X>> local_response_normalization(X&& x, std::int64_t depth_radius = 5, float bias = 1,
                                               float alpha = 1, float beta = 0.5f,
                                               OpName name = {}) {
  using T = element_of<X>;
  const Output value = detail::as_output<T>(x, name.location, nullptr);
  return Op<T>(add_op<ops::LRN>(name, value, "depth_radius", depth_radius, "bias", bias, "alpha",
                                alpha, "beta", beta));
}

using NormalizationOps = OpSet<ops::FusedBatchNorm, ops::FusedBatchNormV2, ops::FusedBatchNormV3,
                               ops::FusedBatchNormGrad, ops::FusedBatchNormGradV2,
                               ops::FusedBatchNormGradV3, ops::LRN, ops::LRNGrad>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/normalization.ipp>
#endif
