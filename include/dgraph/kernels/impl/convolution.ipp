#pragma once
#include <dgraph/kernels/convolution.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/gemm.hpp>
#include <dgraph/kernels/patches.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// Patches are gathered so many columns, and so many elements, at a time.
inline constexpr std::int64_t kPatchColumns = 1024, kPatchElements = std::int64_t{1} << 19;
inline constexpr std::int64_t kPatchRowsLeast = 64, kPatchRowsMost = 1024;

struct ConvolutionConfig {
  WindowAttrs attrs;
  DType compute;
};

// About as many multiplications as elements of the output (or its gradient) times those of the filter
// for one output channel.
DGRAPH_DECL double convolution_cost(const KernelContext& c) {
  const auto& config = c.config<ConvolutionConfig>();
  double most = 0, all = 1;
  for (const Tensor& input : c.inputs()) {
    most = std::max(most, static_cast<double>(input.elements()));
    if (input.rank() == config.attrs.rank())
      all *= static_cast<double>(input.elements()) /
             static_cast<double>(std::max<std::int64_t>(1, input.dim(config.attrs.channel_axis())));
  }
  return 1000 + std::max(most, all) * multiply_ns(config.compute);
}

// How a matrix of patches is cut: into `rows` rows and `tap_rows` tap rows; by sizes alone.
struct PatchBlocks {
  std::int64_t rows, tap_rows;
  PatchBlocks(const Patches& patches, std::int64_t total) {
    const std::int64_t width = std::max<std::int64_t>(1, patches.row_width());
    tap_rows = std::max<std::int64_t>(1, std::min(kPatchColumns / width, patches.tap_rows()));
    const std::int64_t fit = std::min(kPatchElements / (tap_rows * width), (total + 3) / 4);
    rows = std::clamp(fit, kPatchRowsLeast, kPatchRowsMost);
  }
  std::size_t bytes(const Patches& patches, DType dtype) const {
    return static_cast<std::size_t>(rows * tap_rows * patches.row_width()) * dtype_size(dtype);
  }
};

// Rows of patches times a matrix of `columns` columns, row after row, `stride` apart: what convolutions
// and their gradients by the input come down to. `store` is told where the rows of each block are.
struct PatchProduct {
  const Patches& patches;
  DType dtype;
  const std::byte* source;
  std::int64_t total;  ///< rows
  const std::byte* matrix;
  std::int64_t columns, matrix_stride;

  template <class Store>
  void run(const KernelContext& context, std::byte* out, std::int64_t out_stride,
           const Store& store) const {
    const PatchBlocks blocks(patches, total);
    const std::int64_t units = (total + blocks.rows - 1) / blocks.rows;
    const std::int64_t width = patches.row_width();
    const double ns = static_cast<double>(blocks.rows) *
                      static_cast<double>(patches.tap_rows() * width) *
                      (static_cast<double>(columns) * multiply_ns(dtype) + 0.3);
    context.parallel_for(units, ns, [&](std::int64_t begin, std::int64_t end) {
      std::unique_ptr<std::byte[]> buffer;
      if (!patches.is_source()) buffer.reset(new std::byte[blocks.bytes(patches, dtype)]);
      Store mine = store;
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t row = unit * blocks.rows, rows = std::min(blocks.rows, total - row);
        std::byte* const to = out ? element_at(dtype, out, row * out_stride) : mine.block();
        GemmBlock block;
        block.m = rows;
        block.n = columns;
        block.b_strides = {matrix_stride, 1};
        block.c = to;
        block.c_stride = out ? out_stride : columns;
        if (patches.tap_rows() == 0) multiply_block(dtype, block);
        for (std::int64_t tap = 0; tap < patches.tap_rows(); tap += blocks.tap_rows) {
          const std::int64_t last = std::min(patches.tap_rows(), tap + blocks.tap_rows);
          block.k = (last - tap) * width;
          block.a_strides = {block.k, 1};
          if (patches.is_source()) {
            block.a = element_at(dtype, source, row * width);
          } else {
            patches.gather(source, row, row + rows, tap, last, buffer.get());
            block.a = buffer.get();
          }
          block.b = element_at(dtype, matrix, tap * width * matrix_stride);
          block.add = tap > 0;
          multiply_block(dtype, block);
        }
        if (!out) mine(row, rows);
      }
    });
  }
};

// Rows that are where they belong.
struct InPlace {
  std::byte* block() const noexcept { return nullptr; }
  void operator()(std::int64_t, std::int64_t) const noexcept {}
};

DGRAPH_DECL void convolve(const KernelContext& context, const Convolution& plan, DType dtype,
                          const Tensor& x, const Tensor& filter, Tensor& out) {
  if (out.elements() == 0) return;
  const std::int64_t outputs = plan.group_outputs();
  for (std::int64_t group = 0; group < plan.groups(); ++group) {
    const Patches patches(
        dtype_size(dtype),
        {window_taps(plan.dims[0]), window_taps(plan.dims[1]), window_taps(plan.dims[2])},
        plan.channels, group * plan.filter_channels, plan.filter_channels);
    const PatchProduct product{patches,
                               dtype,
                               x.raw(),
                               plan.batch * plan.places(),
                               element_at(dtype, filter.raw(), group * outputs),
                               outputs,
                               plan.outputs};
    product.run(context, element_at(dtype, out.mutable_raw(), group * outputs), plan.outputs,
                InPlace{});
  }
}

DGRAPH_DECL void run_convolution(KernelContext& c) {
  const auto& config = c.config<ConvolutionConfig>();
  const WindowAttrs& attrs = config.attrs;
  if (c.input(0).rank() != attrs.rank())
    fail(Code::InvalidArgument, "input must have rank ", attrs.rank(), ", not shape ",
         c.input(0).shape());
  const Convolution plan = plan_convolution(
      attrs, channels_last(c.input(0).shape(), attrs.channels_first), c.input(1).shape(), false);
  const Tensor x = convolution_input(c, c.input(0), config.compute, attrs.channels_first);
  const Tensor filter = convolution_input(c, c.input(1), config.compute, false);
  Tensor out(config.compute, output_shape(attrs, plan));
  convolve(c, plan, config.compute, x, filter, out);
  set_with_layout(c, 0, std::move(out), attrs.channels_first);
}

// Of one dimension of an input's gradient, every stride-th element from `first` on: the taps that reach
// them, and what those read of the output's gradient.
struct Phase {
  std::int64_t first = 0;
  Taps taps;
  std::vector<std::int64_t> filter_taps;
};
DGRAPH_DECL Phase backprop_phase(const WindowDim& dim, std::int64_t first) {
  Phase out;
  out.first = first;
  out.taps.targets = (dim.input - first - 1) / dim.stride + 1;
  out.taps.limit = dim.places;
  out.taps.offsets.clear();
  // Backwards, so that what they read ascends.
  for (std::int64_t t = dim.size; t-- > 0;) {
    const std::int64_t offset = first + dim.before - t * dim.dilation;
    if (offset % dim.stride != 0) continue;
    out.filter_taps.push_back(t);
    out.taps.offsets.push_back(offset / dim.stride);
  }
  return out;
}

// The rows of a block go to elements of the input that are a stride apart.
struct ScatterRows {
  DType dtype;
  const Convolution& plan;
  const std::array<Phase, 3>& phases;
  std::int64_t channel, columns;
  std::byte* out;
  std::vector<std::byte> rows;

  std::byte* block() noexcept { return rows.data(); }
  void operator()(std::int64_t first, std::int64_t count) {
    const std::array<Phase, 3>& p = phases;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t target = first + i, place = 0, scale = 1;
      for (std::size_t d = 3; d-- > 0;) {
        const std::int64_t index = target % p[d].taps.targets;
        target /= p[d].taps.targets;
        place += scale * (p[d].first + index * plan.dims[d].stride);
        scale *= plan.dims[d].input;
      }
      place += target * scale;
      std::memcpy(element_at(dtype, out, place * plan.channels + channel),
                  element_at(dtype, rows.data(), i * columns),
                  static_cast<std::size_t>(columns) * dtype_size(dtype));
    }
  }
};

// Each element of the input collects what reaches it, so that no two threads add to one: elements that
// the same taps reach are computed together, as a convolution of the output's gradient.
DGRAPH_DECL void backprop_input(const KernelContext& context, const Convolution& plan, DType dtype,
                                const Tensor& filter, const Tensor& dy, Tensor& dx) {
  const std::int64_t channels = plan.filter_channels, outputs = plan.group_outputs();
  const std::array<WindowDim, 3>& dims = plan.dims;
  const bool dense = dims[0].stride == 1 && dims[1].stride == 1 && dims[2].stride == 1;
  // Phases that have elements.
  std::array<std::int64_t, 3> count;
  for (std::size_t d = 0; d < 3; ++d) count[d] = std::min(dims[d].stride, dims[d].input);
  for (std::int64_t at = 0; at < count[0] * count[1] * count[2]; ++at) {
    const std::array<Phase, 3> phases{backprop_phase(dims[0], at / count[2] / count[1]),
                                      backprop_phase(dims[1], at / count[2] % count[1]),
                                      backprop_phase(dims[2], at % count[2])};
    const std::int64_t targets =
        phases[0].taps.targets * phases[1].taps.targets * phases[2].taps.targets;
    for (std::int64_t group = 0; group < plan.groups(); ++group) {
      // Of those taps the filter, outputs first.
      const std::int64_t taps =
          phases[0].taps.count() * phases[1].taps.count() * phases[2].taps.count();
      Tensor turned(dtype, Shape{taps, outputs, channels});
      std::byte* to = turned.mutable_raw();
      for (const std::int64_t z : phases[0].filter_taps)
        for (const std::int64_t y : phases[1].filter_taps)
          for (const std::int64_t x : phases[2].filter_taps) {
            const std::int64_t tap = (z * dims[1].size + y) * dims[2].size + x;
            copy_strided(
                context, dtype, {outputs, channels},
                element_at(dtype, filter.raw(), tap * channels * plan.outputs + group * outputs),
                {1, plan.outputs}, to, {channels, 1});
            to = element_at(dtype, to, outputs * channels);
          }
      const Patches patches(dtype_size(dtype), {phases[0].taps, phases[1].taps, phases[2].taps},
                            plan.outputs, group * outputs, outputs);
      const PatchProduct product{patches,      dtype,    dy.raw(), plan.batch * targets,
                                 turned.raw(), channels, channels};
      const std::int64_t channel = group * channels;
      if (dense) {
        product.run(context, element_at(dtype, dx.mutable_raw(), channel), plan.channels,
                    InPlace{});
        continue;
      }
      const std::size_t block_bytes =
          static_cast<std::size_t>(PatchBlocks(patches, product.total).rows * channels) *
          dtype_size(dtype);
      product.run(context, nullptr, 0,
                  ScatterRows{dtype, plan, phases, channel, channels, dx.mutable_raw(),
                              std::vector<std::byte>(block_bytes)});
    }
  }
}

DGRAPH_DECL void run_backprop_input(KernelContext& c) {
  const auto& config = c.config<ConvolutionConfig>();
  const WindowAttrs& attrs = config.attrs;
  const Tensor &filter = c.input(1), &backprop = c.input(2);
  const Shape shape = image_shape(attrs, c.input(0), filter.shape(), backprop.shape());
  const Convolution plan = plan_convolution(attrs, shape, filter.shape(), false);
  if (backprop.rank() != attrs.rank())
    fail(Code::InvalidArgument, "out_backprop must have rank ", attrs.rank(), ", not shape ",
         backprop.shape());
  check_backprop_shape(attrs, plan, channels_last(backprop.shape(), attrs.channels_first));
  const Tensor dy = convolution_input(c, backprop, config.compute, attrs.channels_first);
  Tensor dx(config.compute, shape);
  if (plan.outputs == 0)
    dx = Tensor::zeros(config.compute, shape);
  else if (dx.elements() > 0)
    backprop_input(c, plan, config.compute, convolution_input(c, filter, config.compute, false), dy,
                   dx);
  set_with_layout(c, 0, std::move(dx), attrs.channels_first);
}

// Patches, turned, times the output's gradient. The places are cut into a few parts, each with a sum
// of its own; where the filter is too large for that, its rows are cut instead.
DGRAPH_DECL void backprop_filter(const KernelContext& context, const Convolution& plan, DType dtype,
                                 const Tensor& x, const Tensor& dy, Tensor& df) {
  constexpr std::int64_t kMostParts = 8, kPartElements = std::int64_t{1} << 22;
  const std::int64_t total = plan.batch * plan.places(), outputs = plan.group_outputs();
  const std::int64_t size = df.elements();
  const std::int64_t parts = std::clamp<std::int64_t>(
      std::min({kPartElements / size, total / kPatchRowsMost, kMostParts}), 1, kMostParts);
  Tensor sums;
  if (parts > 1) sums = Tensor(dtype, Shape{parts, size});
  std::byte* const sums_at = parts > 1 ? sums.mutable_raw() : df.mutable_raw();
  for (std::int64_t group = 0; group < plan.groups(); ++group) {
    const Patches patches(
        dtype_size(dtype),
        {window_taps(plan.dims[0]), window_taps(plan.dims[1]), window_taps(plan.dims[2])},
        plan.channels, group * plan.filter_channels, plan.filter_channels);
    const PatchBlocks blocks(patches, total);
    const std::int64_t width = patches.row_width();
    const std::int64_t pieces = (patches.tap_rows() + blocks.tap_rows - 1) / blocks.tap_rows;
    const double ns = static_cast<double>(total / parts + 1) *
                      static_cast<double>(blocks.tap_rows * width) *
                      (static_cast<double>(outputs) * multiply_ns(dtype) + 0.3);
    context.parallel_for(parts * pieces, ns, [&](std::int64_t begin, std::int64_t end) {
      std::unique_ptr<std::byte[]> buffer;
      if (!patches.is_source()) buffer.reset(new std::byte[blocks.bytes(patches, dtype)]);
      for (std::int64_t unit = begin; unit < end; ++unit) {
        const std::int64_t part = unit / pieces, tap = unit % pieces * blocks.tap_rows;
        const std::int64_t last = std::min(patches.tap_rows(), tap + blocks.tap_rows);
        const std::int64_t from = total * part / parts, to = total * (part + 1) / parts;
        GemmBlock block;
        block.m = (last - tap) * width;
        block.n = outputs;
        block.a_strides = {1, block.m};
        block.b_strides = {plan.outputs, 1};
        block.c =
            element_at(dtype, sums_at, part * size + tap * width * plan.outputs + group * outputs);
        block.c_stride = plan.outputs;
        for (std::int64_t row = from; row < to; row += blocks.rows) {
          block.k = std::min(blocks.rows, to - row);
          if (patches.is_source()) {
            block.a = element_at(dtype, x.raw(), row * width);
          } else {
            patches.gather(x.raw(), row, row + block.k, tap, last, buffer.get());
            block.a = buffer.get();
          }
          block.b = element_at(dtype, dy.raw(), row * plan.outputs + group * outputs);
          block.add = row > from;
          multiply_block(dtype, block);
        }
      }
    });
  }
  if (parts == 1) return;
  const RowSum add = RowSum::add(dtype);
  std::byte* const to = df.mutable_raw();
  std::memcpy(to, sums_at, df.bytes());
  for (std::int64_t part = 1; part < parts; ++part)
    add(to, to, element_at(dtype, sums_at, part * size), size);
}

DGRAPH_DECL void run_backprop_filter(KernelContext& c) {
  const auto& config = c.config<ConvolutionConfig>();
  const WindowAttrs& attrs = config.attrs;
  const Tensor &input = c.input(0), &backprop = c.input(2);
  const Shape shape = shape_argument(c.input(1), "filter_sizes");
  if (input.rank() != attrs.rank() || backprop.rank() != attrs.rank())
    fail(Code::InvalidArgument, "input and out_backprop must have rank ", attrs.rank(),
         ", not shapes ", input.shape(), " and ", backprop.shape());
  const Convolution plan =
      plan_convolution(attrs, channels_last(input.shape(), attrs.channels_first), shape, false);
  check_backprop_shape(attrs, plan, channels_last(backprop.shape(), attrs.channels_first));
  Tensor df = Tensor::zeros(config.compute, shape);
  if (input.elements() > 0 && backprop.elements() > 0)
    backprop_filter(c, plan, config.compute,
                    convolution_input(c, input, config.compute, attrs.channels_first),
                    convolution_input(c, backprop, config.compute, attrs.channels_first), df);
  set_with_layout(c, 0, std::move(df), false);
}

DGRAPH_DECL Kernel convolution_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  Kernel kernel = plain_kernel(run);
  kernel.cost = &convolution_cost;
  return kernel.with(ConvolutionConfig{convolution_attrs(r), convolution_compute(r)});
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Conv2D>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_convolution);
}
DGRAPH_DECL Kernel Kernels<ops::Conv2DBackpropInput>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_backprop_input);
}
DGRAPH_DECL Kernel Kernels<ops::Conv2DBackpropFilter>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_backprop_filter);
}
DGRAPH_DECL Kernel Kernels<ops::Conv3D>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_convolution);
}
DGRAPH_DECL Kernel Kernels<ops::Conv3DBackpropInputV2>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_backprop_input);
}
DGRAPH_DECL Kernel Kernels<ops::Conv3DBackpropFilterV2>::make(const KernelRequest& r) {
  return detail::convolution_kernel(r, &detail::run_backprop_filter);
}

}  // namespace dgraph
