#pragma once
#include <dgraph/runtime/placer.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

namespace dgraph::detail {

// The devices that a step may use, the preferred ones first.
class DeviceTable {
 public:
  struct Device {
    std::uint32_t task;
    const DeviceSpec* spec;
  };
  struct Match {
    std::uint32_t device = kNoIndex;
    PlaceReason reason = PlaceReason::None;
  };

  explicit DeviceTable(const PlanOptions& options) : soft_(options.config.allow_soft_placement) {
    std::vector<DeviceSpec> filters;
    for (const std::string& text : options.config.device_filters)
      filters.push_back(DeviceSpec::parse(text));
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t i = 0; i < options.tasks.size(); ++i) {
      const DeviceSpec& task = options.tasks[i].task;
      const auto seen = [&](const DeviceSpec& filter) { return filter.task_part().matches(task); };
      if (i == options.master || filters.empty() ||
          std::any_of(filters.begin(), filters.end(), seen))
        tasks.push_back(i);
    }
    const auto order = [&](std::uint32_t i) {
      const DeviceSpec& task = options.tasks[i].task;
      return std::tuple(i != options.master, task.job.value_or(""), task.replica.value_or(0),
                        task.task.value_or(0));
    };
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](auto a, auto b) { return order(a) < order(b); });
    for (std::uint32_t i : tasks)
      for (const DeviceSpec& device : options.tasks[i].devices) devices_.push_back({i, &device});
    if (devices_.empty() || devices_[0].task != options.master)
      fail(Code::Internal, "the master's task has no device to place nodes on");
  }

  const std::vector<Device>& devices() const noexcept { return devices_; }
  const Device& operator[](std::uint32_t i) const noexcept { return devices_[i]; }

  // kNoIndex where no device matches.
  Match find(const DeviceSpec& asked) const {
    Match out = first(asked);
    if (out.device == kNoIndex && soft_) {
      out = first(asked.task_part());
      out.reason = PlaceReason::Soft;
    }
    return out;
  }
  // The same for an interned name, remembered.
  Match find(const DeviceName* asked) {
    if (asked == last_name_) return last_;
    const auto [at, fresh] = found_.try_emplace(asked);
    if (fresh) at->second = find(asked->spec);
    last_name_ = asked;
    return last_ = at->second;
  }
  // True where all devices that match are one task's.
  bool one_task(const DeviceSpec& asked) const {
    std::uint32_t task = kNoIndex;
    for (const Device& device : devices_)
      if (asked.task_part().matches(*device.spec)) {
        if (task != kNoIndex && task != device.task) return false;
        task = device.task;
      }
    return true;
  }
  bool soft() const noexcept { return soft_; }

  [[noreturn]] void none_matches(const Node& node, const DeviceSpec& asked) const {
    std::vector<std::string> names;
    for (const Device& device : devices_) names.push_back(device.spec->to_string());
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    Status status = errors::InvalidArgument(
        "Cannot assign a device for operation ", node.name, ": it asks for ", asked,
        ", which no task of the cluster has. Available devices: [", list, "]");
    throw Error(status.at(node.place()));
  }

 private:
  Match first(const DeviceSpec& asked) const {
    Match out;
    for (std::uint32_t i = 0; i < devices_.size(); ++i) {
      if (!asked.matches(*devices_[i].spec)) continue;
      if (out.device == kNoIndex) {
        out = {i, PlaceReason::Asked};
      } else if (devices_[i].task != devices_[out.device].task) {
        out.reason = PlaceReason::AskedAny;
        break;
      }
    }
    return out;
  }

  bool soft_;
  std::vector<Device> devices_;
  std::unordered_map<const DeviceName*, Match> found_;
  const DeviceName* last_name_ = nullptr;
  Match last_;
};

class Placer {
 public:
  Placer(StepGraph& graph, const PlanOptions& options)
      : graph_(graph),
        options_(options),
        table_(options),
        count_(static_cast<std::uint32_t>(graph.nodes.size())) {
    for (const DeviceTable::Device& device : table_.devices()) {
      graph.devices.push_back(device.spec->to_string());
      graph.device_tasks.push_back(device.task);
    }
  }

  void run() {
    place_groups();
    place_alone();
    place_followers();
  }

 private:
  enum class Role : std::uint8_t { None, Grouped, Holder, Follower };

  // Members are positions in the step and, beyond them, nodes of the graph that the step does not
  // run and names of none.
  struct Group {
    DeviceSpec spec;
    std::vector<std::uint32_t> asking;  // members whose devices made the spec
    std::uint32_t holder = kNoIndex;    // the first member that holds state
    DeviceTable::Match match;
  };

  const Node* node_of(std::uint32_t member) const {
    return member < count_ ? graph_.nodes[member].node : outside_[member - count_];
  }

  std::uint32_t root(std::uint32_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }

  std::uint32_t add_outside(const Node* node) {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    outside_.push_back(node);
    bool follows = false;
    if (node)
      for (const Endpoint& in : node->input_span()) follows |= is_handle(graph_.graph->info(in));
    roles_.push_back(follows ? Role::Follower : Role::Grouped);
    return parent_.back();
  }

  std::uint32_t member_of(NodeId id) {
    const std::uint32_t position = graph_.position[id];
    if (position != kNoIndex && graph_.nodes[position].alive) return position;
    const auto [at, fresh] = outside_ids_.try_emplace(id, 0);
    if (fresh) at->second = add_outside(&graph_.graph->node(id));
    return at->second;
  }

  std::uint32_t member_named(std::string_view name) {
    if (name.substr(0, 5) == "loc:@") name.remove_prefix(5);
    const NodeId id = graph_.graph->find(name);
    if (id != kNoNode && id < graph_.version) return member_of(id);
    const auto [at, fresh] = outside_names_.try_emplace(std::string(name), 0);
    if (fresh) at->second = add_outside(nullptr);
    return at->second;
  }

  void join_colocated(std::uint32_t member, const std::vector<std::string>& names) {
    const auto [at, fresh] = colocations_.try_emplace(&names);
    if (fresh)
      for (const std::string& name : names) at->second.push_back(member_named(name));
    roles_[member] = std::max(roles_[member], Role::Grouped);
    for (std::uint32_t other : at->second) {
      roles_[other] = std::max(roles_[other], Role::Grouped);
      parent_[root(other)] = root(member);
    }
  }

  // Also what is colocated with those outside the step.
  void join_outside() {
    for (; joined_ < outside_.size(); ++joined_) {
      const Node* node = outside_[joined_];
      if (node && node->colocation)
        join_colocated(static_cast<std::uint32_t>(count_ + joined_), *node->colocation);
    }
  }

  Role role_of(const StepNode& node) const {
    if (!graph_.has_handles) return Role::None;
    for (const Endpoint& in : graph_.inputs_of(node))
      if (is_handle(graph_.output(in))) return Role::Follower;
    for (std::uint32_t i = 0; i < node.num_outputs; ++i)
      if (is_handle(node.outputs[i])) return Role::Holder;
    return Role::None;
  }

  void place_groups() {
    bool any = graph_.has_handles;
    for (const StepNode& node : graph_.nodes) any |= node.node->colocation != nullptr;
    if (!any) return;
    parent_.resize(count_);
    roles_.resize(count_, Role::None);
    for (std::uint32_t i = 0; i < count_; ++i) {
      parent_[i] = i;
      if (graph_.nodes[i].alive && i >= graph_.num_feeds) roles_[i] = role_of(graph_.nodes[i]);
    }
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i) {
      const StepNode& node = graph_.nodes[i];
      if (node.alive && node.kind == PartitionNodeKind::Op && node.node->colocation)
        join_colocated(i, *node.node->colocation);
    }
    join_outside();
    place_holders();
    join_handles();
    collect_asked();
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i)
      if (roles_[i] != Role::None) place_member(i);
  }

  // What members ask for, by group. Those on handles have no say. Groups placed before stay, and
  // their new members must fit.
  void collect_asked() {
    for (auto it = groups_.begin(); it != groups_.end();)
      it = it->second.match.device == kNoIndex ? groups_.erase(it) : std::next(it);
    for (std::uint32_t member = graph_.num_feeds; member < parent_.size(); ++member) {
      if (roles_[member] == Role::None || roles_[member] == Role::Follower || !node_of(member))
        continue;
      Group& group = groups_[root(member)];
      if (group.match.device == kNoIndex)
        ask(group, member);
      else
        check_fits(group, *node_of(member));
    }
  }

  [[noreturn]] void contradiction(const Node& a, const std::string& device_a, const Node& b) {
    Status status =
        errors::InvalidArgument("Cannot colocate nodes ", a.name, " and ", b.name, ": ", a.name,
                                " is for ", device_a, ", ", b.name, " for ", b.device->text);
    throw Error(status.at(b.place()));
  }

  // With soft placement only the task counts.
  DeviceSpec counted(const DeviceSpec& asked) const {
    return table_.soft() ? asked.task_part() : asked;
  }

  void ask(Group& group, std::uint32_t member) {
    const Node& node = *node_of(member);
    const DeviceSpec& asked = node.device->spec;
    if (asked.empty() ||
        (!group.asking.empty() && node_of(group.asking.back())->device == node.device))
      return;
    std::optional<DeviceSpec> merged = group.spec.merged_with(asked);
    if (!merged) merged = counted(group.spec).merged_with(counted(asked));
    if (!merged) {
      const auto other =
          std::find_if(group.asking.begin(), group.asking.end(), [&](std::uint32_t before) {
            return !counted(node_of(before)->device->spec).merged_with(counted(asked));
          });
      contradiction(*node_of(*other), node_of(*other)->device->text, node);
    }
    group.spec = std::move(*merged);
    group.asking.push_back(member);
  }

  void check_fits(const Group& group, const Node& node) {
    const DeviceSpec& device = *table_[group.match.device].spec;
    if (!counted(node.device->spec).matches(device))
      contradiction(*node_of(group.holder), device.to_string(), node);
  }

  void match(Group& group) {
    if (group.spec.empty()) {
      group.match = {0, PlaceReason::Master};
      return;
    }
    group.match = table_.find(group.spec);
    if (group.match.device == kNoIndex)
      table_.none_matches(*node_of(group.asking.front()), group.spec);
  }

  // State goes where it goes in every step of the session: ops on it have no say, and all that is
  // colocated with it has one, also what this step does not run.
  void place_holders() {
    collect_asked();
    bool open = false;
    for (std::uint32_t i = graph_.num_feeds; i < count_ && options_.tasks.size() > 1; ++i)
      open |= roles_[i] == Role::Holder && !table_.one_task(groups_[root(i)].spec);
    if (open) {
      for (NodeId id = 0; id < graph_.version; ++id)
        if (graph_.graph->node(id).colocation) member_of(id);
      join_outside();
      collect_asked();
    }
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i) {
      if (roles_[i] != Role::Holder) continue;
      Group& group = groups_[root(i)];
      if (group.holder != kNoIndex) continue;
      group.holder = i;
      match(group);
    }
  }

  // An op goes where the state is that it works on.
  void join_handles() {
    for (std::uint32_t i = graph_.num_feeds; i < count_; ++i) {
      if (roles_[i] != Role::Follower || !graph_.nodes[i].alive) continue;
      for (const Endpoint& in : graph_.inputs_of(graph_.nodes[i]))
        if (is_handle(graph_.output(in))) join_state(i, in.node);
    }
  }

  void join_state(std::uint32_t op, std::uint32_t state) {
    const std::uint32_t a = root(state), b = root(op);
    if (a == b) return;
    const auto placed = [&](std::uint32_t at) -> const Group* {
      const auto found = groups_.find(at);
      return found != groups_.end() && found->second.holder != kNoIndex ? &found->second : nullptr;
    };
    const Group *there = placed(a), *here = placed(b);
    if (there && here && table_[there->match.device].task != table_[here->match.device].task) {
      const Node &node = *node_of(op), &first = *node_of(here->holder),
                 &second = *node_of(there->holder);
      Status status = errors::InvalidArgument(
          "Cannot colocate nodes ", first.name, " and ", second.name, ", both of which ", node.name,
          " works on: ", first.name, " is on ", graph_.devices[here->match.device], ", ",
          second.name, " on ", graph_.devices[there->match.device]);
      throw Error(status.at(node.place()));
    }
    // The root is the one whose group is placed.
    if (here && !there)
      parent_[a] = b;
    else
      parent_[b] = a;
  }

  void place_member(std::uint32_t i) {
    StepNode& node = graph_.nodes[i];
    Group& group = groups_[root(i)];
    if (group.match.device == kNoIndex) match(group);
    put(node, group.match);
    if (roles_[i] == Role::Follower) {
      node.reason = PlaceReason::Variable;
      node.reason_node = node_of(group.holder)->id;
    } else if (node.node->device->spec.empty() && !group.asking.empty()) {
      node.reason = PlaceReason::Colocated;
      node.reason_node = node_of(group.asking.front())->id;
    }
  }

  void put(StepNode& node, DeviceTable::Match match) {
    node.device = match.device;
    node.task = table_[match.device].task;
    node.reason = match.reason;
  }

  // Only constants, Placeholders and NoOps: to be put where their consumers are.
  static bool is_movable(const StepNode& node) {
    return node.kind == PartitionNodeKind::Op &&
           (node.facts->kind == OpClass::Const || node.facts->kind == OpClass::NoOp ||
            node.facts->kind == OpClass::Placeholder);
  }

  void place_alone() {
    for (std::uint32_t i = graph_.num_feeds; i < graph_.nodes.size(); ++i) {
      StepNode& node = graph_.nodes[i];
      if (node.task != kNoIndex) continue;
      if (!node.node->device->spec.empty()) {
        const DeviceTable::Match match = table_.find(node.node->device);
        if (match.device == kNoIndex) table_.none_matches(*node.node, node.node->device->spec);
        put(node, match);
        continue;
      }
      if (!node.alive || is_movable(node)) continue;
      const OpClass kind = node.facts->kind;
      if (kind == OpClass::Shape || kind == OpClass::Size || kind == OpClass::Rank) {
        const std::uint32_t source = graph_.inputs_of(node)[0].node;
        if (source >= graph_.num_feeds && graph_.nodes[source].task != kNoIndex) {
          put(node, {graph_.nodes[source].device, PlaceReason::Producer});
          node.reason_node = graph_.nodes[source].node->id;
          continue;
        }
      }
      put(node, {0, PlaceReason::Master});
    }
  }

  void place_followers() {
    constexpr std::uint32_t kMany = kNoIndex - 1;
    std::vector<std::uint32_t> wanted(graph_.nodes.size(), kNoIndex),
        by(graph_.nodes.size(), kNoIndex);
    for (auto i = static_cast<std::uint32_t>(graph_.nodes.size()); i-- > graph_.num_feeds;) {
      StepNode& node = graph_.nodes[i];
      if (!node.alive) continue;
      if (node.task == kNoIndex) {
        if (wanted[i] == kNoIndex || wanted[i] == kMany) {
          put(node, {0, PlaceReason::Master});
        } else {
          put(node, {wanted[i], PlaceReason::Consumer});
          node.reason_node = graph_.nodes[by[i]].node->id;
        }
      }
      const auto want = [&](std::uint32_t source) {
        if (graph_.nodes[source].task != kNoIndex) return;
        if (wanted[source] == kNoIndex)
          wanted[source] = node.device, by[source] = i;
        else if (wanted[source] != node.device)
          wanted[source] = kMany;
      };
      for (const Endpoint& in : graph_.inputs_of(node)) want(in.node);
      for (std::uint32_t control : graph_.controls_of(node)) want(control);
    }
  }

  StepGraph& graph_;
  const PlanOptions& options_;
  DeviceTable table_;
  const std::uint32_t count_;
  std::vector<std::uint32_t> parent_;
  std::vector<Role> roles_;
  std::vector<const Node*> outside_;
  std::size_t joined_ = 0;
  std::unordered_map<NodeId, std::uint32_t> outside_ids_;
  std::unordered_map<std::string, std::uint32_t> outside_names_;
  std::unordered_map<const std::vector<std::string>*, std::vector<std::uint32_t>> colocations_;
  std::unordered_map<std::uint32_t, Group> groups_;  // by root
};

DGRAPH_DECL void place(StepGraph& graph, const PlanOptions& options) {
  Placer(graph, options).run();
}

}  // namespace dgraph::detail
