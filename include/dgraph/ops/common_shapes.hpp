#pragma once
// Shape rules that many ops share.

#include <cstddef>

#include <dgraph/graph/shape_context.hpp>

namespace dgraph::shapes {

/// Every output has the shape of input 0.
void unchanged(ShapeContext& c);
/// Every output is a scalar.
void scalar(ShapeContext& c);
/// Output 0 has the shape that inputs 0 and 1 have together by numpy's rules.
void broadcast(ShapeContext& c);
/// All inputs have one shape, and so has output 0.
void all_same(ShapeContext& c);
/// Output 0 is input 0 reduced along the axes of input 1, which stay as 1 where the attribute keep_dims says so.
void reduction(ShapeContext& c);

/// An axis counted from the end where negative; throws InvalidArgument outside [-rank, rank).
std::size_t axis(std::int64_t axis, std::size_t rank);

}  // namespace dgraph::shapes

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/common_shapes.ipp>
#endif
