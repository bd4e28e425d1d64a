#pragma once
// Where a window goes along a dimension: for patches, pooling and the like.

#include <cstdint>

#include <dgraph/base/config.hpp>

namespace dgraph::detail {

/// How many places, and how much of the window lies before the dimension's first element at the first.
struct WindowSpan {
  std::int64_t places = 0, before = 0;
};

/// Of a window of `size` elements, `rate` apart, that moves by `stride`. `same`: places for each
/// element, less those that strides skip; otherwise those at which the window lies within. Throws
/// InvalidArgument where a number is not positive, or the window is too large by a stride or more.
WindowSpan window_span(std::int64_t length, std::int64_t size, std::int64_t stride,
                       std::int64_t rate, bool same);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/window.ipp>
#endif
