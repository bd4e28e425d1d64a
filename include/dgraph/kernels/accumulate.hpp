#pragma once
// Sums and differences of rows, for whatever adds into memory that is there: variables, scattered
// rows, segments, biases. Compiled once for each way of adding: integers of one size wrap alike, a
// complex number is two real ones.

#include <cstddef>
#include <cstdint>

#include <dgraph/base/dtype.hpp>

namespace dgraph::detail {

/// out[i] = a[i] + b[i], or a[i] - b[i], for `count` elements; out may be a or b, or neither.
class RowSum {
 public:
  RowSum() noexcept = default;
  /// Empty where `dtype` is no number.
  static RowSum add(DType dtype) noexcept;
  static RowSum subtract(DType dtype) noexcept;
  explicit operator bool() const noexcept { return run_ != nullptr; }
  void operator()(std::byte* out, const std::byte* a, const std::byte* b,
                  std::int64_t count) const {
    run_(out, a, b, count * parts_);
  }

 private:
  using Run = void (*)(std::byte*, const std::byte*, const std::byte*, std::int64_t);
  RowSum(Run run, std::int64_t parts) noexcept : run_(run), parts_(parts) {}
  template <template <class> class Body>
  static RowSum choose(DType dtype) noexcept;
  Run run_ = nullptr;
  std::int64_t parts_ = 1;
};

/// out[i] = a[i] - scale[0] * b[i]; out may be a or b, or neither. Null where `dtype` is no number.
using ScaledDifference = void (*)(std::byte* out, const std::byte* a, const std::byte* scale,
                                  const std::byte* b, std::int64_t count);
ScaledDifference scaled_difference(DType dtype) noexcept;

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/accumulate.ipp>
#endif
