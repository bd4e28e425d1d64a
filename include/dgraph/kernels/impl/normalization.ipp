#pragma once
#include <dgraph/kernels/normalization.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/patches.hpp>
#include <dgraph/ops/constant.hpp>

namespace dgraph {
namespace detail {

struct BatchNormConfig {
  float epsilon, factor;
  bool channels_first, is_training;
  std::size_t rank;
};

// For each channel the sums of `term(row, channel)`. Rows go in blocks, whose sums are added in order.
template <class Term>
std::vector<double> channel_sums(const KernelContext& c, std::int64_t rows, std::int64_t channels,
                                 Term term) {
  constexpr std::int64_t kBlock = std::int64_t{1} << 15, kMostBlocks = 64;
  const std::int64_t blocks = std::clamp<std::int64_t>(rows * channels / kBlock, 1, kMostBlocks);
  std::vector<double> sums(static_cast<std::size_t>(blocks * channels));
  c.parallel_for(blocks, static_cast<double>(rows / blocks * channels),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t block = begin; block < end; ++block) {
                     double* const to = sums.data() + block * channels;
                     for (std::int64_t row = rows * block / blocks;
                          row < rows * (block + 1) / blocks; ++row)
                       for (std::int64_t i = 0; i < channels; ++i) to[i] += term(row, i);
                   }
                 });
  for (std::int64_t block = 1; block < blocks; ++block)
    for (std::int64_t i = 0; i < channels; ++i)
      sums[static_cast<std::size_t>(i)] += sums[static_cast<std::size_t>(block * channels + i)];
  sums.resize(static_cast<std::size_t>(channels));
  return sums;
}

// Images as float32 rows of channels.
struct ChannelRows {
  Tensor tensor;
  std::int64_t rows = 0, channels = 0;
  const float* data() const noexcept { return tensor.data<float>(); }
};
DGRAPH_DECL ChannelRows channel_rows(const KernelContext& c, const Tensor& image,
                                     const BatchNormConfig& config) {
  if (image.rank() != config.rank)
    fail(Code::InvalidArgument, "input must be ", config.rank, "-dimensional, not of shape ",
         image.shape());
  ChannelRows out;
  out.tensor = cast_tensor(channels_last(c, image, config.channels_first), DType::Float32);
  out.channels = out.tensor.dim(config.rank - 1);
  out.rows = elements_before(out.tensor.shape(), config.rank - 1);
  return out;
}

DGRAPH_DECL Tensor channel_vector(const Tensor& from, std::int64_t channels,
                                  std::string_view what) {
  if (from.rank() != 1 || from.dim(0) != channels)
    fail(Code::InvalidArgument, what, " must be a vector of ", channels, " numbers, not of shape ",
         from.shape());
  return cast_tensor(from, DType::Float32);
}

// Calls `run(row begin, row end)` for rows of channels.
DGRAPH_DECL void each_rows(const KernelContext& c, const ChannelRows& x,
                           FunctionRef<void(std::int64_t, std::int64_t)> run) {
  c.parallel_for(x.channels == 0 ? 0 : x.rows, static_cast<double>(x.channels), run);
}

DGRAPH_DECL void run_batch_norm(KernelContext& c) {
  const auto& config = c.config<BatchNormConfig>();
  const ChannelRows x = channel_rows(c, c.input(0), config);
  const std::int64_t n = x.channels;
  const Tensor scale = channel_vector(c.input(1), n, "scale"),
               offset = channel_vector(c.input(2), n, "offset");
  Tensor mean, variance;
  const bool given = !config.is_training || config.factor != 1;
  if (given) {
    mean = channel_vector(c.input(3), n, "mean");
    variance = channel_vector(c.input(4), n, "variance");
  }
  Tensor used_mean = mean, used_variance = variance, out_mean = mean, out_variance = variance;
  if (config.is_training) {
    used_mean = Tensor(DType::Float32, Shape{n});
    used_variance = Tensor(DType::Float32, Shape{n});
    out_mean = Tensor(DType::Float32, Shape{n});
    out_variance = Tensor(DType::Float32, Shape{n});
    const double rows = static_cast<double>(x.rows);
    std::vector<double> means = channel_sums(c, x.rows, n, [&](std::int64_t row, std::int64_t i) {
      return double{x.data()[row * n + i]};
    });
    for (double& m : means) m /= rows;
    const std::vector<double> squares =
        channel_sums(c, x.rows, n, [&](std::int64_t row, std::int64_t i) {
          const double d = double{x.data()[row * n + i]} - means[static_cast<std::size_t>(i)];
          return d * d;
        });
    // Of no rows all moments are NaN.
    const double unbiased = rows / std::max(rows - 1, 1.0);
    for (std::int64_t i = 0; i < n; ++i) {
      const double own_mean = means[static_cast<std::size_t>(i)],
                   own_variance = x.rows == 0 ? std::numeric_limits<double>::quiet_NaN()
                                              : squares[static_cast<std::size_t>(i)] / rows;
      used_mean.mutable_data<float>()[i] = static_cast<float>(own_mean);
      used_variance.mutable_data<float>()[i] = static_cast<float>(own_variance);
      const double f = config.factor;
      const auto mixed = [&](const Tensor& old, double fresh) {
        return static_cast<float>(given ? (1 - f) * old.data<float>()[i] + f * fresh : fresh);
      };
      out_mean.mutable_data<float>()[i] = mixed(mean, own_mean);
      out_variance.mutable_data<float>()[i] = mixed(variance, own_variance * unbiased);
    }
  }
  if (x.rows == 0 && !config.is_training) {
    // TensorFlow's moments of nothing, which were not used.
    const Tensor none = filled_tensor(DType::Float32, Shape{n}, std::numeric_limits<double>::quiet_NaN());
    out_mean = out_variance = used_mean = used_variance = none;
  }
  std::vector<float> factor(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    factor[static_cast<std::size_t>(i)] = static_cast<float>(
        double{scale.data<float>()[i]} /
        std::sqrt(double{used_variance.data<float>()[i]} + double{config.epsilon}));
  Tensor y(DType::Float32, x.tensor.shape());
  float* const to = y.mutable_data<float>();
  const float *const m = used_mean.data<float>(), *const o = offset.data<float>();
  each_rows(c, x, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t i = 0; i < n; ++i)
        to[row * n + i] =
            (x.data()[row * n + i] - m[i]) * factor[static_cast<std::size_t>(i)] + o[i];
  });
  set_with_layout(c, 0, std::move(y), config.channels_first);
  const Tensor* const vectors[] = {&out_mean, &out_variance, &used_mean, &used_variance};
  for (std::size_t i = 0; i < 4; ++i)
    c.set_output(i + 1, cast_tensor(*vectors[i], c.output_dtype(i + 1)));
  if (c.num_outputs() > 5) c.allocate_output(5, Shape{0});
}

DGRAPH_DECL void run_batch_norm_grad(KernelContext& c) {
  const auto& config = c.config<BatchNormConfig>();
  const ChannelRows dy = channel_rows(c, c.input(0), config),
                    x = channel_rows(c, c.input(1), config);
  if (!(dy.tensor.shape() == x.tensor.shape()))
    fail(Code::InvalidArgument, "y_backprop has shape ", c.input(0).shape(), ", but x ",
         c.input(1).shape());
  const std::int64_t n = x.channels;
  const Tensor scale = channel_vector(c.input(2), n, "scale"),
               mean = channel_vector(c.input(3), n, "reserve_space_1"),
               variance = channel_vector(c.input(4), n, "reserve_space_2");
  const float *const d = dy.data(), *const v = x.data(), *const m = mean.data<float>();
  const std::vector<double> sums = channel_sums(
      c, x.rows, n, [&](std::int64_t row, std::int64_t i) { return double{d[row * n + i]}; });
  const std::vector<double> weighted =
      channel_sums(c, x.rows, n, [&](std::int64_t row, std::int64_t i) {
        return double{d[row * n + i]} * (double{v[row * n + i]} - double{m[i]});
      });
  // dx = factor * (dy - even - slope * (x - mean)).
  std::vector<float> factor(static_cast<std::size_t>(n)), even(factor), slope(factor);
  Tensor dscale(DType::Float32, Shape{n}), doffset(DType::Float32, Shape{n});
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double inverse =
        1 / std::sqrt(double{variance.data<float>()[i]} + double{config.epsilon});
    factor[at] = static_cast<float>(double{scale.data<float>()[i]} * inverse);
    dscale.mutable_data<float>()[i] = static_cast<float>(weighted[at] * inverse);
    doffset.mutable_data<float>()[i] = static_cast<float>(sums[at]);
    if (!config.is_training || x.rows == 0) continue;
    even[at] = static_cast<float>(sums[at] / static_cast<double>(x.rows));
    slope[at] = static_cast<float>(weighted[at] / static_cast<double>(x.rows) * inverse * inverse);
  }
  Tensor dx(DType::Float32, x.tensor.shape());
  float* const to = dx.mutable_data<float>();
  each_rows(c, x, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        to[row * n + i] =
            factor[at] * (d[row * n + i] - even[at] - slope[at] * (v[row * n + i] - m[i]));
      }
  });
  set_with_layout(c, 0, std::move(dx), config.channels_first);
  c.set_output(1, cast_tensor(dscale, c.output_dtype(1)));
  c.set_output(2, cast_tensor(doffset, c.output_dtype(2)));
  for (std::size_t i = 3; i < 5; ++i) c.allocate_output(i, Shape{0});
}

DGRAPH_DECL Kernel batch_norm_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  const std::string& format = r.attr<std::string>("data_format");
  BatchNormConfig config{r.attr<float>("epsilon"), 1, format[1] == 'C', r.attr<bool>("is_training"),
                         format.size()};
  if (r.def.attr_index("exponential_avg_factor") >= 0)
    config.factor = r.attr<float>("exponential_avg_factor");
  return plain_kernel(run).with(config);
}

struct LrnConfig {
  std::int64_t radius;
  double bias, alpha, beta;
};

// Sums over the neighbours of each channel, from sums of all channels before one.
DGRAPH_DECL void sum_neighbours(const std::vector<double>& before, std::int64_t channels,
                                std::int64_t radius, std::vector<double>& out) {
  for (std::int64_t i = 0; i < channels; ++i) {
    const std::int64_t first = std::max<std::int64_t>(0, i - radius),
                       last = std::min(channels, i + radius + 1);
    out[static_cast<std::size_t>(i)] =
        before[static_cast<std::size_t>(last)] - before[static_cast<std::size_t>(first)];
  }
}

// For each row of channels calls `run(row, norms)` with bias + alpha * the sum of squares.
template <class Run>
void each_lrn_row(const KernelContext& c, const Tensor& x, const LrnConfig& config, Run run) {
  if (x.rank() != 4) fail(Code::InvalidArgument, "in must be 4-dimensional, not ", x.shape());
  const std::int64_t channels = x.dim(3), radius = std::min(config.radius, channels);
  const double ns = 20.0 * static_cast<double>(channels);
  c.parallel_for(channels == 0 ? 0 : elements_before(x.shape(), 3), ns,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<double> before(static_cast<std::size_t>(channels) + 1),
                       norms(static_cast<std::size_t>(channels));
                   for (std::int64_t row = begin; row < end; ++row) {
                     for (std::int64_t i = 0; i < channels; ++i) {
                       const double v = x.data<float>()[row * channels + i];
                       before[static_cast<std::size_t>(i) + 1] =
                           before[static_cast<std::size_t>(i)] + v * v;
                     }
                     sum_neighbours(before, channels, radius, norms);
                     for (double& norm : norms) norm = config.bias + config.alpha * norm;
                     run(row, norms, before);
                   }
                 });
}

DGRAPH_DECL void run_lrn(KernelContext& c) {
  const auto& config = c.config<LrnConfig>();
  const Tensor x = cast_tensor(c.input(0), DType::Float32);
  Tensor y(DType::Float32, x.shape());
  each_lrn_row(
      c, x, config, [&](std::int64_t row, const std::vector<double>& norms, std::vector<double>&) {
        const std::int64_t n = x.dim(3);
        for (std::int64_t i = 0; i < n; ++i)
          y.mutable_data<float>()[row * n + i] =
              static_cast<float>(double{x.data<float>()[row * n + i]} *
                                 std::pow(norms[static_cast<std::size_t>(i)], -config.beta));
      });
  set_with_layout(c, 0, std::move(y), false);
}

DGRAPH_DECL void run_lrn_grad(KernelContext& c) {
  const auto& config = c.config<LrnConfig>();
  const Tensor dy = cast_tensor(c.input(0), DType::Float32),
               x = cast_tensor(c.input(1), DType::Float32),
               y = cast_tensor(c.input(2), DType::Float32);
  if (!(dy.shape() == x.shape()) || !(y.shape() == x.shape()))
    fail(Code::InvalidArgument,
         "input_grads, input_image and output_image must be of one shape, not ", dy.shape(), ", ",
         x.shape(), " and ", y.shape());
  Tensor dx(DType::Float32, x.shape());
  each_lrn_row(
      c, x, config,
      [&](std::int64_t row, const std::vector<double>& norms, std::vector<double>& before) {
        const std::int64_t n = x.dim(3);
        const float *const d = dy.data<float>() + row * n, *const out = y.data<float>() + row * n;
        for (std::int64_t i = 0; i < n; ++i)
          before[static_cast<std::size_t>(i) + 1] =
              before[static_cast<std::size_t>(i)] +
              double{d[i]} * double{out[i]} / norms[static_cast<std::size_t>(i)];
        std::vector<double> spread(norms.size());
        sum_neighbours(before, n, std::min(config.radius, n), spread);
        for (std::int64_t i = 0; i < n; ++i) {
          const auto at = static_cast<std::size_t>(i);
          dx.mutable_data<float>()[row * n + i] = static_cast<float>(
              double{d[i]} * std::pow(norms[at], -config.beta) -
              2 * config.alpha * config.beta * double{x.data<float>()[row * n + i]} * spread[at]);
        }
      });
  set_with_layout(c, 0, std::move(dx), false);
}

DGRAPH_DECL Kernel lrn_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  const LrnConfig config{r.attr<std::int64_t>("depth_radius"), double{r.attr<float>("bias")},
                         double{r.attr<float>("alpha")}, double{r.attr<float>("beta")}};
  if (config.radius < 0)
    fail(Code::InvalidArgument, "depth_radius must not be negative: ", config.radius);
  return plain_kernel(run).with(config);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::FusedBatchNorm>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm);
}
DGRAPH_DECL Kernel Kernels<ops::FusedBatchNormV2>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm);
}
DGRAPH_DECL Kernel Kernels<ops::FusedBatchNormV3>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm);
}
DGRAPH_DECL Kernel Kernels<ops::FusedBatchNormGrad>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm_grad);
}
DGRAPH_DECL Kernel Kernels<ops::FusedBatchNormGradV2>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm_grad);
}
DGRAPH_DECL Kernel Kernels<ops::FusedBatchNormGradV3>::make(const KernelRequest& r) {
  return detail::batch_norm_kernel(r, &detail::run_batch_norm_grad);
}
DGRAPH_DECL Kernel Kernels<ops::LRN>::make(const KernelRequest& r) {
  return detail::lrn_kernel(r, &detail::run_lrn);
}
DGRAPH_DECL Kernel Kernels<ops::LRNGrad>::make(const KernelRequest& r) {
  return detail::lrn_kernel(r, &detail::run_lrn_grad);
}

}  // namespace dgraph
