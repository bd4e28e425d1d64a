#pragma once
#include <dgraph/kernels/pooling.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/patches.hpp>
#include <dgraph/kernels/simd.hpp>

namespace dgraph {
namespace detail {

struct PoolConfig {
  WindowAttrs attrs;
  DType compute;
  bool include_batch;  ///< MaxPoolWithArgmax: indices count from the beginning of the batch
};

// Windows over [batch, d0, d1, d2, channels].
struct Pool {
  std::int64_t batch = 0, channels = 0;
  std::array<WindowDim, 3> dims;
  Shape shape;  // of the result, channels last

  std::int64_t places() const noexcept { return dims[0].places * dims[1].places * dims[2].places; }
  std::int64_t elements() const noexcept { return dims[0].input * dims[1].input * dims[2].input; }
  /// Elements of a window, about: one that is larger than the image sees no more than that.
  double taps() const noexcept {
    double out = 1;
    for (const WindowDim& dim : dims) out *= static_cast<double>(std::min(dim.size, dim.input));
    return out;
  }

  /// Calls `visit(place of the image)` for each element of a window that is not padding, in order.
  /// Returns how many there are.
  template <class Visit>
  std::int64_t each(std::int64_t place, Visit visit) const {
    const std::int64_t item = place / places();
    std::array<std::int64_t, 3> first, last;
    for (std::size_t d = 3; d-- > 0;) {
      const WindowDim& dim = dims[d];
      const std::int64_t from = dim.at(place % dim.places, 0);
      place /= dim.places;
      first[d] = std::clamp<std::int64_t>(from, 0, dim.input);
      last[d] = std::clamp<std::int64_t>(from + std::min(dim.size, dim.input - from), first[d],
                                         dim.input);
    }
    for (std::int64_t z = first[0]; z < last[0]; ++z)
      for (std::int64_t y = first[1]; y < last[1]; ++y)
        for (std::int64_t x = first[2]; x < last[2]; ++x)
          visit(((item * dims[0].input + z) * dims[1].input + y) * dims[2].input + x);
    return (last[0] - first[0]) * (last[1] - first[1]) * (last[2] - first[2]);
  }
};

DGRAPH_DECL Pool plan_pool(const WindowAttrs& attrs, const Shape& image) {
  if (image.rank() != attrs.rank())
    fail(Code::InvalidArgument, "tensor_in must have rank ", attrs.rank(), ", not shape ", image);
  const Shape shape = channels_last(image, attrs.channels_first);
  Pool out;
  out.batch = shape[0];
  out.channels = shape[attrs.spatial + 1];
  Dims dims{out.batch};
  for (std::size_t i = 0; i < attrs.spatial; ++i) {
    WindowDim& dim = out.dims[i + 3 - attrs.spatial];
    dim = attrs.along(i, shape[i + 1], attrs.sizes[attrs.spatial_axis(i)]);
    dims.push_back(dim.places);
  }
  const std::int64_t depth = attrs.sizes[attrs.channel_axis()];
  if (depth == 1) {
    dims.push_back(out.channels);
    out.shape = Shape(std::move(dims));
    return out;
  }
  if (out.channels % depth != 0)
    fail(Code::Unimplemented, "windows of ", depth, " channels do not fit ", out.channels);
  // Groups of channels are windows of a row: each place of the image is an item of one channel.
  dims.push_back(out.channels / depth);
  out.shape = Shape(dims);
  Pool rows;
  rows.batch = out.batch * out.elements();
  rows.channels = 1;
  rows.dims[2] = {out.channels, depth, depth, 1, 0, out.channels / depth};
  rows.shape = out.shape;
  return rows;
}

DGRAPH_DECL void check_pooled(const Tensor& tensor, const WindowAttrs& attrs, const Pool& pool,
                              std::string_view what) {
  if (tensor.rank() != attrs.rank() ||
      !(channels_last(tensor.shape(), attrs.channels_first) == pool.shape))
    fail(Code::InvalidArgument, what, " has shape ", tensor.shape(), ", but pooling gives ",
         with_layout(pool.shape, attrs.channels_first));
}

// What elements are compared and added as.
DGRAPH_DECL DType pool_compute(const KernelRequest& r, DType dtype) {
  switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return DType::Float32;
    case DType::Float64:
      return DType::Float64;
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
      return DType::Int64;
    default:
      no_kernel_for(r, dtype);
  }
}

template <class F>
void with_pool_type(DType compute, F f) {
  if (compute == DType::Float32)
    f.template operator()<float>();
  else if (compute == DType::Float64)
    f.template operator()<double>();
  else
    f.template operator()<std::int64_t>();
}

DGRAPH_DECL Tensor pool_input(const KernelContext& c, const Tensor& from,
                              const PoolConfig& config) {
  return cast_tensor(channels_last(c, from, config.attrs.channels_first), config.compute);
}

// The least number of the dtype.
template <class T>
T least_of(DType dtype) {
  switch (dtype) {
    case DType::Float16:
      return static_cast<T>(-65504.0);
    case DType::BFloat16:
      return static_cast<T>(-3.3895313892515355e38);
    case DType::Int8:
      return static_cast<T>(-128);
    case DType::Int16:
      return static_cast<T>(-32768);
    case DType::Int32:
      return static_cast<T>(std::numeric_limits<std::int32_t>::lowest());
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
      return T(0);
    default:
      return std::numeric_limits<T>::lowest();
  }
}

template <class T>
struct MaxRow {
  DGRAPH_INLINE static void run(const T* x, T* most, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) most[i] = most[i] < x[i] ? x[i] : most[i];
  }
};
template <class T>
struct AddRow {
  DGRAPH_INLINE static void run(const T* x, T* sums, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) sums[i] += x[i];
  }
};

DGRAPH_DECL double pool_ns(const Pool& pool) {
  return 10 + pool.taps() * static_cast<double>(pool.channels);
}

DGRAPH_DECL void run_max_pool(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  const Tensor x = pool_input(c, c.input(0), config);
  Tensor out(config.compute, pool.shape);
  with_pool_type(config.compute, [&]<class T>() {
    const T least = least_of<T>(c.input(0).dtype());
    const std::int64_t n = pool.channels;
    T* const to = out.mutable_data<T>();
    c.parallel_for(out.elements() == 0 ? 0 : pool.batch * pool.places(), pool_ns(pool),
                   [&](std::int64_t begin, std::int64_t end) {
                     const auto most = simd_up_to_avx2<MaxRow<T>>();
                     for (std::int64_t place = begin; place < end; ++place) {
                       std::fill_n(to + place * n, n, least);
                       pool.each(place, [&](std::int64_t at) {
                         most(x.data<T>() + at * n, to + place * n, n);
                       });
                     }
                   });
  });
  set_with_layout(c, 0, std::move(out), config.attrs.channels_first);
}

DGRAPH_DECL void run_avg_pool(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  const Tensor x = pool_input(c, c.input(0), config);
  Tensor out(config.compute, pool.shape);
  with_pool_type(config.compute, [&]<class T>() {
    const std::int64_t n = pool.channels;
    T* const to = out.mutable_data<T>();
    c.parallel_for(out.elements() == 0 ? 0 : pool.batch * pool.places(), pool_ns(pool),
                   [&](std::int64_t begin, std::int64_t end) {
                     const auto add = simd_up_to_avx2<AddRow<T>>();
                     for (std::int64_t place = begin; place < end; ++place) {
                       T* const sums = to + place * n;
                       std::fill_n(sums, n, T(0));
                       const std::int64_t count = pool.each(
                           place, [&](std::int64_t at) { add(x.data<T>() + at * n, sums, n); });
                       for (std::int64_t i = 0; i < n; ++i) sums[i] /= static_cast<T>(count);
                     }
                   });
  });
  set_with_layout(c, 0, std::move(out), config.attrs.channels_first);
}

inline constexpr std::int64_t kPoolChannels = 64;

// Windows overlap: an item's channels are cut into blocks, each of which one thread goes through alone.
// `run(first place, end of places, first channel, channels)`.
DGRAPH_DECL void each_channel_block(
    const KernelContext& c, const Pool& pool,
    FunctionRef<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t)> run) {
  const std::int64_t blocks = (pool.channels + kPoolChannels - 1) / kPoolChannels;
  const double ns =
      static_cast<double>(pool.places()) *
      (20 + 2.0 * pool.taps() * static_cast<double>(std::min(pool.channels, kPoolChannels)));
  c.parallel_for(pool.places() == 0 ? 0 : pool.batch * blocks, ns,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t unit = begin; unit < end; ++unit) {
                     const std::int64_t item = unit / blocks, first = unit % blocks * kPoolChannels;
                     run(item * pool.places(), (item + 1) * pool.places(), first,
                         std::min(kPoolChannels, pool.channels - first));
                   }
                 });
}

// The largest elements of a window in `count` channels, the first of equal ones, and their places (-1
// where the window is padding alone). A NaN is taken where it is the first element.
template <class T>
void find_largest(const Pool& pool, std::int64_t place, const T* x, std::int64_t channel,
                  std::int64_t count, T* most, std::int64_t* where) {
  std::fill_n(where, count, std::int64_t{-1});
  pool.each(place, [&](std::int64_t at) {
    const T* const row = x + at * pool.channels + channel;
    for (std::int64_t i = 0; i < count; ++i)
      if (where[i] < 0 || most[i] < row[i]) {
        most[i] = row[i];
        where[i] = at;
      }
  });
}

DGRAPH_DECL void run_max_pool_grad(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  check_pooled(c.input(1), config.attrs, pool, "orig_output");
  check_pooled(c.input(2), config.attrs, pool, "grad");
  const Tensor x = pool_input(c, c.input(0), config), dy = pool_input(c, c.input(2), config);
  Tensor dx = Tensor::zeros(config.compute, x.shape());
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = dx.mutable_data<T>();
    each_channel_block(
        c, pool,
        [&](std::int64_t begin, std::int64_t end, std::int64_t channel, std::int64_t count) {
          T most[kPoolChannels];
          std::int64_t where[kPoolChannels];
          for (std::int64_t place = begin; place < end; ++place) {
            find_largest(pool, place, x.data<T>(), channel, count, most, where);
            const T* const d = dy.data<T>() + place * pool.channels + channel;
            for (std::int64_t i = 0; i < count; ++i)
              if (where[i] >= 0) to[where[i] * pool.channels + channel + i] += d[i];
          }
        });
  });
  set_with_layout(c, 0, std::move(dx), config.attrs.channels_first);
}

DGRAPH_DECL void run_max_pool_grad_grad(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  check_pooled(c.input(1), config.attrs, pool, "orig_output");
  if (!(c.input(2).shape() == c.input(0).shape()))
    fail(Code::InvalidArgument, "grad has shape ", c.input(2).shape(), ", but orig_input ",
         c.input(0).shape());
  const Tensor x = pool_input(c, c.input(0), config), y = pool_input(c, c.input(1), config),
               d = pool_input(c, c.input(2), config);
  Tensor out = Tensor::zeros(config.compute, pool.shape);
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = out.mutable_data<T>();
    each_channel_block(
        c, pool,
        [&](std::int64_t begin, std::int64_t end, std::int64_t channel, std::int64_t count) {
          bool found[kPoolChannels];
          for (std::int64_t place = begin; place < end; ++place) {
            const std::int64_t out_at = place * pool.channels + channel;
            std::fill_n(found, count, false);
            pool.each(place, [&](std::int64_t at) {
              const std::int64_t from = at * pool.channels + channel;
              for (std::int64_t i = 0; i < count; ++i)
                if (!found[i] && x.data<T>()[from + i] == y.data<T>()[out_at + i]) {
                  found[i] = true;
                  to[out_at + i] = d.data<T>()[from + i];
                }
            });
          }
        });
  });
  set_with_layout(c, 0, std::move(out), config.attrs.channels_first);
}

DGRAPH_DECL void run_avg_pool_grad(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const WindowAttrs& attrs = config.attrs;
  const Shape image = shape_argument(c.input(0), "orig_input_shape");
  const Pool pool = plan_pool(attrs, image);
  check_pooled(c.input(1), attrs, pool, "grad");
  const Tensor dy = pool_input(c, c.input(1), config);
  Tensor dx = Tensor::zeros(config.compute, channels_last(image, attrs.channels_first));
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = dx.mutable_data<T>();
    each_channel_block(
        c, pool,
        [&](std::int64_t begin, std::int64_t end, std::int64_t channel, std::int64_t count) {
          const auto add = simd_up_to_avx2<AddRow<T>>();
          T share[kPoolChannels];
          for (std::int64_t place = begin; place < end; ++place) {
            const std::int64_t taps = pool.each(place, [](std::int64_t) {});
            const T* const d = dy.data<T>() + place * pool.channels + channel;
            for (std::int64_t i = 0; i < count; ++i) share[i] = d[i] / static_cast<T>(taps);
            pool.each(place, [&](std::int64_t at) {
              add(share, to + at * pool.channels + channel, count);
            });
          }
        });
  });
  set_with_layout(c, 0, std::move(dx), attrs.channels_first);
}

DGRAPH_DECL void run_max_pool_with_argmax(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  const Tensor x = pool_input(c, c.input(0), config);
  Tensor out(config.compute, pool.shape), argmax(DType::Int64, pool.shape);
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = out.mutable_data<T>();
    std::int64_t* const at = argmax.mutable_data<std::int64_t>();
    each_channel_block(
        c, pool,
        [&](std::int64_t begin, std::int64_t end, std::int64_t channel, std::int64_t count) {
          std::int64_t where[kPoolChannels];
          for (std::int64_t place = begin; place < end; ++place) {
            const std::int64_t first = place * pool.channels + channel;
            const std::int64_t before =
                config.include_batch ? 0 : place / pool.places() * pool.elements();
            find_largest(pool, place, x.data<T>(), channel, count, to + first, where);
            for (std::int64_t i = 0; i < count; ++i)
              at[first + i] = (where[i] - before) * pool.channels + channel + i;
          }
        });
  });
  set_with_layout(c, 0, std::move(out), false);
  c.set_output(1, c.output_dtype(1) == DType::Int64 ? std::move(argmax)
                                                    : cast_tensor(argmax, c.output_dtype(1)));
}

// Calls `visit(output, place in the batch)` for each index of argmax.
template <class Visit>
void each_argmax(const Tensor& argmax, const Shape& image, bool include_batch, Visit visit) {
  const std::int64_t all = image.elements(), count = argmax.elements();
  const std::int64_t each = image[0] == 0 ? 0 : all / image[0];
  const std::int64_t outputs = argmax.dim(0) == 0 ? 1 : count / argmax.dim(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = integer_at(argmax, i, "argmax"), most = include_batch ? all : each;
    if (index < 0 || index >= most)
      fail(Code::InvalidArgument, "argmax", position_text(argmax.shape(), i), " = ", index,
           " is not in [0, ", most, ")");
    visit(i, include_batch ? index : index + i / outputs * each);
  }
}

DGRAPH_DECL Pool check_argmax(const KernelContext& c, const PoolConfig& config,
                              const Tensor& pooled) {
  const Pool pool = plan_pool(config.attrs, c.input(0).shape());
  check_pooled(pooled, config.attrs, pool, "grad");
  check_pooled(c.input(2), config.attrs, pool, "argmax");
  return pool;
}

DGRAPH_DECL void run_grad_with_argmax(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  check_argmax(c, config, c.input(1));
  const Tensor dy = pool_input(c, c.input(1), config);
  Tensor dx = Tensor::zeros(config.compute, c.input(0).shape());
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = dx.mutable_data<T>();
    each_argmax(c.input(2), c.input(0).shape(), config.include_batch,
                [&](std::int64_t i, std::int64_t at) { to[at] += dy.data<T>()[i]; });
  });
  set_with_layout(c, 0, std::move(dx), false);
}

DGRAPH_DECL void run_grad_grad_with_argmax(KernelContext& c) {
  const auto& config = c.config<PoolConfig>();
  const Pool pool = check_argmax(c, config, c.input(2));
  if (!(c.input(1).shape() == c.input(0).shape()))
    fail(Code::InvalidArgument, "grad has shape ", c.input(1).shape(), ", but input ",
         c.input(0).shape());
  const Tensor d = pool_input(c, c.input(1), config);
  Tensor out(config.compute, pool.shape);
  with_pool_type(config.compute, [&]<class T>() {
    T* const to = out.mutable_data<T>();
    each_argmax(c.input(2), c.input(0).shape(), config.include_batch,
                [&](std::int64_t i, std::int64_t at) { to[i] = d.data<T>()[at]; });
  });
  set_with_layout(c, 0, std::move(out), false);
}

DGRAPH_DECL Kernel pool_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  PoolConfig config;
  config.attrs = read_pool_attrs(
      r.def, [&r](std::string_view name) -> const AttrValue& { return r.attr(name); });
  config.compute = pool_compute(r, r.output_dtypes[0]);
  if (r.def.attr_index("TInput") >= 0 && r.dtype("TInput") == DType::Float64)
    config.compute = DType::Float64;
  config.include_batch =
      r.def.attr_index("include_batch_in_index") >= 0 && r.attr<bool>("include_batch_in_index");
  return plain_kernel(run).with(config);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::MaxPool>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPoolGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool_grad);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPoolGradGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool_grad_grad);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPoolWithArgmax>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool_with_argmax);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPoolGradWithArgmax>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_grad_with_argmax);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPoolGradGradWithArgmax>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_grad_grad_with_argmax);
}
DGRAPH_DECL Kernel Kernels<ops::AvgPool>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_avg_pool);
}
DGRAPH_DECL Kernel Kernels<ops::AvgPoolGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_avg_pool_grad);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPool3D>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPool3DGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool_grad);
}
DGRAPH_DECL Kernel Kernels<ops::MaxPool3DGradGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_max_pool_grad_grad);
}
DGRAPH_DECL Kernel Kernels<ops::AvgPool3D>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_avg_pool);
}
DGRAPH_DECL Kernel Kernels<ops::AvgPool3DGrad>::make(const KernelRequest& r) {
  return detail::pool_kernel(r, &detail::run_avg_pool_grad);
}

}  // namespace dgraph
