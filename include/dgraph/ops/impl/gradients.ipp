#pragma once
#include <dgraph/ops/gradients.hpp>

#include <algorithm>
#include <limits>

#include <dgraph/graph/constant_value.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/flow_gradient.hpp>
#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/segment.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

// All elements `value`, of the shape and dtype of `like`; no node depends on `like` where its shape is known.
DGRAPH_DECL Output filled_like(const Output& like, double value) {
  constexpr std::int64_t kMostInline = 16;
  const OpName name(like.node().location);
  const DType dtype = like.dtype();
  const bool number = is_floating(dtype) || is_integer(dtype) || is_complex(dtype) || dtype == DType::Bool;
  if (number && like.shape().fully_known()) {
    const Shape shape = like.shape().to_shape();
    if (shape.elements() <= kMostInline) return add_constant(filled_tensor(dtype, shape, value), name, like.core());
    const Output dims = add_constant(shape_tensor(shape), name, like.core());
    return add_op<ops::Fill>(name, dims, add_constant(scalar_tensor(dtype, value), name, like.core()));
  }
  return value == 0 ? add_op<ops::ZerosLike>(name, like) : add_op<ops::OnesLike>(name, like);
}

DGRAPH_DECL Output gradient_ones_like(const Output& like) { return filled_like(like, 1); }
DGRAPH_DECL Output gradient_zeros_like(const Output& like) { return filled_like(like, 0); }

DGRAPH_DECL Output gradient_sum(const std::vector<Output>& parts) {
  return add_op<ops::AddN>(OpName(parts[0].node().location), parts);
}

DGRAPH_DECL Output slices_to_dense(const IndexedSlices& slices) {
  const OpName name(slices.values.node().location);
  GraphCore& core = *slices.values.core();
  const auto known = constant_integers(core, slices.dense_shape.endpoint());
  Output rows;
  if (known && !known->empty() && (*known)[0] != kUnknownValue) {
    const std::int64_t count = (*known)[0];
    rows = add_constant(count <= std::numeric_limits<std::int32_t>::max()
                            ? Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(count))
                            : Tensor::scalar<std::int64_t>(count),
                        name, &core);
  } else {
    rows = add_op<ops::Gather>(name, slices.dense_shape, add_constant(Tensor::scalar<std::int32_t>(0), name, &core));
  }
  return add_op<ops::UnsortedSegmentSum>(name, slices.values, slices.indices, rows);
}

DGRAPH_DECL IndexedSlices concat_slices(const std::vector<IndexedSlices>& parts) {
  const OpName name(parts[0].values.node().location);
  GraphCore& core = *parts[0].values.core();
  // Indices of one dtype, as ConcatV2 wants them.
  const bool wide = std::any_of(parts.begin(), parts.end(),
                                [](const IndexedSlices& part) { return part.indices.dtype() == DType::Int64; });
  std::vector<Output> values, indices;
  for (const IndexedSlices& part : parts) {
    values.push_back(part.values);
    indices.push_back(wide && part.indices.dtype() != DType::Int64
                          ? add_op<ops::Cast>(name, part.indices, "DstT", DType::Int64)
                          : part.indices);
  }
  const Output axis = add_constant(Tensor::scalar<std::int32_t>(0), name, &core);
  return {add_op<ops::ConcatV2>(name, values, axis), add_op<ops::ConcatV2>(name, indices, axis), parts[0].dense_shape};
}

DGRAPH_DECL const GradientOps& standard_gradient_ops() {
  static constexpr GradientOps ops{&gradient_ones_like, &gradient_zeros_like, &gradient_sum, &slices_to_dense,
                                   &concat_slices, &flow_gradient};
  return ops;
}

// None of the gradients is there before all are.
DGRAPH_DECL void gate(std::vector<Gradient>& gradients) {
  std::vector<Output> values;
  for (const Gradient& gradient : gradients)
    if (gradient) values.push_back(gradient.values());
  if (values.size() < 2) return;
  const Output all = add_op<ops::IdentityN>(OpName(values[0].node().location), values);
  std::uint32_t next = 0;
  for (Gradient& gradient : gradients) {
    if (!gradient) continue;
    const Output value(all.core(), all.node_id(), next++);
    const IndexedSlices slices = gradient.slices();
    gradient = gradient.is_sparse() ? Gradient(IndexedSlices{value, slices.indices, slices.dense_shape}) : Gradient(value);
  }
}

DGRAPH_DECL Output dense_gradient(const Gradient& gradient) {
  return gradient.is_sparse() ? slices_to_dense(gradient.slices()) : gradient.values();
}

}  // namespace detail

DGRAPH_DECL std::vector<Gradient> sparse_gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                   const GradientOptions& options) {
  std::vector<Gradient> found = walk_gradients(ys, xs, options, detail::standard_gradient_ops());
  if (options.gate_gradients) detail::gate(found);
  return found;
}

DGRAPH_DECL std::vector<Output> gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                          const GradientOptions& options) {
  std::vector<Output> out;
  for (const Gradient& gradient : sparse_gradients(ys, xs, options)) out.push_back(detail::dense_gradient(gradient));
  return out;
}

DGRAPH_DECL std::vector<Output> jacobian(const Output& y, const std::vector<Output>& xs, const GradientOptions& options) {
  if (!y.shape().fully_known())
    fail(Code::InvalidArgument, "a jacobian needs the shape of y to be known, not ", y.shape());
  const OpName name(y.node().location);
  GraphCore* const core = y.core();
  const Dims dims = y.shape().to_shape().dims();
  const std::int64_t elements = y.shape().to_shape().elements();
  const auto constant = [&](Tensor value) { return detail::add_constant(std::move(value), name, core); };
  const Output flat = add_op<ops::Reshape>(name, y, constant(detail::index_tensor({-1})));
  std::vector<std::vector<Output>> rows(xs.size());
  for (std::int64_t i = 0; i < elements; ++i) {
    const Output element = add_op<ops::Gather>(name, flat, constant(Tensor::scalar(i)));
    const std::vector<Output> found = gradients(std::vector<Output>{element}, xs, options);
    for (std::size_t k = 0; k < xs.size(); ++k)
      if (found[k]) rows[k].push_back(found[k]);
  }
  std::vector<Output> out(xs.size());
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (rows[k].empty()) continue;
    const Output stacked = add_op<ops::Pack>(name, rows[k]);
    const std::vector<Output> shape{constant(detail::index_tensor(dims)), add_op<ops::Shape>(name, xs[k])};
    out[k] = add_op<ops::Reshape>(name, stacked, add_op<ops::ConcatV2>(name, shape, constant(Tensor::scalar<std::int32_t>(0))));
  }
  return out;
}

DGRAPH_DECL std::vector<Output> hessians(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                         const GradientOptions& options) {
  std::vector<Output> out;
  const std::vector<Output> first = gradients(ys, xs, options);
  GradientOptions second = options;
  second.grad_ys = {};
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (!first[k]) {
      out.emplace_back();
      continue;
    }
    // A gradient that is linear in x does not depend on it.
    second.unconnected_gradients = UnconnectedGradients::Zero;
    out.push_back(jacobian(first[k], {xs[k]}, second)[0]);
  }
  return out;
}

}  // namespace dgraph
