#pragma once
#include <dgraph/runtime/dead_branches.hpp>

#include <algorithm>

namespace dgraph::detail {

// One walk finds what is dead, whatever the step computes; a second one takes it out.
class DeadBranches {
 public:
  explicit DeadBranches(StepGraph& graph)
      : graph_(graph), count_(static_cast<std::uint32_t>(graph.nodes.size())) {}

  void run() {
    fates_.resize(count_);
    index_used_.resize(count_);
    for (const StepNode& node : graph_.nodes)
      if (node.alive)
        for (const Endpoint& in : graph_.inputs_of(node)) note_use(in);
    for (const Endpoint& at : graph_.fetches) note_use(at);
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i)
      if (graph_.nodes[i].alive && !look(i)) return;
    if (!any_) return;
    for (const Endpoint& at : graph_.fetches)
      if (is_dead(at)) return;
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i)
      if (graph_.nodes[i].alive) rewrite(i);
    for (Endpoint& at : graph_.fetches) at = now(at);
  }

 private:
  struct Fate {
    bool dead = false;
    bool open = false;       // only the run tells whether it is dead
    bool effects = false;    // before it, or its own: what waits for it must go on doing so
    std::uint8_t taken = 0;  // of a Switch with a constant predicate: 1 + the output that is alive
    std::uint32_t input = kNoIndex;  // of a Merge: the one input that can be alive
  };

  void note_use(Endpoint at) {
    if (at.index == 1) index_used_[at.node] = true;
  }

  bool is_dead(Endpoint at) const {
    const Fate& fate = fates_[at.node];
    return fate.dead || (fate.taken != 0 && at.index != fate.taken - 1u);
  }

  // The value of a constant bool, seen through Identities, that waits for nothing that could be dead or has effects.
  const Tensor* constant_predicate(Endpoint at) const {
    while (at.node >= graph_.num_feeds && graph_.nodes[at.node].kind == PartitionNodeKind::Op) {
      const StepNode& node = graph_.nodes[at.node];
      if (fates_[at.node].open || fates_[at.node].effects) return nullptr;
      if (node.facts->kind == OpClass::Const) {
        const int index = node.def->attr_index("value");
        const Tensor& value = (*node.attrs)[static_cast<std::size_t>(index)].get<Tensor>();
        return value.dtype() == DType::Bool && value.elements() == 1 ? &value : nullptr;
      }
      if (node.facts->kind != OpClass::Identity) return nullptr;
      at = graph_.inputs_of(node)[0];
    }
    return nullptr;
  }

  // False where the graph is to be left alone.
  bool look(std::uint32_t i) {
    const StepNode& node = graph_.nodes[i];
    Fate& fate = fates_[i];
    const auto inputs = graph_.inputs_of(node);
    for (const std::uint32_t control : graph_.controls_of(node)) inherit(fate, control);
    for (const Endpoint& in : inputs) inherit_open(fate, in.node, i);
    const bool holds_state =
        node.num_outputs > 0 && node.num_inputs == 0 && is_handle(node.outputs[0]);
    fate.effects |= node.facts->stateful && !holds_state;
    if (node.def->name == "ControlTrigger") fate.dead = false;
    if (node.facts->kind == OpClass::Merge) return look_at_merge(i);
    for (const Endpoint& in : inputs) fate.dead |= in.node < i && is_dead(in);
    const bool plain_switch = node.facts->kind == OpClass::Switch && node.num_controls == 0 &&
                              !is_handle(node.outputs[0]);
    const Tensor* const value =
        plain_switch && !fate.dead ? constant_predicate(inputs[1]) : nullptr;
    if (value) {
      fate.taken = *value->data<bool>() ? 2 : 1;
      any_ = true;
    } else {
      fate.open |= node.facts->control_flow;
    }
    return true;
  }

  void inherit(Fate& fate, std::uint32_t from) const {
    fate.dead |= fates_[from].dead;
    fate.open |= fates_[from].open;
    fate.effects |= fates_[from].effects;
  }
  // By a data input, whose death depends on which output it is.
  void inherit_open(Fate& fate, std::uint32_t from, std::uint32_t to) const {
    fate.open |= from > to || fates_[from].open;
    fate.effects |= from > to || fates_[from].effects;
  }

  bool look_at_merge(std::uint32_t i) {
    const StepNode& node = graph_.nodes[i];
    Fate& fate = fates_[i];
    fate.open = true;
    std::size_t alive = 0, later = 0;
    std::uint32_t last = kNoIndex;
    for (std::uint32_t k = 0; k < node.num_inputs; ++k) {
      const Endpoint in = graph_.inputs_of(node)[k];
      if (in.node > i) {
        ++later;
      } else if (!is_dead(in)) {
        ++alive;
        last = k;
      }
    }
    const std::size_t dead = node.num_inputs - alive - later;
    if (fate.dead || dead == 0) return true;
    if (alive == 0) {
      fate.dead = true;
      return true;
    }
    // What is dead at run time only would be missed.
    if (alive > 1 || later != 0 || node.num_controls != 0 || index_used_[i]) return false;
    fate.input = last;
    fate.open = fates_[graph_.inputs_of(node)[last].node].open;
    return true;
  }

  // What stands for an output once dead branches are gone; all before its consumer is rewritten already.
  Endpoint now(Endpoint at) const {
    const Fate& fate = fates_[at.node];
    const StepNode& node = graph_.nodes[at.node];
    if (fate.taken != 0) return graph_.inputs_of(node)[0];
    if (fate.input != kNoIndex) return graph_.inputs_of(node)[fate.input];
    return at;
  }

  void rewrite(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    const Fate& fate = fates_[i];
    if (fate.dead) {
      node.alive = node.root = false;
      return;
    }
    if (fate.input != kNoIndex) {
      // Control inputs may come from it: it goes on with the one value.
      Endpoint& only = graph_.inputs[node.first_input + fate.input];
      only = now(only);
      for (std::uint32_t k = 0; k < node.num_inputs; ++k)
        if (k != fate.input) graph_.inputs[node.first_input + k] = only;
      graph_.also.emplace_back(only.node, node.node->id);
      return;
    }
    for (Endpoint& in : graph_.inputs_of(node))
      if (in.node < i) in = now(in);
    const auto controls = graph_.controls_of(node);
    const auto kept = std::remove_if(controls.begin(), controls.end(),
                                     [&](std::uint32_t control) { return fates_[control].dead; });
    node.num_controls = static_cast<std::uint32_t>(kept - controls.begin());
  }

  StepGraph& graph_;
  const std::uint32_t count_;
  std::vector<Fate> fates_;
  std::vector<bool> index_used_;  // the second output of that node
  bool any_ = false;
};

DGRAPH_DECL void remove_dead_branches(StepGraph& graph) {
  if (graph.has_control_flow) DeadBranches(graph).run();
}

}  // namespace dgraph::detail
