#pragma once
#include <dgraph/runtime/loops.hpp>

#include <algorithm>
#include <string_view>

namespace dgraph::detail {

DGRAPH_DECL std::uint32_t LoopGates::find(std::uint32_t frame, std::uint32_t task) const noexcept {
  for (const Gate& gate : gates_)
    if (gate.frame == frame && gate.task == task) return gate.merge;
  return kNoIndex;
}

DGRAPH_DECL bool is_node(const StepNode& node, std::string_view type) {
  if (!node.alive || node.kind != PartitionNodeKind::Op) return false;
  std::string_view name = node.def->name;
  if (name.substr(0, 3) == "Ref") name.remove_prefix(3);
  return name == type;
}

// Of a loop variable; those of conditionals have no back edge.
DGRAPH_DECL bool is_loop_merge(const StepGraph& graph, std::uint32_t at) {
  const StepNode& node = graph.nodes[at];
  if (!is_node(node, "Merge")) return false;
  const auto inputs = graph.inputs_of(node);
  return std::any_of(inputs.begin(), inputs.end(), [&](Endpoint in) { return in.node > at; });
}

DGRAPH_DECL bool enter_is_constant(const StepNode& node) {
  const int index = node.def->attr_index("is_constant");
  return (*node.attrs)[static_cast<std::size_t>(index)].get<bool>();
}

// The frame that a node runs in: an Enter runs in the outer one, an Exit in the inner one.
DGRAPH_DECL std::uint32_t running_frame(const StepGraph& graph, const LoopFrames& frames, std::uint32_t at) {
  const StepNode& node = graph.nodes[at];
  if (is_node(node, "Enter")) return frames.frames[frames.of_node[at]].parent;
  if (is_node(node, "Exit") && node.num_inputs > 0) return frames.of_node[graph.inputs_of(node)[0].node];
  return frames.of_node[at];
}

// The tasks of each frame, those of frames within it among them.
DGRAPH_DECL std::vector<std::vector<std::uint32_t>> tasks_of_frames(const StepGraph& graph, const LoopFrames& frames) {
  std::vector<std::vector<std::uint32_t>> out(frames.frames.size());
  for (std::uint32_t i = graph.num_feeds; i < graph.nodes.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    if (!node.alive || is_free_constant(node)) continue;
    for (std::uint32_t frame = running_frame(graph, frames, i); frame != 0; frame = frames.frames[frame].parent)
      if (auto& tasks = out[frame]; std::find(tasks.begin(), tasks.end(), node.task) == tasks.end())
        tasks.push_back(node.task);
  }
  return out;
}

class LoopSpreader {
 public:
  explicit LoopSpreader(StepGraph& graph) : graph_(graph) {}

  void run() {
    if (on_one_task()) return;
    frames_ = find_frames(graph_);
    if (frames_.frames.size() < 2) return;
    gather_variables();
    plan_control();
    copy_invariants();
    if (!inserted_.empty()) rebuild();
  }

 private:
  // A node to be added after that position; inputs and control inputs name nodes by position, or added ones by number from
  // kAdded on.
  static constexpr std::uint32_t kAdded = 1u << 31;
  struct Added {
    std::uint32_t after;
    StepNode node;
    std::vector<Endpoint> inputs;
    std::vector<std::uint32_t> controls;
  };
  struct Loop {
    std::uint32_t merge = kNoIndex, enter = kNoIndex, next = kNoIndex, condition = kNoIndex, take = kNoIndex;
  };

  bool on_one_task() const {
    std::uint32_t task = kNoIndex;
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      if (!node.alive || is_free_constant(node)) continue;
      if (task == kNoIndex) task = node.task;
      if (node.task != task) return false;
    }
    return true;
  }

  void move_to(std::uint32_t at, const StepNode& where) {
    graph_.nodes[at].task = where.task;
    graph_.nodes[at].device = where.device;
  }

  // A variable goes round on one task; it leaves the loop where it is there.
  void gather_variables() {
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      StepNode& node = graph_.nodes[i];
      if (is_loop_merge(graph_, i))
        for (const Endpoint& in : graph_.inputs_of(node))
          if (is_node(graph_.nodes[in.node], "Enter") || is_node(graph_.nodes[in.node], "NextIteration"))
            move_to(in.node, node);
    }
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i)
      if (is_node(graph_.nodes[i], "Exit")) move_to(i, graph_.nodes[graph_.inputs_of(graph_.nodes[i])[0].node]);
  }

  std::uint32_t add(std::uint32_t after, StepNode node, std::vector<Endpoint> inputs,
                    std::vector<std::uint32_t> controls) {
    inserted_.push_back({after, node, std::move(inputs), std::move(controls)});
    return kAdded + static_cast<std::uint32_t>(inserted_.size() - 1);
  }

  // Each task that uses a value which is the same in all iterations has an Enter of its own for it.
  void copy_invariants() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> copies;  // (enter, task) and what stands for it
    std::vector<std::uint32_t> uses(graph_.nodes.size(), 0);
    const auto local = [&](std::uint32_t source, const StepNode& user) {
      const StepNode& enter = graph_.nodes[source];
      if (!is_node(enter, "Enter") || !enter_is_constant(enter) || enter.task == user.task) {
        ++uses[source];
        return source;
      }
      const std::uint64_t key = std::uint64_t{source} << 32 | user.task;
      for (const auto& [have, number] : copies)
        if (have == key) return number;
      StepNode copy = enter;
      copy.task = user.task;
      copy.device = user.device;
      const auto inputs = graph_.inputs_of(enter);
      const auto controls = graph_.controls_of(enter);
      const std::uint32_t number =
          add(source, copy, {inputs.begin(), inputs.end()}, {controls.begin(), controls.end()});
      copies.emplace_back(key, number);
      return number;
    };
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      if (!node.alive) continue;
      for (Endpoint& in : graph_.inputs_of(node)) in.node = local(in.node, node);
      for (std::uint32_t& control : graph_.controls_of(node)) control = local(control, node);
    }
    // What was added may use such values, too: copies in an inner loop of what an outer one copies. The list grows meanwhile.
    for (std::size_t k = 0; k < inserted_.size(); ++k) {
      const StepNode node = inserted_[k].node;
      for (std::size_t j = 0; j < inserted_[k].inputs.size(); ++j)
        if (const Endpoint in = inserted_[k].inputs[j]; in.node < kAdded) {
          const std::uint32_t to = local(in.node, node);
          inserted_[k].inputs[j].node = to;
        }
      for (std::size_t j = 0; j < inserted_[k].controls.size(); ++j)
        if (const std::uint32_t control = inserted_[k].controls[j]; control < kAdded) {
          const std::uint32_t to = local(control, node);
          inserted_[k].controls[j] = to;
        }
    }
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i)
      if (is_node(graph_.nodes[i], "Enter") && uses[i] == 0 && !graph_.nodes[i].root) graph_.nodes[i].alive = false;
  }

  // The loops by frame, from the first variable that is no handle.
  std::vector<Loop> find_loops() const {
    std::vector<Loop> out(frames_.frames.size());
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      Loop& loop = out[frames_.of_node[i]];
      if (node.alive && node.def->name == "LoopCond" && loop.condition == kNoIndex) loop.condition = i;
      if (loop.merge != kNoIndex || !is_loop_merge(graph_, i) || node.def->name != "Merge") continue;
      loop.merge = i;
      for (const Endpoint& in : graph_.inputs_of(node))
        (is_node(graph_.nodes[in.node], "Enter") ? loop.enter : loop.next) = in.node;
    }
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i)
      if (graph_.nodes[i].alive && graph_.nodes[i].def->name == "Switch")
        for (Loop& loop : out)
          if (loop.take == kNoIndex && graph_.inputs_of(graph_.nodes[i])[0].node == loop.merge) loop.take = i;
    return out;
  }

  void plan_control() {
    const auto tasks = tasks_of_frames(graph_, frames_);
    const LoopGates gates = find_gates(graph_, frames_);
    const std::vector<Loop> loops = find_loops();
    for (std::uint32_t frame = 1; frame < frames_.frames.size(); ++frame) {
      if (tasks[frame].size() < 2) continue;
      for (const std::uint32_t task : tasks[frame])
        if (gates.find(frame, task) == kNoIndex) add_control(loops[frame], frame, task);
    }
  }

  std::uint32_t device_of(std::uint32_t task) const {
    for (std::uint32_t d = 0; d < graph_.device_tasks.size(); ++d)
      if (graph_.device_tasks[d] == task) return d;
    return 0;
  }

  // A node like that one, of a bool.
  StepNode like(std::uint32_t at, std::uint32_t task, std::initializer_list<DType> outputs) {
    StepNode out = graph_.nodes[at];
    out.root = false;
    out.task = task;
    out.device = device_of(task);
    AttrList attrs = *out.attrs;
    if (const int type = out.def->attr_index("T"); type >= 0) attrs[static_cast<std::size_t>(type)] = DType::Bool;
    graph_.own_attrs.push_back(std::move(attrs));
    out.attrs = &graph_.own_attrs.back();
    set_outputs(out, outputs);
    return out;
  }

  void set_outputs(StepNode& node, std::initializer_list<DType> outputs) {
    static const PartialShape scalar = PartialShape::scalar();
    std::vector<OutputInfo>& all = graph_.own_output_lists.emplace_back();
    for (const DType dtype : outputs) all.push_back({dtype, false, &scalar});
    node.outputs = all.data();
    node.num_outputs = static_cast<std::uint32_t>(all.size());
  }

  void add_control(const Loop& loop, std::uint32_t frame, std::uint32_t task) {
    if (loop.merge == kNoIndex || loop.enter == kNoIndex || loop.next == kNoIndex || loop.condition == kNoIndex ||
        loop.take == kNoIndex) {
      const std::uint32_t at = loop.condition != kNoIndex ? loop.condition : loop.merge;
      Status status = errors::Unimplemented("the loop ", frames_.frames[frame].name,
                                            " spans tasks, and has no variable and condition to tell them how long it runs");
      throw Error(at == kNoIndex ? status : status.at(graph_.nodes[at].node->place()));
    }
    // A constant beside what the first variable begins with: dead where the loop does not run.
    const Endpoint initial = graph_.inputs_of(graph_.nodes[loop.enter])[0];
    StepNode constant = like(loop.enter, task, {DType::Bool});
    const OpDef& def = constant_definition();
    AttrList attrs(def.attrs.size());
    for (std::size_t i = 0; i < attrs.size(); ++i) attrs[i] = def.attrs[i].default_value;
    attrs[static_cast<std::size_t>(def.attr_index("dtype"))] = DType::Bool;
    attrs[static_cast<std::size_t>(def.attr_index("value"))] = Tensor::scalar(false);
    graph_.own_attrs.push_back(std::move(attrs));
    constant.def = &def;
    constant.facts = &graph_.facts_of(def);
    constant.attrs = &graph_.own_attrs.back();
    const StepNode& begins = graph_.nodes[initial.node];
    const auto waits = graph_.controls_of(graph_.nodes[loop.enter]);
    std::vector<std::uint32_t> after(waits.begin(), waits.end());
    if (begins.kind != PartitionNodeKind::Feed && !is_free_constant(begins)) after.push_back(initial.node);
    const std::uint32_t value = add(loop.enter, constant, {}, std::move(after));
    const std::uint32_t enter = add(loop.enter, like(loop.enter, task, {DType::Bool}), {{value, 0}}, {});
    const std::uint32_t merge =
        add(loop.enter, like(loop.merge, task, {DType::Bool, DType::Int32}), {{enter, 0}, {enter, 0}}, {});
    const std::uint32_t take =
        add(loop.condition, like(loop.take, task, {DType::Bool, DType::Bool}), {{merge, 0}, {loop.condition, 0}}, {});
    const std::uint32_t next = add(loop.condition, like(loop.next, task, {DType::Bool}), {{take, 1}}, {});
    inserted_[merge - kAdded].inputs[1] = {next, 0};
  }

  const OpDef& constant_definition() const {
    if (graph_.kernels)
      if (const KernelEntry* entry = graph_.kernels("Const")) return entry->signature();
    for (const StepNode& node : graph_.nodes)
      if (node.def->name == "Const") return *node.def;
    fail(Code::Unimplemented, "a loop spans tasks, but the op set has no Const to start it with there");
  }

  void rebuild() {
    std::vector<std::vector<std::uint32_t>> after(graph_.nodes.size());
    for (std::uint32_t k = 0; k < inserted_.size(); ++k) after[inserted_[k].after].push_back(k);
    std::vector<std::uint32_t> moved(graph_.nodes.size()), placed(inserted_.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      moved[i] = count++;
      for (const std::uint32_t k : after[i]) placed[k] = count++;
    }
    const auto now = [&](std::uint32_t at) { return at >= kAdded ? placed[at - kAdded] : moved[at]; };
    std::vector<StepNode> nodes(count);
    for (Endpoint& in : graph_.inputs) in.node = now(in.node);
    for (std::uint32_t& control : graph_.controls) control = now(control);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      nodes[moved[i]] = graph_.nodes[i];
      for (const std::uint32_t k : after[i]) {
        Added& added = inserted_[k];
        added.node.first_input = static_cast<std::uint32_t>(graph_.inputs.size());
        added.node.num_inputs = static_cast<std::uint32_t>(added.inputs.size());
        for (const Endpoint& in : added.inputs) graph_.inputs.push_back({now(in.node), in.index});
        added.node.first_control = static_cast<std::uint32_t>(graph_.controls.size());
        added.node.num_controls = static_cast<std::uint32_t>(added.controls.size());
        for (const std::uint32_t control : added.controls) graph_.controls.push_back(now(control));
        nodes[placed[k]] = added.node;
      }
    }
    for (Endpoint& at : graph_.fetches) at.node = moved[at.node];
    for (std::uint32_t& at : graph_.position)
      if (at != kNoIndex) at = moved[at];
    for (auto& [at, id] : graph_.also) at = moved[at];
    graph_.nodes = std::move(nodes);
  }

  StepGraph& graph_;
  LoopFrames frames_;
  std::vector<Added> inserted_;
};

DGRAPH_DECL void spread_loops(StepGraph& graph) {
  if (graph.has_control_flow) LoopSpreader(graph).run();
}

DGRAPH_DECL LoopGates find_gates(const StepGraph& graph, const LoopFrames& frames) {
  LoopGates out;
  for (std::uint32_t i = graph.num_feeds; i < graph.nodes.size(); ++i) {
    const std::uint32_t frame = frames.of_node[i];
    if (frame == 0 || !is_loop_merge(graph, i)) continue;
    if (out.find(frame, graph.nodes[i].task) == kNoIndex) out.add(frame, graph.nodes[i].task, i);
  }
  return out;
}

}  // namespace dgraph::detail
