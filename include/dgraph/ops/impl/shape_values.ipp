#pragma once
#include <dgraph/ops/shape_values.hpp>

#include <limits>

#include <dgraph/ops/common_shapes.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph::shapes {

DGRAPH_DECL std::optional<std::size_t> constant_axis(const ShapeContext& c, std::size_t i, std::size_t rank) {
  if (c.input(i).fully_known() && c.input(i).to_shape().elements() != 1)
    fail(Code::InvalidArgument, "the axis must be a single integer, not of shape ", c.input(i));
  const auto value = c.integers(i);
  if (!value || value->size() != 1 || (*value)[0] == kUnknownValue) return std::nullopt;
  return axis((*value)[0], rank);
}

DGRAPH_DECL std::optional<Dims> constant_elements(const ShapeContext& c, std::size_t i) {
  const auto tensor = c.constant(i);
  if (!tensor || (tensor->dtype() != DType::Int32 && tensor->dtype() != DType::Int64)) return std::nullopt;
  Dims out(static_cast<std::size_t>(tensor->elements()), 0);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = tensor->dtype() == DType::Int64 ? tensor->data<std::int64_t>()[k] : tensor->data<std::int32_t>()[k];
  return out;
}

DGRAPH_DECL Output constant(const GradientContext& g, Tensor value) {
  const DType dtype = value.dtype();
  return g.add<ops::Const>("value", std::move(value), "dtype", dtype);
}

DGRAPH_DECL Output integers(const GradientContext& g, const Dims& values, DType dtype) {
  return constant(g, detail::integers_tensor(values, dtype));
}

DGRAPH_DECL Output integer(const GradientContext& g, std::int64_t value, DType dtype) {
  return constant(g, detail::integers_tensor({value}, dtype).reshaped(Shape()));
}

DGRAPH_DECL Output of(const GradientContext& g, const Output& x, DType dtype) {
  const PartialShape& shape = x.shape();
  if (shape.fully_known()) return integers(g, shape.dims(), dtype);
  return g.add<ops::Shape>(x, "out_type", dtype);
}

DGRAPH_DECL Output of(const GradientContext& g, const Output& x, std::size_t begin, std::size_t end, DType dtype) {
  const PartialShape& shape = x.shape();
  bool known = true;
  Dims part;
  for (std::size_t i = begin; i < end; ++i) {
    part.push_back(shape[i]);
    known = known && shape[i] >= 0;
  }
  if (known) return integers(g, part, dtype);
  const Output whole = g.add<ops::Shape>(x, "out_type", dtype);
  return g.add<ops::Slice>(whole, integers(g, {static_cast<std::int64_t>(begin)}, dtype),
                           integers(g, {static_cast<std::int64_t>(end - begin)}, dtype));
}

DGRAPH_DECL Output all_axes(const GradientContext& g, const Output& x) {
  if (x.shape().has_rank()) {
    Dims axes(x.shape().rank(), 0);
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
    return integers(g, axes);
  }
  return g.add<ops::Range>(integer(g, 0), g.add<ops::Rank>(x), integer(g, 1));
}

DGRAPH_DECL Output reshape_like(const GradientContext& g, const Output& y, const Output& x) {
  if (y.shape().fully_known() && y.shape() == x.shape()) return y;
  return g.add<ops::Reshape>(y, of(g, x));
}

}  // namespace dgraph::shapes
