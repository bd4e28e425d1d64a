#pragma once
// What can be told of small integer values before a step runs: shapes of shapes, axes, sizes (D24). No kernels.

#include <cstdint>
#include <limits>
#include <optional>

#include <dgraph/graph/core.hpp>

namespace dgraph {

/// Stands for an element that is not known.
inline constexpr std::int64_t kUnknownValue = std::numeric_limits<std::int64_t>::min();

/// The whole value where the output is a constant (also through Identity); nothing otherwise.
std::optional<Tensor> constant_tensor(const GraphCore& core, Endpoint at);

/// The elements of an int32 or int64 output of rank ≤ 1, seen through Const, Identity, Cast, Shape, ShapeN, Size, Rank, Pack,
/// Unpack, Split, ConcatV2, Slice, StridedSlice, Gather, Fill, Reshape, Squeeze, ExpandDims, Range, Prod, Sum, Max, Min and
/// + - * // % max min between such values, through at most 32 ops on a path and 512 in all; unknown elements are kUnknownValue. Nothing where their number is unknown or above 1,024.
std::optional<Dims> constant_integers(const GraphCore& core, Endpoint at);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/constant_value.ipp>
#include <dgraph/graph/impl/shape_context.ipp>
#endif
