#pragma once
// Products, least and greatest elements of rows, for whatever combines rows into memory that is there:
// variables, scattered rows, segments. Sums are in accumulate.hpp.

#include <cstddef>
#include <cstdint>

#include <dgraph/base/dtype.hpp>

namespace dgraph::detail {

/// to[i] = to[i] . from[i] for `count` elements; the rows do not overlap.
using RowFold = void (*)(std::byte* to, const std::byte* from, std::int64_t count);

/// Null where `dtype` is no number.
RowFold product_fold(DType dtype) noexcept;
/// NaN stays; null where `dtype` has no order.
RowFold least_fold(DType dtype) noexcept;
RowFold greatest_fold(DType dtype) noexcept;

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/row_fold.ipp>
#endif
