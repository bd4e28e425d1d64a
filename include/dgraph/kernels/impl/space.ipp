#pragma once
#include <dgraph/kernels/space.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/ops/window.hpp>

namespace dgraph {
namespace detail {

// What SpaceToBatchND and BatchToSpaceND are asked for: `large` is the side with the blocks whole,
// before paddings or after crops.
struct BlockRequest {
  Dims block, before, after;
  std::int64_t places = 1;  // in a block
};

DGRAPH_DECL BlockRequest read_blocks(const Tensor& in, const Tensor& block_shape,
                                     const Tensor& pairs, std::string_view what) {
  BlockRequest out;
  if (block_shape.rank() != 1)
    fail(Code::InvalidArgument, "block_shape must be a vector, not of shape ", block_shape.shape());
  out.block = integers_argument(block_shape, "block_shape");
  const std::size_t m = out.block.size();
  if (!(pairs.shape() == Shape{static_cast<std::int64_t>(m), 2}))
    fail(Code::InvalidArgument, what, " should have shape [", m, ", 2] instead of ", pairs.shape());
  if (in.rank() < m + 1)
    fail(Code::InvalidArgument, "input rank should be >= ", m + 1, " instead of ", in.rank());
  for (std::size_t i = 0; i < m; ++i) {
    const std::int64_t a = integer_at(pairs, static_cast<std::int64_t>(2 * i), what),
                       b = integer_at(pairs, static_cast<std::int64_t>(2 * i + 1), what);
    if (out.block[i] < 1 || __builtin_mul_overflow(out.places, out.block[i], &out.places))
      fail(Code::InvalidArgument, "block_shape[", i, "] = ", out.block[i],
           " is not positive, or there are 2^63 places in a block");
    if (a < 0 || b < 0) fail(Code::InvalidArgument, what, " must not be negative: ", a, ", ", b);
    out.before.push_back(a);
    out.after.push_back(b);
  }
  return out;
}

// Calls f(place, small, large, sizes) for each place in a block: the batch that it stands for, where
// what it holds begins in the small dimensions, where in the large ones, and how much it is.
template <class F>
void for_each_place(const BlockRequest& r, const Shape& small, const Shape& large, F f) {
  const std::size_t m = r.block.size();
  Dims place(m, 0), from(m, 0), at(m, 0), count(m, 0);
  for (std::int64_t n = 0; n < r.places; ++n) {
    bool any = true;
    for (std::size_t i = 0; i < m; ++i) {
      // Small index s lies at s * block + place - before of the large dimension.
      const std::int64_t skip = r.before[i] - place[i], block = r.block[i];
      from[i] = skip <= 0 ? 0 : skip / block + (skip % block != 0);
      at[i] = from[i] * block - skip;
      const std::int64_t room = large[i + 1] - at[i];
      count[i] = std::min(small[i + 1] - from[i], room <= 0 ? 0 : (room - 1) / block + 1);
      any = any && count[i] > 0;
    }
    if (any) f(n, from, at, count);
    for (std::size_t i = m; i-- > 0;) {
      if (++place[i] < r.block[i]) break;
      place[i] = 0;
    }
  }
}

// Moves all places of `small` [places * batch, ...] to `large` [batch, ...], or back.
DGRAPH_DECL void move_blocks(KernelContext& c, const BlockRequest& r, DType dtype,
                             const Shape& small_shape, const Shape& large_shape,
                             const std::byte* from, std::byte* to, bool to_small) {
  const std::size_t m = r.block.size();
  const std::int64_t batch = large_shape[0];
  const Dims small = row_major_strides(small_shape.dims()),
             large = row_major_strides(large_shape.dims());
  Dims stepped = large, sizes = large_shape.dims();
  for (std::size_t i = 0; i < m; ++i)
    // Where one place alone is taken its step does not count, and might overflow.
    if (__builtin_mul_overflow(large[i + 1], r.block[i], &stepped[i + 1])) stepped[i + 1] = 0;
  for_each_place(r, small_shape, large_shape,
                 [&](std::int64_t place, const Dims& begin, const Dims& at, const Dims& count) {
                   std::int64_t in_small = place * batch * small[0], in_large = 0;
                   for (std::size_t i = 0; i < m; ++i) {
                     in_small += begin[i] * small[i + 1];
                     in_large += at[i] * large[i + 1];
                     sizes[i + 1] = count[i];
                   }
                   if (to_small)
                     copy_strided(c, dtype, sizes, element_at(dtype, from, in_large), stepped,
                                  element_at(dtype, to, in_small), small);
                   else
                     copy_strided(c, dtype, sizes, element_at(dtype, from, in_small), small,
                                  element_at(dtype, to, in_large), stepped);
                 });
}

DGRAPH_DECL void fill_zeros(Tensor& out) {
  const Tensor zero = Tensor::zeros(out.dtype(), Shape());
  fill_elements(out.dtype(), zero.raw(), out.mutable_raw(), out.elements());
}

DGRAPH_DECL void run_space_to_batch(KernelContext& c) {
  const Tensor& in = c.input(0);
  const BlockRequest r = read_blocks(in, c.input(1), c.input(2), "paddings");
  Dims dims = in.shape().dims();
  bool padded = false, over = __builtin_mul_overflow(dims[0], r.places, &dims[0]);
  for (std::size_t i = 0; i < r.block.size(); ++i) {
    std::int64_t& n = dims[i + 1];
    over = over || __builtin_add_overflow(n, r.before[i], &n) ||
           __builtin_add_overflow(n, r.after[i], &n);
    if (over) break;
    if (n % r.block[i] != 0)
      fail(Code::InvalidArgument, "padded_shape[", i, "]=", n, " is not divisible by block_shape[",
           i, "]=", r.block[i]);
    n /= r.block[i];
    padded = padded || r.before[i] > 0 || r.after[i] > 0;
  }
  if (over) fail(Code::InvalidArgument, "a dimension would have 2^63 elements or more");
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  if (padded) fill_zeros(out);
  if (in.elements() != 0)
    move_blocks(c, r, in.dtype(), out.shape(), in.shape(), in.raw(), out.mutable_raw(), true);
}

DGRAPH_DECL void run_batch_to_space(KernelContext& c) {
  const Tensor& in = c.input(0);
  const BlockRequest r = read_blocks(in, c.input(1), c.input(2), "crops");
  Dims dims = in.shape().dims();
  if (dims[0] % r.places != 0)
    fail(Code::InvalidArgument, "Input batch dimension (", dims[0],
         ") is not divisible by product of block sizes (", r.places, ")");
  dims[0] /= r.places;
  for (std::size_t i = 0; i < r.block.size(); ++i) {
    std::int64_t& n = dims[i + 1];
    if (__builtin_mul_overflow(n, r.block[i], &n))
      fail(Code::InvalidArgument, "a dimension would have 2^63 elements or more");
    if (r.before[i] > n || r.after[i] > n - r.before[i])
      fail(Code::InvalidArgument, "crops[", i, "] = ", r.before[i], ", ", r.after[i],
           " are more than the ", n, " elements of dimension ", i + 1);
    n -= r.before[i] + r.after[i];
  }
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  move_blocks(c, r, in.dtype(), in.shape(), out.shape(), in.raw(), out.mutable_raw(), false);
}

struct DepthConfig {
  std::int64_t block;
  bool channels_first, to_depth;
};

// Both are a permutation of [n, h, block, w, block, c] or, with channels first, of what it becomes.
DGRAPH_DECL void run_depth(KernelContext& c) {
  const Tensor& in = c.input(0);
  const auto& config = c.config<DepthConfig>();
  if (in.rank() != 4) fail(Code::InvalidArgument, "Input rank should be 4 instead of ", in.rank());
  const std::size_t h = config.channels_first ? 2 : 1, w = h + 1, d = config.channels_first ? 1 : 3;
  const std::int64_t block = config.block;
  std::int64_t height = in.dim(h), width = in.dim(w), depth = in.dim(d);  // of the smaller picture
  if (config.to_depth) {
    if (height % block != 0 || width % block != 0)
      fail(Code::InvalidArgument, "Image width ", width, " and height ", height,
           " should be divisible by block_size: ", block);
    height /= block;
    width /= block;
  } else {
    if (depth % block != 0 || depth / block % block != 0)
      fail(Code::InvalidArgument, "Input depth dimension ", depth,
           " should be divisible by: ", block, " * ", block);
    depth = depth / block / block;
  }
  Dims dims = in.shape().dims();
  const auto scaled = [&](std::int64_t n) {
    if (__builtin_mul_overflow(n, block, &n))
      fail(Code::InvalidArgument, "a dimension would have 2^63 elements or more");
    return n;
  };
  dims[h] = config.to_depth ? height : scaled(height);
  dims[w] = config.to_depth ? width : scaled(width);
  dims[d] = config.to_depth ? scaled(scaled(depth)) : depth;
  Tensor& out = c.allocate_output(0, Shape(std::move(dims)));
  if (out.elements() == 0) return;
  // In order: batch, row, row in the block, column, column in the block, channel.
  const Dims sizes{in.dim(0), height, block, width, block, depth};
  const Dims wide = row_major_strides(
      config.channels_first ? Dims{in.dim(0), depth, height, block, width, block} : sizes);
  const Dims deep = row_major_strides(config.channels_first
                                          ? Dims{in.dim(0), block, block, depth, height, width}
                                          : Dims{in.dim(0), height, width, block, block, depth});
  const Dims space =
      config.channels_first ? Dims{wide[0], wide[2], wide[3], wide[4], wide[5], wide[1]} : wide;
  const Dims channels = config.channels_first
                            ? Dims{deep[0], deep[4], deep[1], deep[5], deep[2], deep[3]}
                            : Dims{deep[0], deep[1], deep[3], deep[2], deep[4], deep[5]};
  copy_strided(c, in.dtype(), sizes, in.raw(), config.to_depth ? space : channels,
               out.mutable_raw(), config.to_depth ? channels : space);
}

DGRAPH_DECL Kernel depth_kernel(const KernelRequest& r, bool to_depth) {
  const std::string& format = r.attr<std::string>("data_format");
  if (format == "NCHW_VECT_C")
    fail(Code::Unimplemented, "data_format NCHW_VECT_C has no kernel on a CPU");
  return plain_kernel(&run_depth)
      .with(DepthConfig{r.attr<std::int64_t>("block_size"), format == "NCHW", to_depth});
}

struct PatchConfig {
  std::int64_t size[2], stride[2], rate[2];
  bool same;
};

DGRAPH_DECL void run_extract_patches(KernelContext& c) {
  const Tensor& in = c.input(0);
  const auto& p = c.config<PatchConfig>();
  if (in.rank() != 4) fail(Code::InvalidArgument, "input must be 4-dimensional, not ", in.shape());
  WindowSpan span[2];
  Dims dims = in.shape().dims();
  for (std::size_t i = 0; i < 2; ++i) {
    span[i] = window_span(in.dim(i + 1), p.size[i], p.stride[i], p.rate[i], p.same);
    dims[i + 1] = span[i].places;
    if (__builtin_mul_overflow(dims[3], p.size[i], &dims[3]))
      fail(Code::InvalidArgument, "there would be 2^63 channels or more");
  }
  Tensor& out = c.allocate_output(0, Shape(dims));
  if (out.elements() == 0) return;
  if (p.same) fill_zeros(out);
  const Dims from = row_major_strides(in.shape().dims()), to = row_major_strides(dims);
  // The places of the window at which its element `k` lies within the picture: the first, and how many.
  const auto inside = [&](std::size_t i, std::int64_t k) {
    const std::int64_t at = k * p.rate[i] - span[i].before, length = in.dim(i + 1);
    const std::int64_t first = at >= 0 ? 0 : (-at - 1) / p.stride[i] + 1;
    const std::int64_t room = length - at;
    const std::int64_t end = room <= 0 ? 0 : (room - 1) / p.stride[i] + 1;
    return std::pair(first, std::min(end, span[i].places) - first);
  };
  for (std::int64_t y = 0; y < p.size[0]; ++y) {
    const auto [row, rows] = inside(0, y);
    if (rows <= 0) continue;
    for (std::int64_t x = 0; x < p.size[1]; ++x) {
      const auto [column, columns] = inside(1, x);
      if (columns <= 0) continue;
      const std::int64_t source = (row * p.stride[0] + y * p.rate[0] - span[0].before) * from[1] +
                                  (column * p.stride[1] + x * p.rate[1] - span[1].before) * from[2];
      const std::int64_t target = row * to[1] + column * to[2] + (y * p.size[1] + x) * in.dim(3);
      copy_strided(c, in.dtype(), {in.dim(0), rows, columns, in.dim(3)},
                   element_at(in.dtype(), in.raw(), source),
                   {from[0], rows > 1 ? from[1] * p.stride[0] : 0,
                    columns > 1 ? from[2] * p.stride[1] : 0, 1},
                   element_at(in.dtype(), out.mutable_raw(), target), to);
    }
  }
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::SpaceToBatchND>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_space_to_batch);
}
DGRAPH_DECL Kernel Kernels<ops::BatchToSpaceND>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_batch_to_space);
}
DGRAPH_DECL Kernel Kernels<ops::SpaceToDepth>::make(const KernelRequest& r) {
  return detail::depth_kernel(r, true);
}
DGRAPH_DECL Kernel Kernels<ops::DepthToSpace>::make(const KernelRequest& r) {
  return detail::depth_kernel(r, false);
}
DGRAPH_DECL Kernel Kernels<ops::ExtractImagePatches>::make(const KernelRequest& r) {
  const auto list = [&](std::string_view name) {
    const auto& values = r.attr<std::vector<std::int64_t>>(name);
    if (values.size() != 4) fail(Code::InvalidArgument, name, " must have 4 numbers");
    if (values[0] != 1 || values[3] != 1)
      fail(Code::Unimplemented, "patches are taken of height and width alone");
    return values;
  };
  const auto sizes = list("ksizes"), strides = list("strides"), rates = list("rates");
  return detail::plain_kernel(&detail::run_extract_patches)
      .with(detail::PatchConfig{{sizes[1], sizes[2]},
                                {strides[1], strides[2]},
                                {rates[1], rates[2]},
                                r.attr<std::string>("padding") == "SAME"});
}

}  // namespace dgraph
