#pragma once
#include <dgraph/ops/window.hpp>

#include <algorithm>

#include <dgraph/base/error.hpp>

namespace dgraph::detail {

DGRAPH_DECL WindowSpan window_span(std::int64_t length, std::int64_t size, std::int64_t stride,
                                   std::int64_t rate, bool same) {
  if (size <= 0 || stride <= 0 || rate <= 0)
    fail(Code::InvalidArgument, "sizes, strides and rates of windows must be positive, not ", size,
         ", ", stride, " and ", rate);
  std::int64_t reach = 0;
  if (__builtin_mul_overflow(size - 1, rate, &reach) || __builtin_add_overflow(reach, 1, &reach))
    fail(Code::InvalidArgument, "a window of ", size, " at rate ", rate, " is too large");
  if (!same) {
    if (length >= reach) return {(length - reach) / stride + 1, 0};
    // TensorFlow's number of places is a division that rounds towards zero.
    if (length - reach + stride <= -stride)
      fail(Code::InvalidArgument, "a window that reaches over ", reach,
           " does not fit a dimension of ", length);
    return {0, 0};
  }
  if (length == 0) return {0, 0};
  const std::int64_t last = (length - 1) / stride * stride;
  std::int64_t end = 0;
  if (__builtin_add_overflow(last, reach, &end))
    fail(Code::InvalidArgument, "a window of ", size, " at rate ", rate, " is too large");
  return {last / stride + 1, std::max<std::int64_t>(0, end - length) / 2};
}

}  // namespace dgraph::detail
