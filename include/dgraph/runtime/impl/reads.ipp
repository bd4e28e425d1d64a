#pragma once
#include <dgraph/runtime/reads.hpp>

#include <algorithm>

namespace dgraph::detail {

// Copies a StepGraph node by node, with reads in between.
class ReadInserter {
 public:
  explicit ReadInserter(StepGraph& graph) : graph_(graph) {}

  void run() {
    moved_.resize(graph_.nodes.size());
    nodes_.reserve(graph_.nodes.size() + 16);
    inputs_.reserve(graph_.inputs.size() + 16);
    controls_.reserve(graph_.controls.size());
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) copy(i);
    for (const BackEdge& edge : back_edges_) inputs_[edge.input].node = moved_[edge.from];
    for (Endpoint& at : graph_.fetches) {
      const bool ref = graph_.output(at).ref;
      at.node = moved_[at.node];
      if (ref) at = read(at, 0, 0);
    }
    for (std::uint32_t& at : graph_.position)
      if (at != kNoIndex) at = moved_[at];
    graph_.nodes = std::move(nodes_);
    graph_.inputs = std::move(inputs_);
    graph_.controls = std::move(controls_);
  }

 private:
  struct BackEdge {
    std::size_t input;
    std::uint32_t from;
  };

  void copy(std::uint32_t i) {
    StepNode node = graph_.nodes[i];
    const auto old_inputs = graph_.inputs_of(graph_.nodes[i]);
    const auto old_controls = graph_.controls_of(graph_.nodes[i]);
    node.first_control = static_cast<std::uint32_t>(controls_.size());
    for (std::uint32_t control : old_controls) controls_.push_back(moved_[control]);
    fresh_.clear();
    bool inherited = false;
    for (std::uint32_t k = 0; k < old_inputs.size(); ++k) {
      Endpoint at = old_inputs[k];
      if (at.node > i) {
        back_edges_.push_back({inputs_.size() + k, at.node});
      } else {
        const bool reads =
            graph_.output(at).ref && !(node.facts->takes_refs && takes_ref(*node.node, k));
        at.node = moved_[at.node];
        if (reads && node.facts->kind == OpClass::Identity) {
          node.kind = PartitionNodeKind::Read;
        } else if (reads) {
          at = read(at, node.first_control, node.num_controls);
          inherited = true;
        }
      }
      fresh_.push_back(at);
    }
    // What a read waits for its consumer waits for; but a Merge runs as soon as one input is there.
    if (inherited && node.facts->kind != OpClass::Merge) node.num_controls = 0;
    node.first_input = static_cast<std::uint32_t>(inputs_.size());
    inputs_.insert(inputs_.end(), fresh_.begin(), fresh_.end());
    moved_[i] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
  }

  // The read of a handle after those controls.
  Endpoint read(Endpoint handle, std::uint32_t first_control, std::uint32_t num_controls) {
    const auto wanted = controls_.begin() + first_control;
    std::uint64_t key = mix_hash(mix_hash(handle.node, handle.index), num_controls);
    for (std::uint32_t k = 0; k < num_controls; ++k) key = mix_hash(key, wanted[k]);
    const auto [begin, end] = reads_.equal_range(key);
    for (auto it = begin; it != end; ++it) {
      const StepNode& have = nodes_[it->second];
      const auto controls = controls_.begin() + have.first_control;
      if (inputs_[have.first_input] == handle && have.num_controls == num_controls &&
          std::equal(wanted, wanted + num_controls, controls))
        return {it->second, 0};
    }
    const StepNode& variable = nodes_[handle.node];
    StepNode node;
    node.kind = PartitionNodeKind::Read;
    node.node = variable.node;
    node.def = variable.def;
    node.facts = variable.facts;
    OutputInfo value = variable.outputs[handle.index];
    value.ref = false;
    graph_.own_outputs.push_back(value);
    node.outputs = &graph_.own_outputs.back();
    node.num_outputs = 1;
    node.first_input = static_cast<std::uint32_t>(inputs_.size());
    node.num_inputs = 1;
    inputs_.push_back(handle);
    node.first_control = first_control;
    node.num_controls = num_controls;
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    reads_.emplace(key, at);
    return {at, 0};
  }

  StepGraph& graph_;
  std::vector<StepNode> nodes_;
  std::vector<Endpoint> inputs_, fresh_;
  std::vector<std::uint32_t> controls_, moved_;
  std::vector<BackEdge> back_edges_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> reads_;
};

DGRAPH_DECL void insert_reads(StepGraph& graph) {
  if (graph.has_handles) ReadInserter(graph).run();
}

}  // namespace dgraph::detail
