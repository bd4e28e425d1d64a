#pragma once
#include <dgraph/runtime/fold.hpp>

#include <algorithm>
#include <utility>

namespace dgraph::detail {

DGRAPH_DECL const Tensor& constant_value(const StepNode& node) {
  return (*node.attrs)[static_cast<std::size_t>(node.def->attr_index("value"))].get<Tensor>();
}

DGRAPH_DECL const OpDef* Folder::constant_definition() {
  if (!graph_.kernels) return nullptr;
  const KernelEntry* entry = graph_.kernels("Const");
  return entry ? &entry->signature() : nullptr;
}

DGRAPH_DECL const AttrList* Folder::constant_attrs(Tensor value) {
  const OpDef& def = *constant_definition();
  AttrList attrs(def.attrs.size());
  for (std::size_t i = 0; i < attrs.size(); ++i) attrs[i] = def.attrs[i].default_value;
  attrs[static_cast<std::size_t>(def.attr_index("dtype"))] = value.dtype();
  attrs[static_cast<std::size_t>(def.attr_index("value"))] = std::move(value);
  graph_.own_attrs.push_back(std::move(attrs));
  return &graph_.own_attrs.back();
}

// A tensor of int32 or int64; empty where a value does not fit.
DGRAPH_DECL Tensor index_values(DType dtype, Shape shape, std::span<const std::int64_t> values) {
  Tensor out(dtype, std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == DType::Int64) {
      out.mutable_data<std::int64_t>()[i] = values[i];
    } else {
      if (values[i] > std::numeric_limits<std::int32_t>::max()) return {};
      out.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(values[i]);
    }
  }
  return out;
}

DGRAPH_DECL std::vector<Tensor> Folder::from_shapes(const StepNode& node) const {
  std::vector<Tensor> out;
  for (std::uint32_t i = 0; i < node.num_outputs; ++i) {
    const PartialShape& shape = *graph_.output(graph_.inputs_of(node)[i]).shape;
    const DType dtype = node.outputs[i].dtype;
    if (node.facts->kind == OpClass::Rank ? !shape.has_rank() : !shape.fully_known()) return {};
    Dims values = shape.dims();
    if (node.facts->kind == OpClass::Rank) values = Dims{static_cast<std::int64_t>(shape.rank())};
    if (node.facts->kind == OpClass::Size) values = Dims{shape.to_shape().elements()};
    const bool vector = node.facts->kind == OpClass::Shape;
    Tensor value =
        index_values(dtype, vector ? Shape{static_cast<std::int64_t>(values.size())} : Shape(),
                     {values.data(), values.size()});
    if (!value.has_value()) return {};
    out.push_back(std::move(value));
  }
  return out;
}

DGRAPH_DECL bool Folder::within_bounds(const StepNode& node) {
  std::size_t read = 0, written = 0;
  for (const Endpoint& in : graph_.inputs_of(node))
    read += constant_value(graph_.nodes[in.node]).bytes();
  // Its result is as small as its inputs, which no shape rule knows.
  if (node.facts->kind == OpClass::BroadcastGradientArgs)
    written = read;
  else
    for (std::uint32_t i = 0; i < node.num_outputs; ++i) {
      if (!node.outputs[i].shape->fully_known()) return false;
      std::size_t bytes = std::max<std::size_t>(dtype_size(node.outputs[i].dtype), 1);
      for (std::int64_t d : node.outputs[i].shape->dims())
        if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(d), &bytes)) return false;
      written += bytes;
      if (written > kFoldMostBytes) return false;
    }
  if (read > kFoldMostBytes || work_ + read + written > kFoldMostWork || nodes_ >= kFoldMostNodes)
    return false;
  work_ += read + written;
  ++nodes_;
  return true;
}

DGRAPH_DECL std::vector<Tensor> Folder::from_constants(const StepNode& node) {
  if (!node.facts->kernel || !within_bounds(node)) return {};
  std::vector<Tensor> inputs;
  std::vector<DType> input_dtypes, output_dtypes;
  for (const Endpoint& in : graph_.inputs_of(node)) {
    inputs.push_back(constant_value(graph_.nodes[in.node]));
    input_dtypes.push_back(inputs.back().dtype());
  }
  for (std::uint32_t i = 0; i < node.num_outputs; ++i)
    output_dtypes.push_back(node.outputs[i].dtype);
  const KernelRequest request{*node.def, *node.attrs, node.node->name, input_dtypes, output_dtypes};
  try {
    const Kernel kernel = node.facts->kernel->make(request);
    if (!kernel.run || kernel.async || kernel.make_state) return {};
    std::vector<Tensor> outputs = run_kernel(kernel, request, std::move(inputs), services_);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].dtype() != output_dtypes[i] || output_dtypes[i] == DType::Resource) return {};
      bytes += outputs[i].bytes();
    }
    return bytes <= kFoldMostBytes ? outputs : std::vector<Tensor>();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace dgraph::detail
