#pragma once
#include <dgraph/kernels/image.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

struct ResizeConfig {
  bool align_corners, half_pixel;
};

// From one size of a dimension to another, in float32 as TensorFlow computes it.
struct ResizeScale {
  float scale;
  bool align, half_pixel;
  ResizeScale(std::int64_t from, std::int64_t to, const ResizeConfig& config)
      : align(config.align_corners), half_pixel(config.half_pixel) {
    scale = align && to > 1 ? static_cast<float>(from - 1) / static_cast<float>(to - 1)
                            : static_cast<float>(from) / static_cast<float>(to);
  }
  /// Where element i of the result is sampled.
  float at(std::int64_t i) const noexcept {
    const float x = static_cast<float>(i);
    return half_pixel ? (x + 0.5f) * scale - 0.5f : x * scale;
  }
};

// Of each element of the result the two elements that it lies between, and how far it is past the first.
struct Between {
  std::int64_t low, high;
  float past;
};
DGRAPH_DECL std::vector<Between> sample_between(std::int64_t from, std::int64_t to,
                                                const ResizeConfig& config) {
  const ResizeScale scale(from, to, config);
  std::vector<Between> out;
  for (std::int64_t i = 0; i < to; ++i) {
    const float at = scale.at(i), below = std::floor(at);
    out.push_back({std::clamp<std::int64_t>(static_cast<std::int64_t>(below), 0, from - 1),
                   std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(at)), 0, from - 1),
                   at - below});
  }
  return out;
}

// Of each element of the result the nearest.
DGRAPH_DECL std::vector<std::int64_t> sample_nearest(std::int64_t from, std::int64_t to,
                                                     const ResizeConfig& config) {
  const ResizeScale scale(from, to, config);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < to; ++i) {
    const float at = scale.half_pixel ? (static_cast<float>(i) + 0.5f) * scale.scale : scale.at(i);
    const float nearest = scale.align ? std::round(at) : std::floor(at);
    out.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(nearest), 0, from - 1));
  }
  return out;
}

// The sizes that an input of two integers gives, and those of the images.
struct Resize {
  std::int64_t batch, from_rows, from_columns, to_rows, to_columns, channels;
  Shape shape() const { return Shape{batch, to_rows, to_columns, channels}; }
};
DGRAPH_DECL Resize plan_resize(const Tensor& images, const Tensor& sizes) {
  if (images.rank() != 4)
    fail(Code::InvalidArgument, "input must be 4-dimensional, not of shape ", images.shape());
  if (sizes.rank() != 1 || sizes.dim(0) != 2)
    fail(Code::InvalidArgument, "shape_t must have two elements, not shape ", sizes.shape());
  const Resize out{images.dim(0),
                   images.dim(1),
                   images.dim(2),
                   integer_at(sizes, 0, "size"),
                   integer_at(sizes, 1, "size"),
                   images.dim(3)};
  if (out.to_rows <= 0 || out.to_columns <= 0)
    fail(Code::InvalidArgument, "output dimensions must be positive, not ", out.to_rows, " and ",
         out.to_columns);
  if (out.from_rows == 0 || out.from_columns == 0)
    fail(Code::InvalidArgument, "input image must be of non-zero size, not ", images.shape());
  return out;
}

DGRAPH_DECL void run_resize_bilinear(KernelContext& c) {
  const auto& config = c.config<ResizeConfig>();
  const Resize r = plan_resize(c.input(0), c.input(1));
  Tensor& out = c.allocate_output(0, r.shape());
  if (out.elements() == 0) return;
  const Tensor images = cast_tensor(c.input(0), DType::Float32);
  const std::vector<Between> rows = sample_between(r.from_rows, r.to_rows, config),
                             columns = sample_between(r.from_columns, r.to_columns, config);
  const std::int64_t n = r.channels;
  const double ns = 2.0 * static_cast<double>(r.to_columns * n);
  c.parallel_for(r.batch * r.to_rows, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      const Between& y = rows[static_cast<std::size_t>(line % r.to_rows)];
      const float* const image =
          images.data<float>() + line / r.to_rows * r.from_rows * r.from_columns * n;
      const float *const top = image + y.low * r.from_columns * n, *const bottom =
                                                                       image +
                                                                       y.high * r.from_columns * n;
      float* to = out.mutable_data<float>() + line * r.to_columns * n;
      for (const Between& x : columns)
        for (std::int64_t i = 0; i < n; ++i) {
          const float above =
              top[x.low * n + i] + (top[x.high * n + i] - top[x.low * n + i]) * x.past;
          const float below =
              bottom[x.low * n + i] + (bottom[x.high * n + i] - bottom[x.low * n + i]) * x.past;
          *to++ = above + (below - above) * y.past;
        }
    }
  });
}

template <class T>
void add_bilinear(const KernelContext& c, const Resize& r, const ResizeConfig& config,
                  const float* grads, T* out) {
  const std::vector<Between> rows = sample_between(r.from_rows, r.to_rows, config),
                             columns = sample_between(r.from_columns, r.to_columns, config);
  const std::int64_t n = r.channels;
  const double ns = 6.0 * static_cast<double>(r.to_rows * r.to_columns * n);
  c.parallel_for(r.batch, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end; ++item) {
      const float* from = grads + item * r.to_rows * r.to_columns * n;
      T* const image = out + item * r.from_rows * r.from_columns * n;
      for (const Between& y : rows)
        for (const Between& x : columns) {
          T* const top = image + y.low * r.from_columns * n;
          T* const bottom = image + y.high * r.from_columns * n;
          for (std::int64_t i = 0; i < n; ++i) {
            const float d = *from++;
            top[x.low * n + i] += static_cast<T>(d * (1 - y.past) * (1 - x.past));
            top[x.high * n + i] += static_cast<T>(d * (1 - y.past) * x.past);
            bottom[x.low * n + i] += static_cast<T>(d * y.past * (1 - x.past));
            bottom[x.high * n + i] += static_cast<T>(d * y.past * x.past);
          }
        }
    }
  });
}

DGRAPH_DECL void run_resize_bilinear_grad(KernelContext& c) {
  const auto& config = c.config<ResizeConfig>();
  const Tensor &grads = c.input(0), &image = c.input(1);
  if (grads.rank() != 4 || image.rank() != 4)
    fail(Code::InvalidArgument,
         "input_grad and original_image must be 4-dimensional, not of shapes ", grads.shape(),
         " and ", image.shape());
  if (grads.dim(0) != image.dim(0) || grads.dim(3) != image.dim(3))
    fail(Code::InvalidArgument, "grads of shape ", grads.shape(), " do not fit an image of shape ",
         image.shape());
  const Resize r{image.dim(0), image.dim(1), image.dim(2),
                 grads.dim(1), grads.dim(2), image.dim(3)};
  if (grads.elements() > 0 && image.elements() == 0)
    fail(Code::InvalidArgument, "original_image must be of non-zero size, not ", image.shape());
  const bool wide = image.dtype() == DType::Float64;
  Tensor sums = Tensor::zeros(wide ? DType::Float64 : DType::Float32, image.shape());
  if (grads.elements() > 0) {
    if (wide)
      add_bilinear(c, r, config, grads.data<float>(), sums.mutable_data<double>());
    else
      add_bilinear(c, r, config, grads.data<float>(), sums.mutable_data<float>());
  }
  c.set_output(0, cast_tensor(sums, image.dtype()));
}

DGRAPH_DECL void run_resize_nearest(KernelContext& c) {
  const auto& config = c.config<ResizeConfig>();
  const Resize r = plan_resize(c.input(0), c.input(1));
  Tensor& out = c.allocate_output(0, r.shape());
  if (out.elements() == 0) return;
  const std::vector<std::int64_t> rows = sample_nearest(r.from_rows, r.to_rows, config),
                                  columns = sample_nearest(r.from_columns, r.to_columns, config);
  const Tensor& images = c.input(0);
  const std::int64_t pixel = r.channels * static_cast<std::int64_t>(dtype_size(images.dtype()));
  const double ns = static_cast<double>(r.to_columns * (3 + pixel / 8));
  c.parallel_for(r.batch * r.to_rows, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      const std::int64_t row =
          line / r.to_rows * r.from_rows + rows[static_cast<std::size_t>(line % r.to_rows)];
      const std::byte* const from = images.raw() + row * r.from_columns * pixel;
      std::byte* to = out.mutable_raw() + line * r.to_columns * pixel;
      for (const std::int64_t column : columns) {
        std::memcpy(to, from + column * pixel, static_cast<std::size_t>(pixel));
        to += pixel;
      }
    }
  });
}

DGRAPH_DECL void run_resize_nearest_grad(KernelContext& c) {
  const auto& config = c.config<ResizeConfig>();
  const Resize to = plan_resize(c.input(0), c.input(1));
  const DType dtype = c.input(0).dtype();
  const bool small = dtype == DType::Float16 || dtype == DType::BFloat16;
  const DType sum_dtype = small ? DType::Float32 : dtype;
  const Tensor grads = cast_tensor(c.input(0), sum_dtype);
  Tensor out = Tensor::zeros(sum_dtype, to.shape());
  if (grads.elements() == 0) return c.set_output(0, cast_tensor(out, dtype));
  const std::vector<std::int64_t> rows = sample_nearest(to.to_rows, to.from_rows, config),
                                  columns = sample_nearest(to.to_columns, to.from_columns, config);
  const RowSum add = RowSum::add(sum_dtype);
  const std::int64_t n = to.channels;
  std::byte* const sums = out.mutable_raw();
  const double ns =
      static_cast<double>(to.from_rows * to.from_columns) * static_cast<double>(5 + n);
  c.parallel_for(to.batch, ns, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end; ++item) {
      std::int64_t from = item * to.from_rows * to.from_columns * n;
      for (const std::int64_t row : rows)
        for (const std::int64_t column : columns) {
          std::byte* const at =
              element_at(sum_dtype, sums, ((item * to.to_rows + row) * to.to_columns + column) * n);
          add(at, at, element_at(sum_dtype, grads.raw(), from), n);
          from += n;
        }
    }
  });
  c.set_output(0, cast_tensor(out, dtype));
}

DGRAPH_DECL Kernel resize_kernel(const KernelRequest& r, void (*run)(KernelContext&)) {
  const ResizeConfig config{r.attr<bool>("align_corners"), r.attr<bool>("half_pixel_centers")};
  if (config.align_corners && config.half_pixel)
    fail(Code::InvalidArgument, "If half_pixel_centers is True, align_corners must be False.");
  return plain_kernel(run).with(config);
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::ResizeBilinear>::make(const KernelRequest& r) {
  return detail::resize_kernel(r, &detail::run_resize_bilinear);
}
DGRAPH_DECL Kernel Kernels<ops::ResizeBilinearGrad>::make(const KernelRequest& r) {
  return detail::resize_kernel(r, &detail::run_resize_bilinear_grad);
}
DGRAPH_DECL Kernel Kernels<ops::ResizeNearestNeighbor>::make(const KernelRequest& r) {
  return detail::resize_kernel(r, &detail::run_resize_nearest);
}
DGRAPH_DECL Kernel Kernels<ops::ResizeNearestNeighborGrad>::make(const KernelRequest& r) {
  return detail::resize_kernel(r, &detail::run_resize_nearest_grad);
}

}  // namespace dgraph
