#pragma once
#include <dgraph/kernels/eager.hpp>

#include <memory>

#include <dgraph/graph/core.hpp>

namespace dgraph {
namespace detail {

// Ops that stand for the inputs while a graph of one node infers attributes.
DGRAPH_DECL const OpDef& eager_input_def(bool ref) {
  static const OpDef value = parse_op("EagerInput() -> (value: dtype); dtype: type");
  static const OpDef handle = parse_op("EagerVariable() -> (ref: Ref(dtype)); dtype: type");
  return ref ? handle : value;
}

DGRAPH_DECL DType value_dtype_of(const Tensor& input) {
  if (input.dtype() != DType::Resource) return input.dtype();
  if (const auto* variable = dynamic_cast<const VariableResource*>(&resource_of(input))) return variable->dtype();
  return DType::Resource;
}

}  // namespace detail

DGRAPH_DECL std::vector<Tensor> run_kernel(const Kernel& kernel, const KernelRequest& request,
                                           std::vector<Tensor> inputs, KernelServices& services, Counted* state) {
  if (!kernel.run) fail(Code::Unimplemented, "op ", request.def.name, " is done by the executor and has no kernel");
  std::vector<Tensor> outputs(request.output_dtypes.size());
  KernelContext context(inputs, outputs, request.output_dtypes, kernel.config.get(), state, services);
  struct Outcome {
    bool done = false;
    Status status;
  };
  // Shared, for a kernel that waits may call back after this function has given up.
  const auto outcome = std::make_shared<Outcome>();
  if (kernel.async)
    context.set_done([outcome](Status status) {
      outcome->status = std::move(status);
      outcome->done = true;
    });
  kernel.run(context);
  if (kernel.async) {
    if (!outcome->done) fail(Code::Unimplemented, "op ", request.def.name, " would wait, which only a step can");
    outcome->status.throw_if_error();
  }
  return outputs;
}

DGRAPH_DECL std::vector<Tensor> run_op(KernelLookup kernels, std::string_view op, const NamedAttrs& attrs,
                                       std::vector<Tensor> inputs, KernelServices& services,
                                       std::string_view node_name) {
  const KernelEntry* entry = kernels(op);
  if (!entry) fail(Code::NotFound, "there is no op ", op);
  GraphCore graph;
  std::vector<Endpoint> endpoints;
  std::vector<DType> input_dtypes;
  for (const Tensor& input : inputs) {
    // A handle is a reference to a variable's value, or a resource where the op says so.
    const std::vector<ArgDef>& declared = entry->signature().inputs;
    const bool resource = endpoints.size() < declared.size() && declared[endpoints.size()].dtype == DType::Resource;
    input_dtypes.push_back(detail::value_dtype_of(input));
    const DType given = resource ? input.dtype() : input_dtypes.back();
    AttrArg dtype{"dtype", AttrValue(given)};
    const bool ref = input.dtype() == DType::Resource && given != DType::Resource;
    endpoints.push_back({graph.add(detail::eager_input_def(ref), {}, {&dtype, 1}, {"input"}), 0});
  }
  std::vector<AttrArg> args;
  for (const auto& [name, value] : attrs) args.push_back({name, value});
  const NodeId id = graph.add(entry->signature(), endpoints, args, {node_name});
  const Node& node = graph.node(id);
  std::vector<DType> output_dtypes;
  for (const OutputInfo& output : node.output_span()) output_dtypes.push_back(output.dtype);
  const KernelRequest request{*node.def, *node.attrs, node.name, input_dtypes, output_dtypes};
  const Kernel kernel = entry->make(request);
  const Ref<Counted> state = kernel.make_state ? kernel.make_state(request, 0x9e3779b97f4a7c15ull) : Ref<Counted>();
  return run_kernel(kernel, request, std::move(inputs), services, state.get());
}

DGRAPH_DECL std::vector<Tensor> run_op(KernelLookup kernels, std::string_view op, const NamedAttrs& attrs,
                                       std::vector<Tensor> inputs) {
  EagerServices services;
  return run_op(kernels, op, attrs, std::move(inputs), services);
}

}  // namespace dgraph
