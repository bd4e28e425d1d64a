#pragma once
#include <dgraph/kernels/reduce.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace dgraph::detail {

// Work is cut into pieces of about this many elements, whatever the number of threads.
inline constexpr std::int64_t kReduceChunk = 65536, kReduceBlock = 1024;
// Rows no longer than this are reduced many at a time, as columns.
inline constexpr std::int64_t kShortRow = 48, kShortRows = 64;
inline constexpr std::int64_t kColumnTileBytes = 2048;
inline constexpr std::int64_t kColumnGroup = 16;

// One pass: elements of `source` bytes, converted by `widen` to accumulators of `size` bytes.
struct ReducePass {
  const Reducer& reducer;
  const CastChain& widen;
  std::int64_t source, size;
};

// 1 <= n <= kReduceBlock elements to one accumulator: half is combined with half until one is left. `block` has room for
// kReduceBlock accumulators.
DGRAPH_DECL void reduce_block(const ReducePass& pass, const std::byte* in, std::int64_t n, std::byte* out, std::byte* block) {
  if (pass.widen.count) {
    pass.widen.run(in, block, n);
    in = block;
  }
  while (n > 1) {
    const std::int64_t pairs = n / 2, kept = n - pairs;
    const void* const halves[kMaxOperands] = {in, in + kept * pass.size};
    pass.reducer.combine(halves, block, pairs, nullptr);
    if (pairs < kept && in != block)
      std::memcpy(block + pairs * pass.size, in + pairs * pass.size, static_cast<std::size_t>(pass.size));
    in = block;
    n = kept;
  }
  std::memcpy(out, in, static_cast<std::size_t>(pass.size));
}

DGRAPH_DECL void reduce_run(const ReducePass& pass, const std::byte* in, std::int64_t n, std::byte* out,
                            std::byte* block) {
  if (n <= kReduceBlock) return reduce_block(pass, in, n, out, block);
  const std::int64_t half = (n / 2 + kReduceBlock - 1) / kReduceBlock * kReduceBlock;
  alignas(16) std::byte right[16];
  reduce_run(pass, in, half, out, block);
  reduce_run(pass, in + half * pass.source, n - half, right, block);
  const void* const both[kMaxOperands] = {out, right};
  pass.reducer.combine(both, out, 1, nullptr);
}

// Up to kShortRows rows of `length` elements to one accumulator each, side by side.
DGRAPH_DECL void reduce_short_rows(const ReducePass& pass, const std::byte* in, std::int64_t rows, std::int64_t length,
                                   std::byte* out) {
  alignas(64) std::byte wide[kShortRow * kShortRows * 16], column[kShortRows * 16];
  if (pass.widen.count) {
    pass.widen.run(in, wide, rows * length);
    in = wide;
  }
  const auto size = static_cast<std::size_t>(pass.size);
  gather_elements(out, in, size, length, rows);
  const void* const both[kMaxOperands] = {out, column};
  for (std::int64_t j = 1; j < length; ++j) {
    gather_elements(column, in + j * pass.size, size, length, rows);
    pass.reducer.combine(both, out, rows, nullptr);
  }
}

// Rows [0, rows) of `width` elements, `stride` elements apart, to one row of accumulators, in pairs of groups.
DGRAPH_DECL void reduce_columns(const ReducePass& pass, const std::byte* in, std::int64_t rows, std::int64_t width,
                                std::int64_t stride, std::byte* out) {
  alignas(64) std::byte tile[kColumnTileBytes];
  const void* const both[kMaxOperands] = {out, tile};
  if (rows > kColumnGroup) {
    const std::int64_t half = (rows / 2 + kColumnGroup - 1) / kColumnGroup * kColumnGroup;
    reduce_columns(pass, in, half, width, stride, out);
    reduce_columns(pass, in + half * stride * pass.source, rows - half, width, stride, tile);
    pass.reducer.combine(both, out, width, nullptr);
    return;
  }
  if (pass.widen.count) pass.widen.run(in, out, width);
  else std::memcpy(out, in, static_cast<std::size_t>(width * pass.size));
  for (std::int64_t row = 1; row < rows; ++row) {
    const std::byte* from = in + row * stride * pass.source;
    if (pass.widen.count) {
      pass.widen.run(from, tile, width);
      pass.reducer.combine(both, out, width, nullptr);
    } else {
      const void* const direct[kMaxOperands] = {out, from};
      pass.reducer.combine(direct, out, width, nullptr);
    }
  }
}

// A block of rows; narrow ones are taken several at a time.
DGRAPH_DECL void reduce_rows_of_columns(const ReducePass& pass, const std::byte* in, std::int64_t rows,
                                        std::int64_t width, std::int64_t stride, std::byte* out) {
  constexpr std::int64_t kWide = 64;
  const std::int64_t together = width == stride && width < kWide ? std::min(rows, kWide / width) : 1;
  if (together < 2) return reduce_columns(pass, in, rows, width, stride, out);
  alignas(64) std::byte wide[kWide * 16];
  const std::int64_t wide_rows = rows / together;
  reduce_columns(pass, in, wide_rows, width * together, width * together, wide);
  const CastChain none;
  const ReducePass plain{pass.reducer, none, pass.size, pass.size};
  reduce_columns(plain, wide, together, width, width, out);
  if (const std::int64_t left = rows - wide_rows * together) {
    reduce_columns(pass, in + wide_rows * together * width * pass.source, left, width, stride, wide);
    const void* const both[kMaxOperands] = {out, wide};
    pass.reducer.combine(both, out, width, nullptr);
  }
}

// [outer, length, inner] to [outer, chunks, inner]; the number of chunks depends on the lengths alone.
DGRAPH_DECL std::int64_t reduce_chunks(std::int64_t length, std::int64_t inner) {
  const std::int64_t rows = std::max<std::int64_t>(kColumnGroup, kReduceChunk / std::max<std::int64_t>(inner, 1));
  return (length + rows - 1) / rows;
}

DGRAPH_DECL void reduce_pass(const KernelContext& context, const ReducePass& pass, const std::byte* in,
                             std::int64_t outer, std::int64_t length, std::int64_t inner, std::int64_t chunks,
                             std::byte* out) {
  const std::int64_t rows = (length + chunks - 1) / chunks;
  const std::int64_t tile = inner == 1 ? 1 : std::min(inner, kColumnTileBytes / pass.size);
  const std::int64_t tiles = (inner + tile - 1) / tile;
  if (inner == 1 && outer > 1 && length <= kShortRow) {
    const std::int64_t groups = (outer + kShortRows - 1) / kShortRows;
    context.parallel_for(groups, 100 + static_cast<double>(kShortRows * length), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group) {
        const std::int64_t first = group * kShortRows;
        reduce_short_rows(pass, in + first * length * pass.source, std::min(kShortRows, outer - first), length,
                          out + first * pass.size);
      }
    });
    return;
  }
  const double ns = 50 + static_cast<double>(rows * tile) * pass.reducer.ns_each;
  context.parallel_for(outer * chunks * tiles, ns, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) std::byte scratch[kReduceBlock * 16];
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t column = unit % tiles * tile, chunk = unit / tiles % chunks, block = unit / tiles / chunks;
      const std::int64_t first = length * chunk / chunks, count = length * (chunk + 1) / chunks - first;
      const std::byte* from = in + ((block * length + first) * inner + column) * pass.source;
      std::byte* to = out + ((block * chunks + chunk) * inner + column) * pass.size;
      if (inner == 1) reduce_run(pass, from, count, to, scratch);
      else reduce_rows_of_columns(pass, from, count, std::min(tile, inner - column), inner, to);
    }
  });
}

DGRAPH_DECL Dims reduced_axes(const Tensor& indices, std::size_t rank) {
  Dims reduced(rank, 0);
  const Tensor wide = cast_tensor(indices, DType::Int64);
  const auto signed_rank = static_cast<std::int64_t>(rank);
  for (const std::int64_t index : wide.flat<std::int64_t>()) {
    if (index < -signed_rank || index >= signed_rank)
      fail(Code::InvalidArgument, "Invalid reduction dimension (", index, " for input with ", rank, " dimension(s))");
    std::int64_t& flag = reduced[static_cast<std::size_t>(index < 0 ? index + signed_rank : index)];
    if (flag) fail(Code::InvalidArgument, "Invalid reduction arguments: axes contain dimension ", index, " twice");
    flag = 1;
  }
  return reduced;
}

DGRAPH_DECL Shape reduced_shape(const Shape& shape, const Dims& reduced, bool keep_dims) {
  Dims dims;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!reduced[axis]) dims.push_back(shape[axis]);
    else if (keep_dims) dims.push_back(1);
  }
  return Shape(std::move(dims));
}

DGRAPH_DECL Tensor reduce_tensor(const KernelContext& context, const Tensor& input, const Dims& reduced,
                                 const Shape& shape, const Reducer& reducer, const CastChain& widen) {
  const std::size_t size = dtype_size(reducer.accumulator);
  const std::int64_t signed_size = static_cast<std::int64_t>(size);
  if (input.elements() == 0) {
    Tensor out(reducer.accumulator, shape);
    for (std::int64_t i = 0; i < shape.elements(); ++i)
      std::memcpy(out.mutable_raw() + i * signed_size, reducer.identity.data(), size);
    return out;
  }
  // Alternating runs of kept and reduced dimensions, those of length 1 left out.
  std::vector<std::int64_t> lengths;
  std::vector<bool> flags;
  for (std::size_t axis = 0; axis < input.rank(); ++axis) {
    if (input.dim(axis) == 1) continue;
    const bool flag = reduced[axis] != 0;
    if (!flags.empty() && flags.back() == flag) lengths.back() *= input.dim(axis);
    else lengths.push_back(input.dim(axis)), flags.push_back(flag);
  }
  Tensor current = input;
  const CastChain none;
  const CastChain* conversion = &widen;
  std::int64_t source = static_cast<std::int64_t>(dtype_size(input.dtype()));
  // The last reduced run first: each pass leaves fewer elements, of the accumulator's dtype.
  for (std::size_t at = lengths.size(); at-- > 0;) {
    if (!flags[at]) continue;
    std::int64_t outer = 1, inner = 1;
    for (std::size_t k = 0; k < at; ++k) outer *= lengths[k];
    for (std::size_t k = at + 1; k < lengths.size(); ++k) inner *= lengths[k];
    for (std::int64_t length = lengths[at]; length > 1;) {
      const std::int64_t chunks = reduce_chunks(length, inner);
      Tensor next(reducer.accumulator, Shape{outer, chunks, inner});
      reduce_pass(context, {reducer, *conversion, source, signed_size}, current.raw(), outer, length, inner, chunks,
                  next.mutable_raw());
      current = std::move(next);
      conversion = &none;
      source = signed_size;
      length = chunks;
    }
    lengths[at] = 1;
  }
  // Nothing was longer than 1.
  if (conversion == &widen && widen.count) {
    Tensor converted(reducer.accumulator, input.shape());
    widen.run(input.raw(), converted.mutable_raw(), input.elements());
    current = std::move(converted);
  }
  return std::move(current).reshaped(shape);
}

}  // namespace dgraph::detail
