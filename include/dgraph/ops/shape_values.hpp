#pragma once
// Shapes as values in gradient rules: constants where they are known, nodes where they are not.

#include <cstdint>
#include <optional>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph::shapes {

/// The axis that input i of the node being added gives, in [0, rank); nothing where it is not constant. Throws InvalidArgument
/// where it is out of range or no single element.
std::optional<std::size_t> constant_axis(const ShapeContext& c, std::size_t i, std::size_t rank);

/// The elements of input i in row-major order, where it is a constant of integers, of whatever shape.
std::optional<Dims> constant_elements(const ShapeContext& c, std::size_t i);

/// A constant node.
Output constant(const GradientContext& g, Tensor value);
/// An integer vector of dtype int32 or int64.
Output integers(const GradientContext& g, const Dims& values, DType dtype = DType::Int32);
/// An integer scalar of dtype int32 or int64.
Output integer(const GradientContext& g, std::int64_t value, DType dtype = DType::Int32);
/// The shape of x as an integer vector.
Output of(const GradientContext& g, const Output& x, DType dtype = DType::Int32);
/// Dimensions [begin, end) of x's shape, whose rank is known.
Output of(const GradientContext& g, const Output& x, std::size_t begin, std::size_t end, DType dtype = DType::Int32);
/// All axes of x, for a reduction to a scalar.
Output all_axes(const GradientContext& g, const Output& x);
/// y in the shape of x, which has as many elements.
Output reshape_like(const GradientContext& g, const Output& y, const Output& x);
/// Output i of a node of several outputs.
inline Output output(const Output& node, std::size_t i) {
  return Output(node.core(), node.node_id(), static_cast<std::uint32_t>(i));
}

}  // namespace dgraph::shapes

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/shape_values.ipp>
#endif
