#pragma once
// Two slow evaluators, for comparison: of a StepPlan, partition by partition, and of a graph
// itself. No loops.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/kernels/eager.hpp>
#include <dgraph/runtime/step_graph.hpp>

#include "runtime/plan_support.hpp"

namespace dgraph::test {

/// A value, a handle (dtype Resource), or dead: without a value.
using Value = std::optional<Tensor>;

/// The state of one task, or of a whole graph that is evaluated in one place.
struct Site {
  EagerServices services;
};

namespace detail_interpreter {

inline Tensor read(const Tensor& handle) { return resource_as<VariableResource>(handle).read(); }

// The outputs of one op whose inputs are alive.
inline std::vector<Tensor> run(const OpDef& def, const AttrList& attrs, const std::string& name,
                               std::vector<Tensor> inputs, std::vector<DType> input_dtypes,
                               std::vector<DType> output_dtypes, Site& task) {
  if (def.name == "Const")
    return {attrs[static_cast<std::size_t>(def.attr_index("value"))].get<Tensor>()};
  if (def.name == "NoOp") return {};
  if (def.name == "Identity") return {inputs[0]};
  const KernelEntry* entry = find_kernel<PlanOps>(def.name);
  if (!entry) fail(Code::NotFound, "no kernel for ", def.name);
  const KernelRequest request{def, attrs, name, input_dtypes, output_dtypes};
  const Kernel kernel = entry->make(request);
  const Ref<Counted> state = kernel.make_state ? kernel.make_state(request, 1) : Ref<Counted>();
  return run_kernel(kernel, request, std::move(inputs), task.services, state.get());
}

// Switch and Merge with dead inputs; nothing for other ops.
inline std::optional<std::vector<Value>> control_flow(const OpDef& def,
                                                      const std::vector<Value>& inputs) {
  if (def.name == "Switch") {
    if (!inputs[0] || !inputs[1]) return std::vector<Value>(2);
    const bool taken = inputs[1]->item<bool>();
    return std::vector<Value>{taken ? Value() : inputs[0], taken ? inputs[0] : Value()};
  }
  if (def.name == "Merge") {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i])
        return std::vector<Value>{inputs[i], Tensor::scalar(static_cast<std::int32_t>(i))};
    return std::vector<Value>(2);
  }
  return std::nullopt;
}

}  // namespace detail_interpreter

/// Runs a plan; one Site for each of the cluster, kept between steps. Fetches that are feeds come
/// from `feeds`.
inline std::vector<Value> run_plan(const StepPlan& plan, const std::vector<Tensor>& feeds,
                                   std::vector<Site>& tasks) {
  namespace di = detail_interpreter;
  struct Done {
    bool done = false;
    bool dead = false;
    std::vector<Value> outputs;
  };
  std::vector<std::vector<Done>> state;
  std::vector<std::map<std::uint32_t, Tensor>> fed(plan.partitions.size());
  std::vector<std::map<std::uint32_t, Value>> fetched(plan.partitions.size());
  for (const PartitionDef& part : plan.partitions) state.emplace_back(part.nodes.size());
  for (std::size_t i = 0; i < plan.feeds.size(); ++i)
    for (PlanPort port : plan.feeds[i]) fed[port.partition][port.number] = feeds[i];
  std::map<std::uint32_t, Done> arrived;

  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
      const PartitionDef& part = plan.partitions[p];
      for (std::size_t i = 0; i < part.nodes.size(); ++i) {
        const PartitionNode& node = part.nodes[i];
        Done& done = state[p][i];
        if (done.done) continue;
        bool ready = node.kind != PartitionNodeKind::Recv || arrived.count(node.number);
        bool dead = false;
        std::vector<Value> inputs;
        for (const Endpoint& in : node.inputs) {
          const Done& source = state[p][in.node];
          ready = ready && source.done;
          if (!source.done) break;
          inputs.push_back(source.outputs[in.index]);
          dead = dead || !inputs.back();
        }
        bool control_dead = false;
        for (std::uint32_t control : node.controls) {
          ready = ready && state[p][control].done;
          control_dead = control_dead || state[p][control].dead;
        }
        if (!ready) continue;
        moved = done.done = true;
        done.dead = dead || control_dead;
        done.outputs.resize(node.outputs.size());
        switch (node.kind) {
          case PartitionNodeKind::Feed:
            done.outputs[0] = fed[p].at(node.number);
            break;
          case PartitionNodeKind::Fetch:
            fetched[p][node.number] = inputs[0];
            break;
          case PartitionNodeKind::Recv:
            done = arrived.at(node.number);
            break;
          case PartitionNodeKind::Send: {
            Done& there = arrived[node.number];
            there.done = true;
            there.dead = done.dead;
            there.outputs = done.dead ? std::vector<Value>(inputs.size()) : inputs;
            break;
          }
          case PartitionNodeKind::Read:
            if (!done.dead) done.outputs[0] = di::read(*inputs[0]);
            break;
          case PartitionNodeKind::Op: {
            if (auto outputs = control_dead ? std::nullopt : di::control_flow(*node.def, inputs)) {
              done.dead = node.def->name == "Merge" ? !(*outputs)[0] : dead;
              done.outputs = std::move(*outputs);
              break;
            }
            if (done.dead) break;
            std::vector<Tensor> values;
            std::vector<DType> input_dtypes, output_dtypes;
            for (std::size_t k = 0; k < inputs.size(); ++k) {
              values.push_back(*inputs[k]);
              input_dtypes.push_back(
                  part.nodes[node.inputs[k].node].outputs[node.inputs[k].index].dtype);
            }
            for (const PartitionOutput& output : node.outputs)
              output_dtypes.push_back(output.dtype);
            std::size_t k = 0;
            for (Tensor& value : di::run(*node.def, *node.attrs, node.name, values, input_dtypes,
                                         output_dtypes, tasks[part.task]))
              done.outputs[k++] = std::move(value);
            break;
          }
        }
      }
    }
  }
  for (std::size_t p = 0; p < plan.partitions.size(); ++p)
    for (std::size_t i = 0; i < plan.partitions[p].nodes.size(); ++i)
      if (!state[p][i].done) FAIL("node " << plan.partitions[p].nodes[i].name << " never ran");
  std::vector<Value> out;
  for (const StepPlan::Fetch& fetch : plan.fetches)
    out.push_back(fetch.is_feed ? Value(feeds[fetch.feed])
                                : fetched[fetch.port.partition].at(fetch.port.number));
  return out;
}

/// Evaluates what a signature needs, in the order in which the graph was built. Handles are read
/// where a value is taken.
inline std::vector<Value> run_graph(const GraphCore& graph, const StepSignature& signature,
                                    const std::vector<Tensor>& feeds, Site& task) {
  namespace di = detail_interpreter;
  std::map<std::pair<NodeId, std::uint32_t>, Tensor> fed;
  for (std::size_t i = 0; i < feeds.size(); ++i)
    fed[{signature.feeds[i].node, signature.feeds[i].index}] = feeds[i];
  const auto is_fed = [&](Endpoint at) { return fed.count({at.node, at.index}) > 0; };
  std::vector<bool> needed(graph.size(), false);
  for (NodeId id : signature.targets) needed[id] = true;
  for (Endpoint at : signature.fetches)
    if (!is_fed(at)) needed[at.node] = true;
  for (auto id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (!needed[id]) continue;
    for (Endpoint in : graph.node(id).input_span())
      if (!is_fed(in)) needed[in.node] = true;
    for (NodeId control : graph.node(id).control_span()) needed[control] = true;
  }
  std::vector<std::vector<Value>> values(graph.size());
  std::vector<bool> dead(graph.size(), false);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (!needed[id] || (node.is("Placeholder") && is_fed({id, 0}))) continue;
    values[id].resize(node.num_outputs);
    std::vector<Value> inputs;
    std::vector<DType> input_dtypes, output_dtypes;
    bool data_dead = false, control_dead = false;
    for (std::uint32_t k = 0; k < node.num_inputs; ++k) {
      const Endpoint in = node.inputs[k];
      Value value = is_fed(in) ? Value(fed.at({in.node, in.index})) : values[in.node][in.index];
      const bool handle = graph.info(in).ref && !is_fed(in);
      if (value && handle && !(detail::takes_ref(node, k))) value = di::read(*value);
      data_dead = data_dead || !value;
      inputs.push_back(std::move(value));
      input_dtypes.push_back(graph.info(in).dtype);
    }
    for (NodeId control : node.control_span()) control_dead = control_dead || dead[control];
    for (const OutputInfo& output : node.output_span()) output_dtypes.push_back(output.dtype);
    dead[id] = data_dead || control_dead;
    if (auto outputs = control_dead ? std::nullopt : di::control_flow(*node.def, inputs)) {
      dead[id] = node.is("Merge") ? !(*outputs)[0] : data_dead;
      values[id] = std::move(*outputs);
      continue;
    }
    if (dead[id]) continue;
    std::vector<Tensor> alive;
    for (Value& value : inputs) alive.push_back(std::move(*value));
    std::size_t k = 0;
    for (Tensor& value : di::run(*node.def, *node.attrs, std::string(node.name), alive,
                                 input_dtypes, output_dtypes, task))
      values[id][k++] = std::move(value);
  }
  std::vector<Value> out;
  for (Endpoint at : signature.fetches) {
    Value value = is_fed(at) ? Value(fed.at({at.node, at.index})) : values[at.node][at.index];
    if (value && graph.info(at).ref && !is_fed(at)) value = di::read(*value);
    out.push_back(std::move(value));
  }
  return out;
}

inline bool same(const Value& a, const Value& b) {
  if (!a || !b) return !a && !b;
  return a->dtype() == b->dtype() && a->shape() == b->shape() &&
         std::equal(a->raw(), a->raw() + a->bytes(), b->raw());
}

}  // namespace dgraph::test
