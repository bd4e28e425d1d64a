#pragma once
#include <dgraph/runtime/partitioner.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <dgraph/runtime/frames.hpp>
#include <dgraph/runtime/loops.hpp>
#include <dgraph/runtime/placement_log.hpp>

namespace dgraph::detail {

// A value, or the end of a node, that another task needs; a list hangs on each producer.
struct Cut {
  static constexpr std::uint32_t kControl = kNoIndex;
  std::uint32_t output;
  std::uint32_t task;  // of the consumers
  std::uint32_t next = kNoIndex;
  std::uint32_t receive = kNoIndex;  // position of the Recv in the consumers' partition
};

// Looks whether a control edge between tasks is implied by other edges, looking at no more than a
// few nodes.
class ImpliedControls {
 public:
  explicit ImpliedControls(const StepGraph& graph) : graph_(graph) {}

  // A path of data and control edges from `before` to `after`, beside the edge itself, along which
  // a dead mark passes, too.
  bool operator()(std::uint32_t before, std::uint32_t after) {
    if (graph_.nodes[after].facts->kind == OpClass::Merge) return false;
    seen_.clear();
    const StepNode& end = graph_.nodes[after];
    for (std::uint32_t control : graph_.controls_of(end))
      if (control != before && look(control, before)) return true;
    for (const Endpoint& in : graph_.inputs_of(end))
      if (look(in.node, before)) return true;
    for (std::size_t k = 0; k < seen_.size() && k < kMost; ++k) {
      const StepNode& node = graph_.nodes[seen_[k]];
      // These run though not all that is before them has, or is alive.
      if (node.facts->control_flow && node.facts->kind != OpClass::Switch) continue;
      for (const Endpoint& in : graph_.inputs_of(node))
        if (look(in.node, before)) return true;
      for (std::uint32_t control : graph_.controls_of(node))
        if (look(control, before)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kMost = 64;

  bool look(std::uint32_t at, std::uint32_t wanted) {
    // Inputs come before their consumers, so what lies before the wanted node cannot lead to it.
    if (at > wanted && seen_.size() < kMost &&
        std::find(seen_.begin(), seen_.end(), at) == seen_.end())
      seen_.push_back(at);
    return at == wanted;
  }

  const StepGraph& graph_;
  std::vector<std::uint32_t> seen_;
};

// Strongly connected components of a small graph given by its edges, without recursion.
DGRAPH_DECL std::vector<std::uint32_t> components(
    std::uint32_t size, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  std::vector<std::vector<std::uint32_t>> next(size), before(size);
  for (const auto& [from, to] : edges) {
    next[from].push_back(to);
    before[to].push_back(from);
  }
  std::vector<std::uint32_t> order, component(size, kNoIndex);
  std::vector<std::uint8_t> seen(size, 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  for (std::uint32_t start = 0; start < size; ++start) {
    if (std::exchange(seen[start], 1)) continue;
    path.push_back({start, 0});
    while (!path.empty()) {
      auto& [at, edge] = path.back();
      if (edge == next[at].size()) {
        order.push_back(at);
        path.pop_back();
        continue;
      }
      const std::uint32_t to = next[at][edge++];
      if (!std::exchange(seen[to], 1)) path.push_back({to, 0});
    }
  }
  std::vector<std::uint32_t> todo;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (component[*it] != kNoIndex) continue;
    todo.push_back(*it);
    component[*it] = *it;
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (std::uint32_t from : before[at])
        if (component[from] == kNoIndex) {
          component[from] = *it;
          todo.push_back(from);
        }
    }
  }
  return component;
}

class Partitioner {
 public:
  Partitioner(StepGraph& graph, const PlanOptions& options) : graph_(graph), options_(options) {}

  StepPlan run() {
    if (graph_.has_control_flow) {
      spread_loops(graph_);
      frames_ = find_frames(graph_);
      gates_ = find_gates(graph_, frames_);
      check_fetches();
    }
    const std::size_t count = graph_.nodes.size();
    first_.assign(count, kNoIndex);
    last_.assign(count, kNoIndex);
    local_.assign(count, kNoIndex);
    number_partitions();
    if (plan_.partitions.size() > 1) {
      find_cuts();
      pace();
    }
    plan_.feeds.resize(graph_.num_feeds);
    for (std::uint32_t i = graph_.num_feeds; i < count; ++i)
      if (runs(graph_.nodes[i])) emit(i);
    for (const BackEdge& edge : back_edges_) {
      Endpoint& in = plan_.partitions[edge.partition].nodes[edge.node].inputs[edge.input];
      in.node = local_[edge.from];
    }
    for (const Gated& gated : gated_)
      plan_.partitions[gated.partition].nodes[gated.receive].controls.push_back(local_[gated.gate]);
    emit_fetches();
    report_others();
    return std::move(plan_);
  }

 private:
  struct BackEdge {
    std::uint32_t partition, node, input, from;
  };
  // A Recv in a loop: it waits for its value once an iteration, which that Merge begins.
  struct Gated {
    std::uint32_t partition, receive, gate;
  };

  // Feeds and free constants come to whoever needs them.
  bool is_copied(const StepNode& node) const {
    return node.kind == PartitionNodeKind::Feed || is_free_constant(node);
  }
  bool runs(const StepNode& node) const { return node.alive && !is_copied(node); }

  void check_fetches() {
    for (Endpoint at : graph_.fetches) {
      const std::uint32_t frame = frames_.of_node[at.node];
      if (frame == 0) continue;
      const Node& node = *graph_.nodes[at.node].node;
      Status status = errors::InvalidArgument(
          "fetch ", node.name, ":", at.index, " is a value inside the loop ",
          frames_.frames[frame].name, ": only what leaves a loop can be fetched");
      throw Error(status.at(node.place()));
    }
  }

  void number_partitions() {
    partition_of_.assign(options_.tasks.size(), kNoIndex);
    std::size_t nodes = 0;
    for (const StepNode& node : graph_.nodes)
      if (runs(node)) {
        partition_of_[node.task] = 0;
        ++nodes;
      }
    for (Endpoint at : graph_.fetches)
      if (graph_.nodes[at.node].kind != PartitionNodeKind::Feed)
        partition_of_[graph_.nodes[at.node].task] = 0;
    for (std::uint32_t task = 0; task < partition_of_.size(); ++task) {
      if (partition_of_[task] == kNoIndex) continue;
      partition_of_[task] = static_cast<std::uint32_t>(plan_.partitions.size());
      plan_.partitions.emplace_back();
      plan_.partitions.back().task = task;
      plan_.partitions.back().graph = graph_.graph;
    }
    if (plan_.partitions.size() == 1)
      plan_.partitions[0].nodes.reserve(nodes + nodes / 4 + graph_.fetches.size());
    plan_.placements.reserve(nodes);
  }

  std::uint32_t find(std::uint32_t producer, std::uint32_t task, std::uint32_t output) const {
    for (std::uint32_t at = first_[producer]; at != kNoIndex; at = cuts_[at].next)
      if (cuts_[at].task == task && cuts_[at].output == output) return at;
    return kNoIndex;
  }

  bool has_data_cut(std::uint32_t producer, std::uint32_t task) const {
    for (std::uint32_t at = first_[producer]; at != kNoIndex; at = cuts_[at].next)
      if (cuts_[at].task == task && cuts_[at].output != Cut::kControl) return true;
    return false;
  }

  std::uint32_t add(std::uint32_t producer, std::uint32_t task, std::uint32_t output) {
    const auto at = static_cast<std::uint32_t>(cuts_.size());
    cuts_.push_back({output, task});
    if (last_[producer] == kNoIndex)
      first_[producer] = at;
    else
      cuts_[last_[producer]].next = at;
    last_[producer] = at;
    return at;
  }

  void find_cuts() {
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      if (!runs(node)) continue;
      for (const Endpoint& in : graph_.inputs_of(node)) {
        const StepNode& source = graph_.nodes[in.node];
        if (is_copied(source) || source.task == node.task) continue;
        if (is_handle(graph_.output(in))) {
          Status status = errors::Internal("the handle ", source.node->name, ":", in.index,
                                           " would leave its task");
          throw Error(status.at(node.node->place()));
        }
        if (find(in.node, node.task, in.index) == kNoIndex) add(in.node, node.task, in.index);
      }
    }
    ImpliedControls implied(graph_);
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      StepNode& node = graph_.nodes[i];
      if (!runs(node)) continue;
      for (std::uint32_t k = 0; k < node.num_controls;) {
        std::uint32_t& control = graph_.controls[node.first_control + k];
        const StepNode& source = graph_.nodes[control];
        if (!is_copied(source) && source.task != node.task && !carried(control, node.task)) {
          if (implied(control, i)) {
            control = graph_.controls[node.first_control + --node.num_controls];
            continue;
          }
          if (find(control, node.task, Cut::kControl) == kNoIndex)
            add(control, node.task, Cut::kControl);
        }
        ++k;
      }
    }
  }

  // A value that goes there says that the node ran; but a dead one of a Switch does not.
  bool carried(std::uint32_t producer, std::uint32_t task) const {
    return graph_.nodes[producer].facts->kind != OpClass::Switch && has_data_cut(producer, task);
  }

  void pace() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      for (std::uint32_t at = first_[i]; at != kNoIndex; at = cuts_[at].next)
        edges.emplace_back(partition_of_[graph_.nodes[i].task], partition_of_[cuts_[at].task]);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    component_ = components(static_cast<std::uint32_t>(plan_.partitions.size()), edges);
  }

  // A node without its edges.
  PartitionNode make(const StepNode& node, std::uint32_t device) const {
    PartitionNode out;
    out.kind = node.kind;
    if (node.kind == PartitionNodeKind::Op) {
      out.def = node.def;
      out.attrs = node.attrs;
    }
    out.name = node.node->name;
    out.device = graph_.devices[device];
    out.outputs.reserve(node.num_outputs);
    for (std::uint32_t k = 0; k < node.num_outputs; ++k)
      out.outputs.push_back({node.outputs[k].dtype, node.outputs[k].ref});
    return out;
  }

  // The first device of a task.
  std::uint32_t default_device(std::uint32_t task) {
    if (default_device_.empty()) {
      default_device_.assign(options_.tasks.size(), kNoIndex);
      for (std::uint32_t d = 0; d < graph_.device_tasks.size(); ++d)
        if (default_device_[graph_.device_tasks[d]] == kNoIndex)
          default_device_[graph_.device_tasks[d]] = d;
    }
    return default_device_[task];
  }

  // Attributes that the graph does not hold go along with the partition.
  void own_attrs(PartitionDef& partition, const StepNode& node, PartitionNode& out) const {
    if (node.kind != PartitionNodeKind::Op || node.attrs == node.node->attrs) return;
    partition.owned_attrs.push_back(*node.attrs);
    out.attrs = &partition.owned_attrs.back();
  }

  void report(const StepNode& node, const PartitionNode& out, std::string reason) {
    const bool inserted = node.kind == PartitionNodeKind::Read && !node.attrs;
    plan_.placements.push_back(
        {out.name, inserted ? "Read" : node.def->name, out.device, std::move(reason)});
  }

  // Nodes that do not run because another stands for them.
  void report_others() {
    for (const auto& [position, id] : graph_.also) {
      const StepNode& node = graph_.nodes[position];
      const Node& other = graph_.graph->node(id);
      if (!node.alive || node.kind == PartitionNodeKind::Feed || other.id == node.node->id)
        continue;
      plan_.placements.push_back({std::string(other.name), other.def->name,
                                  graph_.devices[node.device],
                                  errors::text("computed as ", node.node->name)});
    }
  }

  // The position in that task's partition of what stands for the output there.
  Endpoint local(Endpoint at, std::uint32_t task) {
    const StepNode& source = graph_.nodes[at.node];
    if (is_copied(source)) return {copy(at.node, task), 0};
    if (source.task == task) return {local_[at.node], at.index};
    return {cuts_[find(at.node, task, at.index)].receive, 0};
  }

  std::uint32_t local_control(std::uint32_t control, std::uint32_t task) {
    const StepNode& source = graph_.nodes[control];
    if (source.task == task) return local_[control];
    std::uint32_t at = find(control, task, Cut::kControl);
    if (at == kNoIndex)
      for (at = first_[control]; cuts_[at].task != task;) at = cuts_[at].next;
    return cuts_[at].receive;
  }

  std::uint32_t copy(std::uint32_t i, std::uint32_t task) {
    if (const std::uint32_t at = find(i, task, 0); at != kNoIndex) return cuts_[at].receive;
    const StepNode& node = graph_.nodes[i];
    const std::uint32_t number = partition_of_[task];
    PartitionDef& partition = plan_.partitions[number];
    const bool home = node.kind == PartitionNodeKind::Op && node.task == task;
    PartitionNode out = make(node, home ? node.device : default_device(task));
    if (node.kind == PartitionNodeKind::Feed) {
      out.number = partition.num_feeds++;
      plan_.feeds[i].push_back({number, out.number});
    } else {
      own_attrs(partition, node, out);
      report(node, out,
             home ? reason_text(graph_, node) : "a constant: copied to the task that uses it");
    }
    const auto position = static_cast<std::uint32_t>(partition.nodes.size());
    partition.nodes.push_back(std::move(out));
    cuts_[add(i, task, 0)].receive = position;
    return position;
  }

  void emit(std::uint32_t i) {
    const StepNode& node = graph_.nodes[i];
    const std::uint32_t number = partition_of_[node.task];
    PartitionDef& partition = plan_.partitions[number];
    PartitionNode out = make(node, node.device);
    own_attrs(partition, node, out);
    out.inputs.reserve(node.num_inputs);
    for (const Endpoint& in : graph_.inputs_of(node)) out.inputs.push_back(local(in, node.task));
    if (node.num_controls > 0) add_controls(node, out);
    const auto position = static_cast<std::uint32_t>(partition.nodes.size());
    for (std::uint32_t k = 0; k < node.num_inputs; ++k) {
      const std::uint32_t from = graph_.inputs_of(node)[k].node;
      if (from > i && !is_copied(graph_.nodes[from]))
        back_edges_.push_back({number, position, k, from});
    }
    report(node, out, reason_text(graph_, node));
    local_[i] = position;
    partition.nodes.push_back(std::move(out));
    for (std::uint32_t at = first_[i]; at != kNoIndex; at = cuts_[at].next) emit_edge(i, cuts_[at]);
  }

  // Those that neither a feed, a constant nor a data edge makes needless.
  void add_controls(const StepNode& node, PartitionNode& out) {
    out.controls.reserve(node.num_controls);
    for (std::uint32_t control : graph_.controls_of(node)) {
      if (is_copied(graph_.nodes[control])) continue;
      const std::uint32_t at = local_control(control, node.task);
      const bool implied = std::any_of(out.inputs.begin(), out.inputs.end(),
                                       [at](Endpoint in) { return in.node == at; });
      // A Merge runs as soon as one input is there.
      if (!implied || node.facts->kind == OpClass::Merge) out.controls.push_back(at);
    }
    std::sort(out.controls.begin(), out.controls.end());
    out.controls.erase(std::unique(out.controls.begin(), out.controls.end()), out.controls.end());
  }

  void emit_edge(std::uint32_t producer, Cut& cut) {
    const StepNode& node = graph_.nodes[producer];
    const std::uint32_t from = partition_of_[node.task], to = partition_of_[cut.task];
    const bool control = cut.output == Cut::kControl;
    PartitionEdge edge;
    edge.number = plan_.edges++;
    edge.dtype = control ? DType::Invalid : node.outputs[cut.output].dtype;
    const std::uint32_t frame = graph_.has_control_flow ? frames_.of_node[producer] : 0;
    edge.paced = component_[from] != component_[to] && frame == 0;
    edge.name = control ? errors::text("^", node.node->name)
                        : errors::text(node.node->name, ":", cut.output);

    PartitionNode send, receive;
    send.kind = PartitionNodeKind::Send;
    receive.kind = PartitionNodeKind::Recv;
    send.number = receive.number = edge.number;
    send.name = receive.name = node.node->name;
    send.device = graph_.devices[node.device];
    receive.device = graph_.devices[default_device(cut.task)];
    if (control) {
      send.controls.push_back(local_[producer]);
    } else {
      send.inputs.push_back({local_[producer], cut.output});
      receive.outputs.push_back({edge.dtype, false});
    }
    edge.peer = cut.task;
    plan_.partitions[from].sends.push_back(edge);
    plan_.partitions[from].nodes.push_back(std::move(send));
    edge.peer = node.task;
    plan_.partitions[to].recvs.push_back(std::move(edge));
    cut.receive = static_cast<std::uint32_t>(plan_.partitions[to].nodes.size());
    plan_.partitions[to].nodes.push_back(std::move(receive));
    if (frame == 0) return;
    const std::uint32_t gate = gates_.find(frame, cut.task);
    if (gate == kNoIndex) {
      Status status = errors::Internal("a value of the loop ", frames_.frames[frame].name, " is used on task ", cut.task,
                                       ", which has no part of the loop");
      throw Error(status.at(node.node->place()));
    }
    gated_.push_back({to, cut.receive, gate});
  }

  void emit_fetches() {
    std::unordered_map<std::uint64_t, PlanPort> ports;
    for (Endpoint at : graph_.fetches) {
      StepPlan::Fetch& fetch = plan_.fetches.emplace_back();
      const StepNode& node = graph_.nodes[at.node];
      if (node.kind == PartitionNodeKind::Feed) {
        fetch.is_feed = true;
        fetch.feed = at.node;
        continue;
      }
      const auto [found, fresh] = ports.try_emplace(std::uint64_t{at.node} << 32 | at.index);
      if (fresh) {
        const std::uint32_t number = partition_of_[node.task];
        PartitionDef& partition = plan_.partitions[number];
        PartitionNode out;
        out.kind = PartitionNodeKind::Fetch;
        out.number = partition.num_fetches++;
        out.name = node.node->name;
        out.device = graph_.devices[node.device];
        out.inputs.push_back(local(at, node.task));
        partition.nodes.push_back(std::move(out));
        found->second = {number, partition.nodes.back().number};
      }
      fetch.port = found->second;
    }
  }

  StepGraph& graph_;
  const PlanOptions& options_;
  StepPlan plan_;
  LoopFrames frames_;
  LoopGates gates_;
  std::vector<Gated> gated_;
  std::vector<std::uint32_t> partition_of_;    // by task
  std::vector<std::uint32_t> component_;       // by partition
  std::vector<std::uint32_t> default_device_;  // by task
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> first_, last_;  // cuts of a node; of a copied one: its copies
  std::vector<std::uint32_t> local_;         // position in its own partition
  std::vector<BackEdge> back_edges_;
};

DGRAPH_DECL StepPlan partition(StepGraph& graph, const PlanOptions& options) {
  return Partitioner(graph, options).run();
}

}  // namespace dgraph::detail
