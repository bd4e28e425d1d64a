#pragma once
#include <dgraph/runtime/passes.hpp>

#include <algorithm>
#include <optional>

#include <dgraph/runtime/fold.hpp>

namespace dgraph::detail {

// Membership in a set of positions that is emptied at no cost.
class PositionSet {
 public:
  explicit PositionSet(std::size_t size) : stamps_(size, 0) {}
  void clear() noexcept { ++stamp_; }
  // False where it was in already.
  bool insert(std::uint32_t at) noexcept { return std::exchange(stamps_[at], stamp_) != stamp_; }

 private:
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 1;
};

// Moves control inputs of NoOps and constants to their consumers.
class ControlMover {
 public:
  explicit ControlMover(StepGraph& graph) : graph_(graph), seen_(graph.nodes.size()) {}

  void run() {
    look();
    if (!any_) return;
    for (Endpoint at : graph_.fetches)
      graph_.nodes[at.node].root |= graph_.nodes[at.node].facts->kind == OpClass::Const;
    drop_targets();
    controls_.reserve(graph_.controls.size());
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i)
      if (graph_.nodes[i].alive) visit(i);
    graph_.controls = std::move(controls_);
  }

 private:
  struct Given {
    std::uint32_t first = 0, count = 0;
    std::uint32_t uses = 0;
    bool movable = false, moved = false;
  };

  // Which nodes may lose their control inputs, and how often each is used.
  void look() {
    given_.resize(graph_.nodes.size());
    std::vector<std::uint8_t> conditional(graph_.has_control_flow ? graph_.nodes.size() : 0, 0);
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      for (const Endpoint& in : graph_.inputs_of(node)) {
        ++given_[in.node].uses;
        // A Merge runs as soon as one input is there: it must not wait for another's control
        // inputs.
        if (node.facts->kind == OpClass::Merge) given_[in.node].movable = false;
      }
      for (std::uint32_t control : graph_.controls_of(node)) ++given_[control].uses;
      if (graph_.has_control_flow) {
        bool any = node.facts->control_flow;
        for (const Endpoint& in : graph_.inputs_of(node))
          any |= in.node < i && conditional[in.node];
        for (std::uint32_t control : graph_.controls_of(node)) any |= conditional[control] != 0;
        conditional[i] = any;
      }
      if (node.facts->kind == OpClass::NoOp) given_[i].movable = true;
      // Of a constant they also say in which branch or loop it is.
      if (node.facts->kind == OpClass::Const && node.num_controls > 0)
        given_[i].movable = !graph_.has_control_flow || !conditional[i];
      any_ |= given_[i].movable;
    }
  }

  // NoOps that only targets wait for, however many: what they wait for is as good a target.
  void drop_targets() {
    for (auto i = static_cast<std::uint32_t>(graph_.nodes.size()); i-- > graph_.num_feeds;) {
      StepNode& node = graph_.nodes[i];
      if (node.facts->kind != OpClass::NoOp || !node.root || given_[i].uses > 0) continue;
      for (std::uint32_t control : graph_.controls_of(node)) {
        graph_.nodes[control].root = true;
        --given_[control].uses;
      }
      node.num_controls = 0;
      node.alive = node.root = false;
    }
  }

  void visit(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    const auto first = static_cast<std::uint32_t>(controls_.size());
    seen_.clear();
    // Of a Merge's control inputs none is implied.
    if (node.facts->kind != OpClass::Merge)
      for (const Endpoint& in : graph_.inputs_of(node)) seen_.insert(in.node);
    for (const Endpoint& in : graph_.inputs_of(node))
      if (given_[in.node].moved) inherit(given_[in.node]);
    for (std::uint32_t control : graph_.controls_of(node)) {
      if (given_[control].moved)
        inherit(given_[control]);
      else if (seen_.insert(control))
        controls_.push_back(control);
    }
    node.first_control = first;
    node.num_controls = static_cast<std::uint32_t>(controls_.size()) - first;
    Given& own = given_[i];
    if (!own.movable) return;
    // As a barrier between many and many a node saves edges.
    const std::size_t before = node.num_controls, after = own.uses;
    if (before > 64 || before * after > 2 * (before + after) + 64) return;
    own.moved = true;
    own.first = first;
    own.count = node.num_controls;
    if (node.root)
      for (std::uint32_t k = first; k < controls_.size(); ++k)
        graph_.nodes[controls_[k]].root = true;
    node.num_controls = 0;
    if (node.facts->kind == OpClass::NoOp) node.alive = node.root = false;
  }

  // The array grows while its own elements are copied.
  void inherit(const Given& from) {
    for (std::uint32_t k = 0; k < from.count; ++k)
      if (const std::uint32_t control = controls_[from.first + k]; seen_.insert(control))
        controls_.push_back(control);
  }

  StepGraph& graph_;
  PositionSet seen_;
  std::vector<Given> given_;
  std::vector<std::uint32_t> controls_;
  bool any_ = false;
};

DGRAPH_DECL void move_controls(StepGraph& graph) { ControlMover(graph).run(); }

// The walk of `optimize`.
class Optimizer {
 public:
  Optimizer(StepGraph& graph, const PlanOptions& options)
      : graph_(graph), options_(options), folder_(graph), seen_(graph.nodes.size()) {}

  void run() {
    const std::size_t count = graph_.nodes.size();
    redirect_.assign(count, Endpoint{});
    if (options_.fold_constants) constant_def_ = folder_.constant_definition();
    if (constant_def_) {
      ordered_.assign(count, 0);
      tainted_.assign(count, 0);
      for (std::uint32_t i = 0; i < graph_.num_feeds; ++i) taint_feed(i);
    }
    if (options_.merge_common) {
      std::size_t slots = 16;
      while (slots < 2 * count) slots *= 2;
      table_.assign(slots, kNoIndex);
    }
    for (std::uint32_t i = graph_.num_feeds; i < count; ++i)
      if (graph_.nodes[i].alive) visit(i);
    for (const Endpoint& at : back_edges_) {
      Endpoint& input = graph_.inputs[graph_.nodes[at.node].first_input + at.index];
      input = now(input);
    }
    for (Endpoint& at : graph_.fetches) at = now(at);
  }

 private:
  // Indices that mark what stands for a node: another node whole, or a row of constants, one for
  // each output.
  static constexpr std::uint32_t kWhole = ~std::uint32_t{0}, kRow = kWhole - 1;

  Endpoint now(Endpoint at) const {
    if (at.node >= redirect_.size()) return at;
    const Endpoint to = redirect_[at.node];
    if (to.node == kNoNode) return at;
    if (to.index == kWhole) return {to.node, at.index};
    if (to.index == kRow) return {to.node + at.index, 0};
    return to;
  }

  void visit(std::uint32_t i) {
    rewrite_edges(i);
    if (constant_def_) note_order(i);
    if (graph_.nodes[i].kind != PartitionNodeKind::Op) return;
    if (options_.remove_identities && remove_identity(i)) return;
    if (constant_def_ && fold(i)) return;
    if (options_.merge_common) merge(i);
  }

  void rewrite_edges(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    seen_.clear();
    for (std::uint32_t k = 0; k < node.num_inputs; ++k) {
      Endpoint& in = graph_.inputs[node.first_input + k];
      if (in.node > i && in.node < redirect_.size()) {
        back_edges_.push_back({i, k});
        continue;
      }
      in = now(in);
      if (in.node < redirect_.size() && node.facts->kind != OpClass::Merge) seen_.insert(in.node);
    }
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < node.num_controls; ++k) {
      std::uint32_t control = graph_.controls[node.first_control + k];
      const Endpoint to = redirect_[control];
      if (to.node != kNoNode) {
        if (to.index == kRow) continue;
        control = to.node;
      }
      const StepNode& source = graph_.nodes[control];
      if (source.kind == PartitionNodeKind::Feed || is_free_constant(source) ||
          !seen_.insert(control))
        continue;
      graph_.controls[node.first_control + kept++] = control;
    }
    node.num_controls = kept;
  }

  // A fed value that is no placeholder's may contradict what shape rules made of the value that it
  // replaces.
  void taint_feed(std::uint32_t i) {
    const StepNode& feed = graph_.nodes[i];
    const DType dtype = feed.outputs[0].dtype;
    tainted_[i] = feed.facts->kind != OpClass::Placeholder &&
                  (dtype == DType::Int32 || dtype == DType::Int64);
  }

  // `ordered_`: something before the node, or itself, has effects, may be dead or is in a loop, so
  // that control edges from it count. `tainted_`: its static shape is not to be trusted.
  void note_order(std::uint32_t i) {
    const StepNode& node = graph_.nodes[i];
    const bool holds_state =
        node.num_outputs > 0 && node.num_inputs == 0 && is_handle(node.outputs[0]);
    bool ordered =
        node.facts->control_flow || (node.kind == PartitionNodeKind::Op && node.facts->stateful &&
                                     !holds_state && node.facts->kind != OpClass::ReadVariable);
    bool tainted = false;
    for (const Endpoint& in : graph_.inputs_of(node)) {
      if (in.node >= redirect_.size()) continue;
      ordered |= ordered_[in.node] != 0;
      tainted |= tainted_[in.node] != 0 || in.node > i;
    }
    for (std::uint32_t control : graph_.controls_of(node)) ordered |= ordered_[control] != 0;
    ordered_[i] = ordered;
    tainted_[i] = tainted;
  }

  bool remove_identity(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    if (node.facts->kind != OpClass::Identity || node.num_controls > 0) return false;
    const Endpoint in = graph_.inputs[node.first_input];
    StepNode& source = graph_.nodes[in.node];
    // Behind a Switch it tells which branch is taken, which a control edge from the Switch would
    // not.
    if (source.facts->control_flow || is_handle(node.outputs[0])) return false;
    redirect_[i] = in;
    source.root |= node.root;
    graph_.also.emplace_back(in.node, node.node->id);
    node.alive = false;
    return true;
  }

  bool fold(std::uint32_t i) {
    const StepNode& node = graph_.nodes[i];
    if (node.facts->stateful || node.facts->control_flow || node.num_inputs == 0 ||
        node.num_outputs == 0)
      return false;
    extra_.clear();
    std::vector<Tensor> values;
    if (node.facts->kind == OpClass::Shape || node.facts->kind == OpClass::Size ||
        node.facts->kind == OpClass::Rank) {
      if (!tainted_[i]) values = folder_.from_shapes(node);
      if (!values.empty())
        for (const Endpoint& in : graph_.inputs_of(node))
          if (in.node < redirect_.size() && ordered_[in.node]) extra_.push_back(in.node);
    }
    if (values.empty()) {
      for (const Endpoint& in : graph_.inputs_of(node)) {
        const StepNode& source = graph_.nodes[in.node];
        if (source.kind != PartitionNodeKind::Op || source.facts->kind != OpClass::Const)
          return false;
        const auto controls = graph_.controls_of(source);
        extra_.insert(extra_.end(), controls.begin(), controls.end());
      }
      values = folder_.from_constants(node);
      if (values.empty()) return false;
    }
    if (node.num_outputs == 1) {
      become_constant(i, std::move(values[0]));
      return true;
    }
    if (node.num_controls > 0 || !extra_.empty()) return false;
    become_row(i, std::move(values));
    return true;
  }

  void become_constant(std::uint32_t i, Tensor value) {
    StepNode& node = graph_.nodes[i];
    make_constant(node, std::move(value));
    if (extra_.empty()) return;
    seen_.clear();
    const auto first = static_cast<std::uint32_t>(graph_.controls.size());
    for (std::uint32_t k = 0; k < node.num_controls; ++k)
      extra_.push_back(graph_.controls[node.first_control + k]);
    for (std::uint32_t control : extra_)
      if (seen_.insert(control)) graph_.controls.push_back(control);
    node.first_control = first;
    node.num_controls = static_cast<std::uint32_t>(graph_.controls.size()) - first;
  }

  void become_row(std::uint32_t i, std::vector<Tensor> values) {
    const StepNode node = graph_.nodes[i];
    redirect_[i] = {static_cast<std::uint32_t>(graph_.nodes.size()), kRow};
    for (std::uint32_t k = 0; k < node.num_outputs; ++k) {
      StepNode one = node;
      one.outputs = node.outputs + k;
      one.num_outputs = 1;
      one.root = false;
      make_constant(one, std::move(values[k]));
      graph_.nodes.push_back(one);
    }
    graph_.nodes[i].alive = graph_.nodes[i].root = false;
  }

  void make_constant(StepNode& node, Tensor value) {
    node.def = constant_def_;
    node.facts = &graph_.facts_of(*constant_def_);
    node.attrs = folder_.constant_attrs(std::move(value));
    node.num_inputs = 0;
  }

  bool can_merge(const StepNode& node) const {
    if (node.facts->stateful || node.facts->control_flow || node.facts->takes_refs ||
        node.num_outputs == 0 || node.facts->kind == OpClass::Placeholder ||
        node.facts->kind == OpClass::NoOp)
      return false;
    if (!graph_.has_handles) return true;
    for (std::uint32_t k = 0; k < node.num_outputs; ++k)
      if (is_handle(node.outputs[k])) return false;
    return true;
  }

  bool equal(const StepNode& a, const StepNode& b) const {
    if (a.def != b.def || a.attrs != b.attrs || a.device != b.device ||
        a.num_inputs != b.num_inputs || a.num_controls != b.num_controls)
      return false;
    const auto x = graph_.inputs_of(a), y = graph_.inputs_of(b);
    const auto c = graph_.controls_of(a), d = graph_.controls_of(b);
    if (!std::equal(c.begin(), c.end(), d.begin())) return false;
    if (std::equal(x.begin(), x.end(), y.begin())) return true;
    return a.def->commutative && x.size() == 2 && x[0] == y[1] && x[1] == y[0];
  }

  std::uint64_t hash(const StepNode& node) const {
    const auto inputs = graph_.inputs_of(node);
    std::uint64_t out = mix_hash(reinterpret_cast<std::uintptr_t>(node.def),
                                 reinterpret_cast<std::uintptr_t>(node.attrs));
    out = mix_hash(out, node.device);
    const auto packed = [](Endpoint at) { return std::uint64_t{at.node} << 32 | at.index; };
    if (node.def->commutative && inputs.size() == 2) {
      out = mix_hash(out, std::min(packed(inputs[0]), packed(inputs[1])));
      out = mix_hash(out, std::max(packed(inputs[0]), packed(inputs[1])));
    } else {
      for (const Endpoint& in : inputs) out = mix_hash(out, packed(in));
    }
    for (std::uint32_t control : graph_.controls_of(node)) out = mix_hash(out, control);
    return out ^ out >> 32;
  }

  void merge(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    if (!can_merge(node)) return;
    const std::size_t mask = table_.size() - 1;
    for (std::size_t slot = hash(node) & mask;; slot = (slot + 1) & mask) {
      if (table_[slot] == kNoIndex) {
        table_[slot] = i;
        return;
      }
      StepNode& same = graph_.nodes[table_[slot]];
      if (!equal(same, node)) continue;
      redirect_[i] = {table_[slot], kWhole};
      same.root |= node.root;
      graph_.also.emplace_back(table_[slot], node.node->id);
      node.alive = false;
      return;
    }
  }

  StepGraph& graph_;
  const PlanOptions& options_;
  Folder folder_;
  PositionSet seen_;
  const OpDef* constant_def_ = nullptr;
  std::vector<Endpoint> redirect_;  // by position before appended constants
  std::vector<std::uint8_t> ordered_, tainted_;
  std::vector<Endpoint> back_edges_;  // (node, input)
  std::vector<std::uint32_t> extra_, table_;
};

DGRAPH_DECL void optimize(StepGraph& graph, const PlanOptions& options) {
  if (options.fold_constants || options.merge_common || options.remove_identities)
    Optimizer(graph, options).run();
}

}  // namespace dgraph::detail
