#pragma once
// Patches: what windows see of a tensor [batch, depth, height, width, channels], as rows of a
// matrix, for kernels that turn convolutions into matrix products.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dgraph/base/tensor.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/ops/spatial.hpp>

namespace dgraph::detail {

/// Along one dimension: target w and tap t read source element w * step + offsets[t], or a zero where
/// that is outside [0, limit).
struct Taps {
  std::int64_t targets = 1, step = 1, limit = 1;
  std::vector<std::int64_t> offsets = {0};
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(offsets.size()); }
  /// The source element, or -1.
  std::int64_t at(std::int64_t target, std::int64_t tap) const noexcept {
    const std::int64_t from = target * step + offsets[static_cast<std::size_t>(tap)];
    return from >= 0 && from < limit ? from : -1;
  }
};

/// The taps of windows: those of a convolution forwards.
Taps window_taps(const WindowDim& dim);

/// Rows of patches, one for each target of each item of the batch; the columns are tap after tap, each
/// `count` channels from `channel` on. "Tap rows" are taps that differ in the last dimension alone.
class Patches {
 public:
  Patches(std::size_t element_bytes, std::array<Taps, 3> taps, std::int64_t channels,
          std::int64_t channel, std::int64_t count);

  std::int64_t targets() const noexcept { return targets_; }
  std::int64_t tap_rows() const noexcept { return taps_[0].count() * taps_[1].count(); }
  /// Columns of one tap row.
  std::int64_t row_width() const noexcept { return taps_[2].count() * count_; }
  /// True where a patch is the element at its own place: the source itself is the matrix.
  bool is_source() const noexcept { return is_source_; }
  /// Targets [begin, end), counted over the whole batch, tap rows [first, last), to `out`, row after
  /// row.
  void gather(const std::byte* source, std::int64_t begin, std::int64_t end, std::int64_t first,
              std::int64_t last, std::byte* out) const;

 private:
  void gather_row(const std::byte* line, std::int64_t target, std::byte* out) const;

  std::array<Taps, 3> taps_;
  std::int64_t channels_, channel_, count_, targets_, element_;
  bool is_source_ = false, side_by_side_ = false;
};

/// The tensor with its channels last; the same where they are.
Tensor channels_last(const KernelContext& context, const Tensor& from, bool channels_first);
/// A shape with the channels last, and back.
Shape channels_last(const Shape& shape, bool channels_first);
Shape with_layout(const Shape& channels_last, bool channels_first);
/// Sets output `i`, of that dtype and layout, to `value`, whose channels are last.
void set_with_layout(KernelContext& context, std::size_t i, Tensor value, bool channels_first);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/patches.ipp>
#endif
