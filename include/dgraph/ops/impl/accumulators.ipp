#pragma once
#include <dgraph/ops/accumulators.hpp>

#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>

namespace dgraph::detail {

DGRAPH_DECL AccumulatorNode::AccumulatorNode(const OpDef& def, DType dtype,
                                             const PartialShape& shape,
                                             std::string_view shared_name, Reduction reduction,
                                             const OpName& name)
    : dtype_(dtype), shape_(shape) {
  NodeBuilder builder(def, name);
  builder.attr("dtype", dtype);
  builder.attr("shape", shape);
  builder.attr("shared_name", shared_name);
  builder.attr("reduction_type", reduction == Reduction::Mean ? "MEAN" : "SUM");
  handle_ = builder.add();
}

DGRAPH_DECL void AccumulatorNode::check(const Output& value, const PartialShape& shape,
                                        const OpName& name) const {
  if (shape_.compatible_with(shape)) return;
  Status status = errors::InvalidArgument("the accumulator ", handle_.name(), " has shape ", shape_,
                                          ", but the gradient ", value.name(), " has ", shape);
  throw Error(status.at({std::string(name.name), "", "", "", name.location.to_string()}));
}

DGRAPH_DECL Output AccumulatorNode::apply(const AnyValueArg& gradient,
                                          const AnyValueArg& local_step, const OpName& name) const {
  const Output value = gradient.node(name.location, handle_.core());
  check(value, value.shape(), name);
  return add_op<ops::ResourceAccumulatorApplyGradient>(
      name, handle_, local_step.node(name.location, handle_.core()), value);
}

DGRAPH_DECL Output AccumulatorNode::apply_rows(const Output& indices, const Output& values,
                                               const Output& shape, const AnyValueArg& local_step,
                                               const OpName& name) const {
  const auto as_int64 = [&](const Output& value) {
    return value.dtype() == DType::Int64
               ? value
               : add_op<ops::Cast>(OpName(name.location), value, "DstT", DType::Int64);
  };
  if (values.shape().has_rank() && values.shape().rank() > 0) {
    Dims dims = values.shape().dims();
    dims[0] = PartialShape::kUnknown;
    check(values, PartialShape(std::move(dims)), name);
  }
  const Output whole =
      shape ? as_int64(shape)
            : add_constant(Tensor(DType::Int64, Shape{0}), OpName(name.location), handle_.core());
  return add_op<ops::SparseAccumulatorApplyGradient>(
      name, handle_, local_step.node(name.location, handle_.core()), as_int64(indices), values,
      whole, "has_known_shape", static_cast<bool>(shape));
}

DGRAPH_DECL Output AccumulatorNode::take(const AnyValueArg& num_required,
                                         const OpName& name) const {
  const Output required = num_required.node(name.location, handle_.core());
  if (handle_.dtype() == DType::Resource)
    return add_op<ops::ResourceAccumulatorTakeGradient>(name, handle_, required, "dtype", dtype_);
  return add_op<ops::SparseAccumulatorTakeGradient>(name, handle_, required, "dtype", dtype_);
}

DGRAPH_DECL Output AccumulatorNode::num_accumulated(const OpName& name) const {
  if (handle_.dtype() == DType::Resource)
    return add_op<ops::ResourceAccumulatorNumAccumulated>(name, handle_);
  return add_op<ops::AccumulatorNumAccumulated>(name, handle_);
}

DGRAPH_DECL Output AccumulatorNode::set_global_step(const AnyValueArg& step,
                                                    const OpName& name) const {
  const Output value = step.node(name.location, handle_.core());
  if (handle_.dtype() == DType::Resource)
    return add_op<ops::ResourceAccumulatorSetGlobalStep>(name, handle_, value);
  return add_op<ops::AccumulatorSetGlobalStep>(name, handle_, value);
}

}  // namespace dgraph::detail
