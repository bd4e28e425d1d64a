#pragma once
#include <dgraph/kernels/convolution.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/patches.hpp>
#include <dgraph/kernels/simd.hpp>

namespace dgraph {
namespace detail {

struct DepthwiseConfig {
  WindowAttrs attrs;
  DType compute;
};

template <class T>
struct MultiplyAddRow {
  DGRAPH_INLINE static void run(const T* x, const T* f, T* sums, std::int64_t n) {
    DGRAPH_NO_CONTRACTION
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) sums[i] += x[i] * f[i];
  }
};

// Each channel `multiplier` times, so that a place of the image fits the outputs one to one.
template <class T>
const T* repeat_channels(const T* x, std::int64_t channels, std::int64_t multiplier,
                         std::vector<T>& row) {
  if (multiplier == 1) return x;
  T* to = row.data();
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t m = 0; m < multiplier; ++m) *to++ = x[c];
  return row.data();
}

// Calls `visit(tap, place of the image, item)` for what the window at a place of the output covers.
template <class Visit>
void for_each_tap(const Convolution& plan, std::int64_t place, Visit visit) {
  const WindowDim &rows = plan.dims[1], &columns = plan.dims[2];
  const std::int64_t x = place % columns.places, y = place / columns.places % rows.places;
  const std::int64_t item = place / columns.places / rows.places;
  for (std::int64_t i = 0; i < rows.size; ++i) {
    const std::int64_t row = rows.at(y, i);
    if (row < 0 || row >= rows.input) continue;
    for (std::int64_t j = 0; j < columns.size; ++j) {
      const std::int64_t column = columns.at(x, j);
      if (column < 0 || column >= columns.input) continue;
      visit(i * columns.size + j, (item * rows.input + row) * columns.input + column);
    }
  }
}

template <class T>
void depthwise_forward(const KernelContext& c, const Convolution& plan, const Tensor& x,
                       const Tensor& filter, Tensor& out) {
  const std::int64_t outputs = plan.outputs, multiplier = outputs / plan.channels;
  const double ns = static_cast<double>(plan.taps() * outputs) * 0.3 + 10;
  c.parallel_for(plan.batch * plan.places(), ns, [&](std::int64_t begin, std::int64_t end) {
    const auto add = simd_up_to_avx2<MultiplyAddRow<T>>();
    std::vector<T> row(static_cast<std::size_t>(outputs));
    for (std::int64_t place = begin; place < end; ++place) {
      T* const sums = out.mutable_data<T>() + place * outputs;
      std::fill_n(sums, outputs, T(0));
      for_each_tap(plan, place, [&](std::int64_t tap, std::int64_t at) {
        add(repeat_channels(x.data<T>() + at * plan.channels, plan.channels, multiplier, row),
            filter.data<T>() + tap * outputs, sums, outputs);
      });
    }
  });
}

// Each element of the image collects what reaches it.
template <class T>
void depthwise_backprop_input(const KernelContext& c, const Convolution& plan, const Tensor& filter,
                              const Tensor& dy, Tensor& dx) {
  const std::int64_t outputs = plan.outputs, multiplier = outputs / plan.channels;
  const WindowDim &rows = plan.dims[1], &columns = plan.dims[2];
  const double ns = static_cast<double>(plan.taps() * outputs) * 0.3 + 10;
  const auto place_of = [](const WindowDim& dim, std::int64_t at, std::int64_t tap) {
    const std::int64_t offset = at + dim.before - tap * dim.dilation;
    if (offset < 0 || offset % dim.stride != 0) return std::int64_t{-1};
    return offset / dim.stride < dim.places ? offset / dim.stride : std::int64_t{-1};
  };
  c.parallel_for(plan.batch * plan.elements(), ns, [&](std::int64_t begin, std::int64_t end) {
    const auto add = simd_up_to_avx2<MultiplyAddRow<T>>();
    std::vector<T> sums(static_cast<std::size_t>(outputs));
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t x = at % columns.input, y = at / columns.input % rows.input;
      const std::int64_t item = at / columns.input / rows.input;
      std::fill(sums.begin(), sums.end(), T(0));
      for (std::int64_t i = 0; i < rows.size; ++i) {
        const std::int64_t row = place_of(rows, y, i);
        if (row < 0) continue;
        for (std::int64_t j = 0; j < columns.size; ++j) {
          const std::int64_t column = place_of(columns, x, j);
          if (column < 0) continue;
          const std::int64_t place = (item * rows.places + row) * columns.places + column;
          add(dy.data<T>() + place * outputs, filter.data<T>() + (i * columns.size + j) * outputs,
              sums.data(), outputs);
        }
      }
      T* const to = dx.mutable_data<T>() + at * plan.channels;
      const T* from = sums.data();
      for (std::int64_t channel = 0; channel < plan.channels; ++channel) {
        T total = T(0);
        for (std::int64_t m = 0; m < multiplier; ++m) total += *from++;
        to[channel] = total;
      }
    }
  });
}

// Each tap sums over all places.
template <class T>
void depthwise_backprop_filter(const KernelContext& c, const Convolution& plan, const Tensor& x,
                               const Tensor& dy, Tensor& df) {
  const std::int64_t outputs = plan.outputs, multiplier = outputs / plan.channels;
  const WindowDim &rows = plan.dims[1], &columns = plan.dims[2];
  const double ns =
      static_cast<double>(plan.batch * plan.places()) * (static_cast<double>(outputs) * 0.3 + 10);
  c.parallel_for(plan.taps(), ns, [&](std::int64_t begin, std::int64_t end) {
    const auto add = simd_up_to_avx2<MultiplyAddRow<T>>();
    std::vector<T> repeated(static_cast<std::size_t>(outputs));
    for (std::int64_t tap = begin; tap < end; ++tap) {
      T* const sums = df.mutable_data<T>() + tap * outputs;
      for (std::int64_t line = 0; line < plan.batch * rows.places; ++line) {
        const std::int64_t row = rows.at(line % rows.places, tap / columns.size);
        if (row < 0 || row >= rows.input) continue;
        const std::int64_t from = (line / rows.places * rows.input + row) * columns.input;
        for (std::int64_t place = 0; place < columns.places; ++place) {
          const std::int64_t column = columns.at(place, tap % columns.size);
          if (column < 0 || column >= columns.input) continue;
          add(repeat_channels(x.data<T>() + (from + column) * plan.channels, plan.channels,
                              multiplier, repeated),
              dy.data<T>() + (line * columns.places + place) * outputs, sums, outputs);
        }
      }
    }
  });
}

DGRAPH_DECL void run_depthwise(KernelContext& c) {
  const auto& config = c.config<DepthwiseConfig>();
  const WindowAttrs& attrs = config.attrs;
  if (c.input(0).rank() != attrs.rank())
    fail(Code::InvalidArgument, "input must have rank ", attrs.rank(), ", not shape ",
         c.input(0).shape());
  const Convolution plan = plan_convolution(
      attrs, channels_last(c.input(0).shape(), attrs.channels_first), c.input(1).shape(), true);
  const Tensor x = convolution_input(c, c.input(0), config.compute, attrs.channels_first);
  const Tensor filter = convolution_input(c, c.input(1), config.compute, false);
  Tensor out(config.compute, output_shape(attrs, plan));
  if (config.compute == DType::Float32)
    depthwise_forward<float>(c, plan, x, filter, out);
  else
    depthwise_forward<double>(c, plan, x, filter, out);
  set_with_layout(c, 0, std::move(out), attrs.channels_first);
}

DGRAPH_DECL void run_depthwise_backprop_input(KernelContext& c) {
  const auto& config = c.config<DepthwiseConfig>();
  const WindowAttrs& attrs = config.attrs;
  const Tensor& backprop = c.input(2);
  const Shape shape = image_shape(attrs, c.input(0), c.input(1).shape(), backprop.shape());
  const Convolution plan = plan_convolution(attrs, shape, c.input(1).shape(), true);
  if (backprop.rank() != attrs.rank())
    fail(Code::InvalidArgument, "out_backprop must have rank ", attrs.rank(), ", not shape ",
         backprop.shape());
  check_backprop_shape(attrs, plan, channels_last(backprop.shape(), attrs.channels_first));
  const Tensor dy = convolution_input(c, backprop, config.compute, attrs.channels_first);
  const Tensor filter = convolution_input(c, c.input(1), config.compute, false);
  Tensor dx(config.compute, shape);
  if (config.compute == DType::Float32)
    depthwise_backprop_input<float>(c, plan, filter, dy, dx);
  else
    depthwise_backprop_input<double>(c, plan, filter, dy, dx);
  set_with_layout(c, 0, std::move(dx), attrs.channels_first);
}

DGRAPH_DECL void run_depthwise_backprop_filter(KernelContext& c) {
  const auto& config = c.config<DepthwiseConfig>();
  const WindowAttrs& attrs = config.attrs;
  const Tensor &input = c.input(0), &backprop = c.input(2);
  const Shape shape = shape_argument(c.input(1), "filter_sizes");
  if (input.rank() != attrs.rank() || backprop.rank() != attrs.rank())
    fail(Code::InvalidArgument, "input and out_backprop must have rank ", attrs.rank(),
         ", not shapes ", input.shape(), " and ", backprop.shape());
  const Convolution plan =
      plan_convolution(attrs, channels_last(input.shape(), attrs.channels_first), shape, true);
  check_backprop_shape(attrs, plan, channels_last(backprop.shape(), attrs.channels_first));
  const Tensor x = convolution_input(c, input, config.compute, attrs.channels_first);
  const Tensor dy = convolution_input(c, backprop, config.compute, attrs.channels_first);
  Tensor df = Tensor::zeros(config.compute, shape);
  if (config.compute == DType::Float32)
    depthwise_backprop_filter<float>(c, plan, x, dy, df);
  else
    depthwise_backprop_filter<double>(c, plan, x, dy, df);
  set_with_layout(c, 0, std::move(df), false);
}

DGRAPH_DECL Kernel depthwise_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  return plain_kernel(run).with(DepthwiseConfig{convolution_attrs(r), convolution_compute(r)});
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::DepthwiseConv2dNative>::make(const KernelRequest& r) {
  return detail::depthwise_kernel(r, &detail::run_depthwise);
}
DGRAPH_DECL Kernel Kernels<ops::DepthwiseConv2dNativeBackpropInput>::make(const KernelRequest& r) {
  return detail::depthwise_kernel(r, &detail::run_depthwise_backprop_input);
}
DGRAPH_DECL Kernel Kernels<ops::DepthwiseConv2dNativeBackpropFilter>::make(const KernelRequest& r) {
  return detail::depthwise_kernel(r, &detail::run_depthwise_backprop_filter);
}

}  // namespace dgraph
