#pragma once
#include <dgraph/runtime/prune.hpp>

#include <algorithm>

namespace dgraph::detail {

// The fed outputs of a step, by node.
class FedOutputs {
 public:
  FedOutputs(const GraphCore& graph, const std::vector<Endpoint>& feeds) {
    for (std::uint32_t i = 0; i < feeds.size(); ++i) fed_.push_back({feeds[i], i});
    std::sort(fed_.begin(), fed_.end(), [](const Fed& a, const Fed& b) {
      return a.at.node != b.at.node ? a.at.node < b.at.node : a.at.index < b.at.index;
    });
    for (std::size_t i = 1; i < fed_.size(); ++i)
      if (fed_[i].at == fed_[i - 1].at) {
        const Node& node = graph.node(fed_[i].at.node);
        Status status = errors::InvalidArgument("output \"", node.name, ":", fed_[i].at.index,
                                                "\" is fed more than once");
        throw Error(status.at(node.place()));
      }
  }
  // Number of the feed that replaces that output; kNoIndex for none.
  std::uint32_t number(Endpoint at) const {
    if (fed_.empty()) return kNoIndex;
    const auto found = std::lower_bound(fed_.begin(), fed_.end(), at, [](const Fed& a, Endpoint b) {
      return a.at.node != b.node ? a.at.node < b.node : a.at.index < b.index;
    });
    return found != fed_.end() && found->at == at ? found->number : kNoIndex;
  }

 private:
  struct Fed {
    Endpoint at;
    std::uint32_t number;
  };
  std::vector<Fed> fed_;
};

DGRAPH_DECL void check_node_exists(NodeId id, std::size_t version, const char* what) {
  if (id >= version)
    fail(Code::NotFound, what, " node ", id, " is not in the graph, which has ", version, " nodes");
}

DGRAPH_DECL void check_signature(const GraphCore& graph, std::size_t version,
                                 const StepSignature& signature) {
  const auto check = [&](Endpoint at, const char* what) {
    check_node_exists(at.node, version, what);
    const Node& node = graph.node(at.node);
    const auto wrong = [&](const std::string& why) {
      Status status = errors::InvalidArgument(what, " ", node.name, ":", at.index, ": ", why);
      throw Error(status.at(node.place()));
    };
    if (at.index >= node.num_outputs)
      wrong(errors::text("the node has ", node.num_outputs, " outputs"));
    if (node.outputs[at.index].dtype == DType::Resource)
      wrong("a handle to state never leaves its task");
  };
  for (Endpoint at : signature.feeds) check(at, "feed");
  for (Endpoint at : signature.fetches) check(at, "fetch");
  for (NodeId id : signature.targets) check_node_exists(id, version, "target");
}

// A fed variable is a value, which cannot be assigned to.
DGRAPH_DECL void check_no_fed_handle(const StepGraph& graph, const StepNode& node) {
  for (std::uint32_t i = 0; i < node.num_inputs; ++i) {
    const Endpoint in = graph.inputs_of(node)[i];
    if (in.node >= graph.num_feeds || !takes_ref(*node.node, i)) continue;
    Status status =
        errors::InvalidArgument("works on the variable ", graph.nodes[in.node].node->name,
                                ", for which this step has only a fed value");
    throw Error(status.at(node.node->place()));
  }
}

DGRAPH_DECL StepGraph prune(const std::shared_ptr<const GraphCore>& graph, std::size_t version,
                            const StepSignature& signature, KernelLookup kernels) {
  check_signature(*graph, version, signature);
  const FedOutputs fed(*graph, signature.feeds);

  StepGraph out;
  out.graph = graph;
  out.version = version;
  out.kernels = kernels;
  out.position.assign(version, kNoIndex);

  // 1: needed, 2: has fed outputs.
  std::vector<std::uint8_t> marks(version, 0);
  for (Endpoint at : signature.feeds) marks[at.node] |= 2;
  const auto is_fed = [&](Endpoint at) { return marks[at.node] & 2 && fed.number(at) != kNoIndex; };
  const auto is_fed_placeholder = [&](NodeId id) {
    return marks[id] & 2 && out.facts_of(*graph->node(id).def).kind == OpClass::Placeholder;
  };
  std::vector<NodeId> todo;
  std::size_t needed = 0, num_inputs = 0, num_controls = 0;
  NodeId end = 0;
  const auto need = [&](NodeId id) {
    if (marks[id] & 1) return;
    marks[id] |= 1;
    todo.push_back(id);
    end = std::max(end, id + 1);
  };
  for (Endpoint at : signature.fetches)
    if (!is_fed(at)) need(at.node);
  for (NodeId id : signature.targets)
    if (!is_fed_placeholder(id)) need(id);
  while (!todo.empty()) {
    const Node& node = graph->node(todo.back());
    todo.pop_back();
    ++needed;
    num_inputs += node.num_inputs;
    num_controls += node.num_controls;
    for (const Endpoint& in : node.input_span()) {
      // The back edge of a loop that is not complete yet.
      if (in.node >= version) {
        Status status = errors::FailedPrecondition("an input is not among the first ", version,
                                                   " nodes of the graph");
        throw Error(status.at(node.place()));
      }
      if (!is_fed(in)) need(in.node);
    }
    for (NodeId id : node.control_span())
      if (!is_fed_placeholder(id)) need(id);
  }

  out.num_feeds = static_cast<std::uint32_t>(signature.feeds.size());
  out.nodes.reserve(needed + out.num_feeds);
  out.inputs.reserve(num_inputs);
  out.controls.reserve(num_controls);
  for (Endpoint at : signature.feeds) {
    StepNode feed;
    feed.kind = PartitionNodeKind::Feed;
    feed.node = &graph->node(at.node);
    feed.def = feed.node->def;
    feed.facts = &out.facts_of(*feed.def);
    feed.outputs = &feed.node->outputs[at.index];
    if (feed.outputs->ref) {
      out.own_outputs.push_back(*feed.outputs);
      out.own_outputs.back().ref = false;
      feed.outputs = &out.own_outputs.back();
    }
    feed.num_outputs = 1;
    out.nodes.push_back(feed);
  }
  std::uint32_t next = out.num_feeds;
  for (NodeId id = 0; id < end; ++id)
    if (marks[id] & 1) out.position[id] = next++;

  const auto endpoint = [&](Endpoint at) -> Endpoint {
    if (marks[at.node] & 2)
      if (const std::uint32_t number = fed.number(at); number != kNoIndex) return {number, 0};
    return {out.position[at.node], at.index};
  };
  const OpDef* last_def = nullptr;
  const OpFacts* facts = nullptr;
  for (NodeId id = 0; id < end; ++id) {
    if (!(marks[id] & 1)) continue;
    const Node& node = graph->node(id);
    if (node.def != last_def) {
      last_def = node.def;
      facts = &out.facts_of(*last_def);
      if (kernels && !facts->kernel) {
        Status status =
            errors::FailedPrecondition("no server here knows how to compute op ", node.def->name);
        throw Error(status.at(node.place()));
      }
    }
    StepNode step;
    step.node = &node;
    step.facts = facts;
    step.def = node.def;
    step.attrs = node.attrs;
    step.outputs = node.outputs;
    step.num_outputs = node.num_outputs;
    step.first_input = static_cast<std::uint32_t>(out.inputs.size());
    step.num_inputs = node.num_inputs;
    for (const Endpoint& in : node.input_span()) out.inputs.push_back(endpoint(in));
    if (facts->takes_refs) check_no_fed_handle(out, step);
    step.first_control = static_cast<std::uint32_t>(out.controls.size());
    for (NodeId control : node.control_span())
      if (const std::uint32_t at = out.position[control]; at != kNoIndex)
        out.controls.push_back(at);
    step.num_controls = static_cast<std::uint32_t>(out.controls.size()) - step.first_control;
    out.has_control_flow |= facts->control_flow;
    for (std::uint32_t i = 0; i < node.num_outputs; ++i)
      out.has_handles |= is_handle(node.outputs[i]);
    out.nodes.push_back(step);
  }
  for (NodeId id : signature.targets)
    if (out.position[id] != kNoIndex) out.nodes[out.position[id]].root = true;
  for (Endpoint at : signature.fetches) out.fetches.push_back(endpoint(at));
  return out;
}

DGRAPH_DECL void remove_unneeded(StepGraph& graph) {
  std::vector<std::uint8_t> needed(graph.nodes.size(), 0);
  std::vector<std::uint32_t> todo;
  const auto need = [&](std::uint32_t at) {
    if (needed[at]) return;
    needed[at] = 1;
    todo.push_back(at);
  };
  for (Endpoint at : graph.fetches) need(at.node);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].root && graph.nodes[i].alive) need(i);
  while (!todo.empty()) {
    const StepNode& node = graph.nodes[todo.back()];
    todo.pop_back();
    for (const Endpoint& in : graph.inputs_of(node)) need(in.node);
    for (std::uint32_t control : graph.controls_of(node)) need(control);
  }
  for (std::uint32_t i = graph.num_feeds; i < graph.nodes.size(); ++i)
    graph.nodes[i].alive &= needed[i] != 0;
}

}  // namespace dgraph::detail
