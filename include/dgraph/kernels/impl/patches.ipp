#pragma once
#include <dgraph/kernels/patches.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph::detail {

DGRAPH_DECL Taps window_taps(const WindowDim& dim) {
  Taps out;
  out.targets = dim.places;
  out.step = dim.stride;
  out.limit = dim.input;
  out.offsets.clear();
  for (std::int64_t t = 0; t < dim.size; ++t) out.offsets.push_back(dim.at(0, t));
  return out;
}

DGRAPH_DECL Patches::Patches(std::size_t element_bytes, std::array<Taps, 3> taps,
                             std::int64_t channels, std::int64_t channel, std::int64_t count)
    : taps_(std::move(taps)),
      channels_(channels),
      channel_(channel),
      count_(count),
      targets_(taps_[0].targets * taps_[1].targets * taps_[2].targets),
      element_(static_cast<std::int64_t>(element_bytes)) {
  is_source_ = count == channels;
  for (const Taps& t : taps_)
    is_source_ = is_source_ && t.count() == 1 && t.offsets[0] == 0 && t.targets == t.limit &&
                 (t.step == 1 || t.limit == 1);
  side_by_side_ = count == channels;
  const std::vector<std::int64_t>& last = taps_[2].offsets;
  for (std::size_t t = 1; t < last.size(); ++t)
    side_by_side_ = side_by_side_ && last[t] == last[t - 1] + 1;
}

// The taps of one line of the source.
DGRAPH_DECL void Patches::gather_row(const std::byte* line, std::int64_t target,
                                     std::byte* out) const {
  const Taps& taps = taps_[2];
  const std::int64_t bytes = count_ * element_, place_bytes = channels_ * element_;
  const std::int64_t count = taps.count();
  const auto zeros = [&](std::int64_t n) {
    std::memset(out, 0, static_cast<std::size_t>(n * bytes));
    out += n * bytes;
  };
  if (!side_by_side_) {
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t from = taps.at(target, t);
      if (from < 0) {
        zeros(1);
        continue;
      }
      std::memcpy(out, line + from * place_bytes, static_cast<std::size_t>(bytes));
      out += bytes;
    }
    return;
  }
  if (count == 0) return;
  const std::int64_t from = target * taps.step + taps.offsets[0];
  const std::int64_t first = std::clamp<std::int64_t>(-from, 0, count);
  const std::int64_t last = std::clamp<std::int64_t>(taps.limit - from, first, count);
  zeros(first);
  if (last > first)
    std::memcpy(out, line + (from + first) * place_bytes,
                static_cast<std::size_t>((last - first) * bytes));
  out += (last - first) * bytes;
  zeros(count - last);
}

DGRAPH_DECL void Patches::gather(const std::byte* source, std::int64_t begin, std::int64_t end,
                                 std::int64_t first, std::int64_t last, std::byte* out) const {
  const Taps &outer = taps_[0], &middle = taps_[1], &inner = taps_[2];
  const std::int64_t place_bytes = channels_ * element_, row_bytes = row_width() * element_;
  for (std::int64_t target = begin; target < end; ++target) {
    const std::int64_t item = target / targets_, in_item = target % targets_;
    const std::int64_t x = in_item % inner.targets, y = in_item / inner.targets % middle.targets;
    const std::int64_t z = in_item / inner.targets / middle.targets;
    for (std::int64_t tap_row = first; tap_row < last; ++tap_row, out += row_bytes) {
      const std::int64_t from_z = outer.at(z, tap_row / middle.count());
      const std::int64_t from_y = middle.at(y, tap_row % middle.count());
      if (from_z < 0 || from_y < 0) {
        std::memset(out, 0, static_cast<std::size_t>(row_bytes));
        continue;
      }
      gather_row(
          source +
              ((item * outer.limit + from_z) * middle.limit + from_y) * inner.limit * place_bytes +
              channel_ * element_,
          x, out);
    }
  }
}

// Dimension i of the result is dimension order[i] of the tensor.
DGRAPH_DECL Tensor reordered(const KernelContext& context, const Tensor& from, const Dims& order) {
  const Dims strides = row_major_strides(from.shape().dims());
  Dims sizes, from_strides;
  for (std::int64_t axis : order) {
    sizes.push_back(from.dim(static_cast<std::size_t>(axis)));
    from_strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  Tensor out(from.dtype(), Shape(sizes));
  if (out.elements() > 0)
    copy_strided(context, from.dtype(), sizes, from.raw(), from_strides, out.mutable_raw(),
                 row_major_strides(sizes));
  return out;
}

DGRAPH_DECL Tensor channels_last(const KernelContext& context, const Tensor& from,
                                 bool channels_first) {
  if (!channels_first) return from;
  Dims order{0};
  for (std::size_t i = 2; i < from.rank(); ++i) order.push_back(static_cast<std::int64_t>(i));
  order.push_back(1);
  return reordered(context, from, order);
}

DGRAPH_DECL Shape channels_last(const Shape& shape, bool channels_first) {
  if (!channels_first) return shape;
  Dims out{shape[0]};
  for (std::size_t i = 2; i < shape.rank(); ++i) out.push_back(shape[i]);
  out.push_back(shape[1]);
  return Shape(std::move(out));
}

DGRAPH_DECL Shape with_layout(const Shape& channels_last, bool channels_first) {
  if (!channels_first) return channels_last;
  Dims out{channels_last[0], channels_last[channels_last.rank() - 1]};
  for (std::size_t i = 1; i + 1 < channels_last.rank(); ++i) out.push_back(channels_last[i]);
  return Shape(std::move(out));
}

DGRAPH_DECL void set_with_layout(KernelContext& context, std::size_t i, Tensor value,
                                 bool channels_first) {
  const DType dtype = context.output_dtype(i);
  if (value.dtype() != dtype && dtype_size(value.dtype()) == dtype_size(dtype) &&
      is_integer(value.dtype()))
    value = value.bitcast_same_size(dtype);
  else if (value.dtype() != dtype)
    value = cast_tensor(value, dtype);
  if (channels_first) {
    Dims order{0, static_cast<std::int64_t>(value.rank()) - 1};
    for (std::size_t axis = 1; axis + 1 < value.rank(); ++axis)
      order.push_back(static_cast<std::int64_t>(axis));
    value = reordered(context, value, order);
  }
  context.set_output(i, std::move(value));
}

}  // namespace dgraph::detail
