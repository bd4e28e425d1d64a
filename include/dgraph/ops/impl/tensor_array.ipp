#pragma once
#include <dgraph/ops/tensor_array.hpp>

#include <dgraph/graph/constant_value.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL PartialShape with_front(std::int64_t front, const PartialShape& rest) {
  if (!rest.has_rank()) return {};
  Dims dims{front};
  for (const std::int64_t d : rest.dims()) dims.push_back(d);
  return PartialShape(std::move(dims));
}

DGRAPH_DECL PartialShape without_front(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return {};
  const Dims dims = shape.dims();
  return PartialShape(Dims(std::span<const std::int64_t>(dims.begin() + 1, dims.size() - 1)));
}

// What both know; throws InvalidArgument where they contradict each other.
DGRAPH_DECL PartialShape merged_shape(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank()) return b;
  if (!b.has_rank()) return a;
  if (!a.compatible_with(b))
    fail(Code::InvalidArgument, "Inconsistent shapes: saw ", b, " but expected ", a, " (and infer_shape=True)");
  Dims dims = a.dims();
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] < 0) dims[i] = b[i];
  return PartialShape(std::move(dims));
}

DGRAPH_DECL void array_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::scalar());
  c.set_output(1, PartialShape::scalar());
}

DGRAPH_DECL Output add_at_array(const OpDef& def, const OpName& name, const std::vector<Output>& inputs,
                                std::initializer_list<AttrArg> attrs = {},
                                std::initializer_list<PartialShape> shapes = {}) {
  NodeBuilder builder(def, name);
  builder.inputs(inputs);
  for (const AttrArg& attr : attrs) builder.attr(attr.name, attr.value);
  for (const PartialShape& shape : shapes) builder.shape(shape);
  return builder.add();
}

DGRAPH_DECL Output output_one(const Output& node) { return Output(node.core(), node.node_id(), 1); }

DGRAPH_DECL ArrayState::ArrayState(DType dtype, const Output& size, const TensorArrayOptions& options,
                                   const OpName& name) {
  handle_ = add_at_array(definition<ops::TensorArrayV3>(), name, {size},
                         {{"dtype", dtype},
                          {"element_shape", options.element_shape},
                          {"dynamic_size", options.dynamic_size},
                          {"clear_after_read", options.clear_after_read},
                          {"identical_element_shapes", options.infer_shape}});
  flow_ = output_one(handle_);
  known_ = std::make_shared<Known>();
  known_->dtype = dtype;
  known_->infer = options.infer_shape;
  known_->element_shape = options.element_shape;
  const auto count = constant_integers(*size.core(), size.endpoint());
  if (!options.dynamic_size && count && count->size() == 1 && (*count)[0] != kUnknownValue) known_->size = (*count)[0];
}

DGRAPH_DECL ArrayState::ArrayState(DType dtype, const Output& handle, const Output& flow,
                                   const PartialShape& element_shape)
    : handle_(handle), flow_(flow), known_(std::make_shared<Known>()) {
  known_->dtype = dtype;
  known_->element_shape = element_shape;
}

DGRAPH_DECL const ArrayState::Known& ArrayState::known() const {
  if (!known_) fail(Code::FailedPrecondition, "a TensorArray is used that was never made: it is default-constructed");
  return *known_;
}

DGRAPH_DECL const PartialShape& ArrayState::element_shape() const { return known().element_shape; }

DGRAPH_DECL ArrayState ArrayState::with_flow(const Output& flow) const {
  ArrayState out = *this;
  out.flow_ = flow;
  return out;
}

DGRAPH_DECL void ArrayState::merge_element_shape(const PartialShape& shape) const {
  if (known().infer) known_->element_shape = merged_shape(known().element_shape, shape);
}

DGRAPH_DECL Output ArrayState::read(const Output& index, const OpName& name) const {
  return add_at_array(definition<ops::TensorArrayReadV3>(), name, {handle_, index, flow_}, {{"dtype", known().dtype}},
                      {known().element_shape});
}

DGRAPH_DECL ArrayState ArrayState::write(const Output& index, const Output& value, const OpName& name) const {
  merge_element_shape(value.shape());
  return with_flow(add_at_array(definition<ops::TensorArrayWriteV3>(), name, {handle_, index, value, flow_}));
}

DGRAPH_DECL Output ArrayState::gather(const Output& indices, const OpName& name) const {
  const PartialShape& from = indices.shape();
  const std::int64_t count = from.has_rank() && from.rank() == 1 ? from[0] : PartialShape::kUnknown;
  return add_at_array(definition<ops::TensorArrayGatherV3>(), name, {handle_, indices, flow_},
                      {{"dtype", known().dtype}, {"element_shape", known().element_shape}},
                      {with_front(count, known().element_shape)});
}

DGRAPH_DECL Output ArrayState::stack(const OpName& name) const {
  const OpName at(name.location);
  const Output zero = add_constant(Tensor::scalar<std::int32_t>(0), at, handle_.core());
  const Output one = add_constant(Tensor::scalar<std::int32_t>(1), at, handle_.core());
  Output count;
  if (known().size >= 0)
    count = add_constant(Tensor::scalar(static_cast<std::int32_t>(known().size)), at, handle_.core());
  else
    count = size(at);
  return gather(add_op<ops::Range>(at, zero, count, one), name);
}

DGRAPH_DECL ArrayState ArrayState::scatter(const Output& indices, const Output& value, const OpName& name) const {
  merge_element_shape(without_front(value.shape()));
  return with_flow(add_at_array(definition<ops::TensorArrayScatterV3>(), name, {handle_, indices, value, flow_}));
}

DGRAPH_DECL Output rows_of(const Output& value, const OpName& at) {
  GraphCore* const core = value.core();
  if (value.shape().has_rank() && value.shape().rank() > 0 && value.shape()[0] >= 0)
    return add_constant(Tensor::scalar(static_cast<std::int32_t>(value.shape()[0])), at, core);
  const Output dims = add_op<ops::Shape>(at, value);
  const auto index = [&](std::int32_t i) { return add_constant(Tensor::vector<std::int32_t>({i}), at, core); };
  return add_op<ops::StridedSlice>(at, dims, index(0), index(1), index(1), "shrink_axis_mask", 1);
}

DGRAPH_DECL ArrayState ArrayState::unstack(const Output& value, const OpName& name) const {
  const OpName at(name.location);
  const Output zero = add_constant(Tensor::scalar<std::int32_t>(0), at, value.core());
  const Output one = add_constant(Tensor::scalar<std::int32_t>(1), at, value.core());
  return scatter(add_op<ops::Range>(at, zero, rows_of(value, at), one), value, name);
}

DGRAPH_DECL Output ArrayState::concat(const OpName& name) const {
  const PartialShape rest = without_front(known().element_shape);
  return add_at_array(definition<ops::TensorArrayConcatV3>(), name, {handle_, flow_},
                      {{"dtype", known().dtype}, {"element_shape_except0", rest}},
                      {with_front(PartialShape::kUnknown, rest), PartialShape{PartialShape::kUnknown}});
}

DGRAPH_DECL ArrayState ArrayState::split(const Output& value, const Output& lengths, const OpName& name) const {
  merge_element_shape(with_front(PartialShape::kUnknown, without_front(value.shape())));
  return with_flow(add_at_array(definition<ops::TensorArraySplitV3>(), name, {handle_, value, lengths, flow_}));
}

DGRAPH_DECL Output ArrayState::size(const OpName& name) const {
  known();
  return add_at_array(definition<ops::TensorArraySizeV3>(), name, {handle_, flow_});
}

DGRAPH_DECL Output ArrayState::close(const OpName& name) const {
  known();
  NodeBuilder builder(definition<ops::TensorArrayCloseV3>(), name);
  builder.input(handle_);
  builder.control(flow_);
  return builder.add();
}

DGRAPH_DECL ArrayState ArrayState::gradient(const std::string& source, const OpName& name) const {
  const Output made =
      add_at_array(definition<ops::TensorArrayGradV3>(), name, {handle_, flow_}, {{"source", source}});
  return ArrayState(known().dtype, made, output_one(made), known().element_shape);
}

DGRAPH_DECL Output lengths_of(const Output& lengths, SourceLocation at) {
  return lengths.dtype() == DType::Int64 ? lengths : add_op<ops::Cast>(OpName(at), lengths, "DstT", DType::Int64);
}

// The array of gradients of the node's array, once all that `flow` follows has been written there.
DGRAPH_DECL ArrayState gradient_array(const GradientContext& g, const Output& flow, DType dtype,
                                      const PartialShape& element_shape) {
  return ArrayState(dtype, g.x(0), flow, element_shape).gradient(g.source(), OpName(g.node().location));
}

// Written elements are there before a gradient asks for their shapes.
DGRAPH_DECL Output after_writing(const GradientContext& g) {
  const auto after = control_dependencies({g.y()});
  return g.add<ops::Identity>(g.dy());
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void TensorArrayV3::shape(ShapeContext& c) {
  c.with_rank(0, 0);
  detail::array_shape(c);
}
DGRAPH_DECL void TensorArrayGradV3::shape(ShapeContext& c) { detail::array_shape(c); }
DGRAPH_DECL void TensorArrayGradWithShape::shape(ShapeContext& c) { detail::array_shape(c); }

DGRAPH_DECL void TensorArrayWriteV3::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, PartialShape::scalar());
}

DGRAPH_DECL void TensorArrayWriteV3::gradient(GradientContext& g) {
  const Output flow = detail::after_writing(g), value = g.x(2);
  if (is_differentiable(value.dtype()))
    g.set(2, detail::gradient_array(g, flow, value.dtype(), value.shape()).read(g.x(1), OpName(g.node().location)));
  g.set(3, flow);
}

DGRAPH_DECL void TensorArrayReadV3::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.set_output(0, PartialShape());
}

DGRAPH_DECL void TensorArrayReadV3::gradient(GradientContext& g) {
  const auto array = detail::gradient_array(g, g.x(2), g.y().dtype(), g.y().shape());
  g.set(2, array.write(g.x(1), g.dy(), OpName(g.node().location)).flow());
}

DGRAPH_DECL void TensorArrayGatherV3::shape(ShapeContext& c) {
  const PartialShape indices = c.with_rank(1, 1);
  c.set_output(0, detail::with_front(indices[0], c.attr<PartialShape>("element_shape")));
}

DGRAPH_DECL void TensorArrayGatherV3::gradient(GradientContext& g) {
  const auto array = detail::gradient_array(g, g.x(2), g.y().dtype(), detail::without_front(g.y().shape()));
  g.set(2, array.scatter(g.x(1), g.dy(), OpName(g.node().location)).flow());
}

DGRAPH_DECL void TensorArrayScatterV3::shape(ShapeContext& c) {
  c.with_rank(1, 1);
  c.with_rank_at_least(2, 1);
  c.set_output(0, PartialShape::scalar());
}

DGRAPH_DECL void TensorArrayScatterV3::gradient(GradientContext& g) {
  const Output flow = detail::after_writing(g), value = g.x(2);
  if (is_differentiable(value.dtype())) {
    const auto array = detail::gradient_array(g, flow, value.dtype(), detail::without_front(value.shape()));
    g.set(2, array.gather(g.x(1), OpName(g.node().location)));
  }
  g.set(3, flow);
}

DGRAPH_DECL void TensorArrayConcatV3::shape(ShapeContext& c) {
  c.set_output(0, detail::with_front(PartialShape::kUnknown, c.attr<PartialShape>("element_shape_except0")));
  c.set_output(1, PartialShape{PartialShape::kUnknown});
}

DGRAPH_DECL void TensorArrayConcatV3::gradient(GradientContext& g) {
  const auto array = detail::gradient_array(g, g.x(1), g.y().dtype(), PartialShape());
  g.set(1, array.split(g.dy(), g.y(1), OpName(g.node().location)).flow());
}

DGRAPH_DECL void TensorArraySplitV3::shape(ShapeContext& c) {
  c.with_rank_at_least(1, 1);
  c.with_rank(2, 1);
  c.set_output(0, PartialShape::scalar());
}

DGRAPH_DECL void TensorArraySplitV3::gradient(GradientContext& g) {
  const Output flow = detail::after_writing(g), value = g.x(1);
  if (is_differentiable(value.dtype())) {
    const PartialShape rest = detail::without_front(value.shape());
    const auto array =
        detail::gradient_array(g, flow, value.dtype(), detail::with_front(PartialShape::kUnknown, rest));
    g.set(1, array.concat(OpName(g.node().location)));
  }
  g.set(3, flow);
}

DGRAPH_DECL void TensorArraySizeV3::shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }

}  // namespace ops
}  // namespace dgraph
