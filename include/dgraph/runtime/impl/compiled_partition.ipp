#pragma once
#include <dgraph/runtime/compiled_partition.hpp>

#include <algorithm>
#include <map>

namespace dgraph {

DGRAPH_DECL Ref<Counted> NodeStates::find_or_make(const Kernel& kernel, const KernelRequest& request,
                                                  std::uint64_t entropy) {
  std::lock_guard lock(mutex_);
  Ref<Counted>& state = states_[std::string(request.name)];
  if (!state) state = kernel.make_state(request, entropy);
  return state;
}

namespace detail {

DGRAPH_DECL ExecKind exec_kind(const PartitionNode& node, const Kernel& kernel) {
  switch (node.kind) {
    case PartitionNodeKind::Feed: return ExecKind::Feed;
    case PartitionNodeKind::Fetch: return ExecKind::Fetch;
    case PartitionNodeKind::Send: return ExecKind::Send;
    case PartitionNodeKind::Recv: return ExecKind::Recv;
    case PartitionNodeKind::Read: return ExecKind::Read;
    case PartitionNodeKind::Op: break;
  }
  const std::string& type = node.def->name;
  if (type == "Const") return ExecKind::Const;
  if (type == "NoOp") return ExecKind::NoOp;
  if (type == "Switch" || type == "RefSwitch") return ExecKind::Switch;
  if (type == "Merge" || type == "RefMerge") return ExecKind::Merge;
  if (type == "Enter" || type == "RefEnter") return ExecKind::Enter;
  if (type == "Exit" || type == "RefExit") return ExecKind::Exit;
  if (type == "NextIteration" || type == "RefNextIteration") return ExecKind::NextIteration;
  if (type == "LoopCond") return ExecKind::Forward;
  if (type == "ControlTrigger") return ExecKind::ControlTrigger;
  if (!kernel.run)
    fail(Code::Unimplemented, "op ", type, " has no kernel");
  return kernel.async ? ExecKind::Async : ExecKind::Kernel;
}

// The values on a node's edges must be what its signature says: kernels trust them.
DGRAPH_DECL void check_partition_types(const PartitionDef& def, const PartitionNode& node) {
  const auto attr = [&node](int index) -> const AttrValue& { return (*node.attrs)[static_cast<std::size_t>(index)]; };
  const auto walk = [&](const std::vector<ArgDef>& args, std::size_t have, const char* side, auto at) {
    std::size_t k = 0;
    for (const ArgDef& arg : args) {
      std::int64_t length = 1;
      if (arg.number_attr >= 0) length = attr(arg.number_attr).get<std::int64_t>();
      if (arg.type_list_attr >= 0)
        length = static_cast<std::int64_t>(attr(arg.type_list_attr).get<std::vector<DType>>().size());
      for (std::int64_t i = 0; i < length; ++i, ++k) {
        const DType wanted = arg.type_list_attr >= 0
                                 ? attr(arg.type_list_attr).get<std::vector<DType>>()[static_cast<std::size_t>(i)]
                             : arg.type_attr >= 0 ? attr(arg.type_attr).get<DType>()
                                                  : arg.dtype;
        const PartitionOutput* value = k < have ? at(k) : nullptr;
        if (!value || value->dtype != wanted || value->ref != arg.ref)
          fail(Code::InvalidArgument, "malformed partition: ", side, " ", k, " (", arg.name, ") must be ",
               arg.ref ? "a variable" : "a value", " of ", dtype_name(wanted));
      }
    }
    if (k != have) fail(Code::InvalidArgument, "malformed partition: it has ", have, " ", side, "s, not ", k);
  };
  walk(node.def->inputs, node.inputs.size(), "input", [&](std::size_t k) {
    return &def.nodes[node.inputs[k].node].outputs[node.inputs[k].index];
  });
  walk(node.def->outputs, node.outputs.size(), "output", [&](std::size_t k) { return &node.outputs[k]; });
}

DGRAPH_DECL bool is_control_op(const PartitionNode& node, std::string_view type) {
  if (node.kind != PartitionNodeKind::Op) return false;
  std::string_view name = node.def->name;
  if (name.substr(0, 3) == "Ref") name.remove_prefix(3);
  return name == type;
}

}  // namespace detail

DGRAPH_DECL CompiledPartition::CompiledPartition(PartitionDef def, KernelLookup kernels, NodeStates& states,
                                                 Host& host)
    : def_(std::move(def)) {
  check();
  nodes_.resize(def_.nodes.size());
  find_frames();
  bind(kernels, states, host);
  lay_out();
}

DGRAPH_DECL ErrorPlace CompiledPartition::place(std::uint32_t node) const {
  const PartitionNode& n = def_.nodes[node];
  ErrorPlace out;
  out.node = n.name;
  if (n.kind == PartitionNodeKind::Op) out.op_type = n.def->name;
  out.device = n.device;
  return out;
}

DGRAPH_DECL void CompiledPartition::check() const {
  const auto wrong = [this](std::uint32_t node, const char* why) {
    Status status(Code::InvalidArgument, std::string("malformed partition: ") + why);
    throw Error(status.at(place(node)));
  };
  std::vector<bool> fed(def_.num_feeds), fetched(def_.num_fetches);
  std::vector<std::uint32_t> recvs, sends;
  for (std::uint32_t i = 0; i < def_.nodes.size(); ++i) {
    const PartitionNode& node = def_.nodes[i];
    for (const Endpoint& in : node.inputs)
      if (in.node >= def_.nodes.size() || in.index >= def_.nodes[in.node].outputs.size())
        wrong(i, "an input names no output");
    for (const std::uint32_t c : node.controls)
      if (c >= def_.nodes.size()) wrong(i, "a control input names no node");
    switch (node.kind) {
      case PartitionNodeKind::Feed:
        if (node.number >= def_.num_feeds || !node.inputs.empty() || node.outputs.size() != 1) wrong(i, "a feed");
        break;
      case PartitionNodeKind::Fetch:
        if (node.number >= def_.num_fetches || fetched[node.number] || node.inputs.size() != 1) wrong(i, "a fetch");
        fetched[node.number] = true;
        break;
      case PartitionNodeKind::Send:
        if (node.inputs.size() > 1 || !send_edge(node.number)) wrong(i, "a send");
        sends.push_back(node.number);
        break;
      case PartitionNodeKind::Recv:
        if (!node.inputs.empty() || node.outputs.size() > 1 || !recv_edge(node.number)) wrong(i, "a recv");
        recvs.push_back(node.number);
        break;
      case PartitionNodeKind::Read:
        if (node.inputs.size() != 1 || node.outputs.size() != 1) wrong(i, "a read");
        break;
      case PartitionNodeKind::Op:
        if (!node.def || !node.attrs || node.attrs->size() != node.def->attrs.size()) wrong(i, "a node without op");
        break;
    }
  }
  std::sort(recvs.begin(), recvs.end());
  std::sort(sends.begin(), sends.end());
  if (std::adjacent_find(recvs.begin(), recvs.end()) != recvs.end() ||
      std::adjacent_find(sends.begin(), sends.end()) != sends.end() || recvs.size() != def_.recvs.size() ||
      sends.size() != def_.sends.size() || std::find(fetched.begin(), fetched.end(), false) != fetched.end())
    fail(Code::InvalidArgument, "malformed partition: its edges or fetches do not match its nodes");
}

DGRAPH_DECL const PartitionEdge* CompiledPartition::recv_edge(std::uint32_t edge) const noexcept {
  for (const PartitionEdge& e : def_.recvs)
    if (e.number == edge) return &e;
  return nullptr;
}

DGRAPH_DECL const PartitionEdge* CompiledPartition::send_edge(std::uint32_t edge) const noexcept {
  for (const PartitionEdge& e : def_.sends)
    if (e.number == edge) return &e;
  return nullptr;
}

DGRAPH_DECL void CompiledPartition::find_frames() {
  const std::size_t n = def_.nodes.size();
  frames_.resize(1);
  // Consumers of each node, so that frames spread forwards from the nodes without inputs.
  std::vector<std::uint32_t> begin(n + 1, 0);
  const auto each_input = [this](std::uint32_t i, auto use) {
    for (const Endpoint& in : def_.nodes[i].inputs) use(in.node);
    for (const std::uint32_t c : def_.nodes[i].controls) use(c);
  };
  for (std::uint32_t i = 0; i < n; ++i) each_input(i, [&](std::uint32_t from) { ++begin[from + 1]; });
  for (std::size_t i = 0; i < n; ++i) begin[i + 1] += begin[i];
  std::vector<std::uint32_t> consumers(begin[n]), fill(begin.begin(), begin.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) each_input(i, [&](std::uint32_t from) { consumers[fill[from]++] = i; });

  constexpr std::uint32_t kUnset = ~std::uint32_t{0};
  std::vector<std::uint32_t> frame(n, kUnset), queue;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known;  // (parent, name)
  const auto wrong = [this](std::uint32_t i, const std::string& why) {
    Status status(Code::InvalidArgument, why);
    throw Error(status.at(place(i)));
  };
  const auto spread = [&](std::uint32_t i) {
    const PartitionNode& node = def_.nodes[i];
    std::uint32_t out = frame[i];
    if (detail::is_control_op(node, "Enter")) {
      const int name = node.def->attr_index("frame_name"), parallel = node.def->attr_index("parallel_iterations"),
                constant = node.def->attr_index("is_constant");
      const std::string& text = (*node.attrs)[static_cast<std::size_t>(name)].get<std::string>();
      const auto [at, fresh] = known.emplace(std::pair(out, text), static_cast<std::uint32_t>(frames_.size()));
      if (fresh) {
        frames_.emplace_back();
        frames_.back().parent = out;
        frames_.back().name = text;
      }
      out = at->second;
      const std::int64_t limit = (*node.attrs)[static_cast<std::size_t>(parallel)].get<std::int64_t>();
      frames_[out].parallel_iterations =
          static_cast<std::uint32_t>(std::clamp<std::int64_t>(limit, 1, 1 << 16));
      ++frames_[out].enters;
      nodes_[i].constant_enter = (*node.attrs)[static_cast<std::size_t>(constant)].get<bool>();
    } else if (detail::is_control_op(node, "Exit")) {
      if (out == 0) wrong(i, "an Exit outside a loop");
      frames_[out].exits.push_back(i);
      out = frames_[out].parent;
    } else if (detail::is_control_op(node, "NextIteration") && out == 0) {
      wrong(i, "a NextIteration outside a loop");
    }
    nodes_[i].frame = frame[i];
    nodes_[i].target_frame = out;
    for (std::uint32_t k = begin[i]; k < begin[i + 1]; ++k) {
      const std::uint32_t to = consumers[k];
      if (frame[to] == kUnset) {
        frame[to] = out;
        queue.push_back(to);
      } else if (frame[to] != out) {
        wrong(to, "its inputs come from different frames: " + def_.nodes[i].name + " is in frame \"" +
                      frames_[out].name + "\", others are in \"" + frames_[frame[to]].name + "\"");
      }
    }
  };
  for (std::uint32_t i = 0; i < n; ++i)
    if (def_.nodes[i].inputs.empty() && def_.nodes[i].controls.empty()) {
      frame[i] = 0;
      queue.push_back(i);
    }
  for (std::size_t at = 0; at < queue.size(); ++at) spread(queue[at]);
  if (queue.size() != n) {
    const auto lost = static_cast<std::uint32_t>(std::find(frame.begin(), frame.end(), kUnset) - frame.begin());
    wrong(lost, "it is part of a cycle that no loop makes");
  }
}

namespace detail {

// What a read does where it cannot be done at once.
DGRAPH_DECL void read_resource(KernelContext& context) {
  context.set_output(0, resource_as<VariableResource>(context.input(0)).read());
}

}  // namespace detail

DGRAPH_DECL void CompiledPartition::bind(KernelLookup kernels, NodeStates& states, Host& host) {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const PartitionNode& node = def_.nodes[i];
    detail::ExecNode& exec = nodes_[i];
    exec.dtypes = static_cast<std::uint32_t>(output_dtypes_.size());
    for (const PartitionOutput& out : node.outputs) output_dtypes_.push_back(out.dtype);
    Kernel kernel;
    try {
      if (node.kind == PartitionNodeKind::Op) {
        const KernelEntry* entry = kernels(node.def->name);
        if (!entry) fail(Code::NotFound, "this server has no op ", node.def->name);
        detail::check_partition_types(def_, node);
        std::vector<DType> inputs, outputs;
        for (const Endpoint& in : node.inputs) inputs.push_back(def_.nodes[in.node].outputs[in.index].dtype);
        for (const PartitionOutput& out : node.outputs) outputs.push_back(out.dtype);
        const KernelRequest request{*node.def, *node.attrs, node.name, inputs, outputs};
        kernel = entry->make(request);
        if (kernel.make_state) {
          node_states_.push_back(states.find_or_make(kernel, request, host.random_id()));
          exec.state = node_states_.back().get();
        }
      }
      exec.kind = detail::exec_kind(node, kernel);
      // In a loop they are many: each is what passes from one iteration to the body.
      if (exec.frame != 0 && exec.kind == detail::ExecKind::Kernel && node.def->name == "Identity")
        exec.kind = detail::ExecKind::Forward;
    } catch (const Error& error) {
      Status status = error.status();
      throw Error(status.at(place(i)));
    }
    exec.number = node.number;
    if (exec.kind == detail::ExecKind::Const) {
      exec.number = static_cast<std::uint32_t>(constants_.size());
      constants_.push_back((*node.attrs)[static_cast<std::size_t>(node.def->attr_index("value"))].get<Tensor>());
    }
    // Not with [] and =: g++ makes the entry before it asks for the size.
    if (exec.kind == detail::ExecKind::Recv) {
      std::uint32_t depth = 0;
      for (std::uint32_t frame = exec.frame; frame != 0; frame = frames_[frame].parent) ++depth;
      root_recvs_ += depth == 0;
      recv_ports_.emplace(node.number, RecvPort{i, static_cast<std::uint32_t>(recv_ports_.size()), depth});
    }
    exec.run = exec.kind == detail::ExecKind::Read ? &detail::read_resource : kernel.run;
    exec.cost = kernel.cost;
    exec.ns_each = kernel.ns_each;
    exec.config = kernel.config.get();
    if (kernel.config) kernels_.push_back(std::move(kernel));
  }
}

DGRAPH_DECL void CompiledPartition::lay_out() {
  const auto n = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    detail::ExecNode& exec = nodes_[i];
    const PartitionNode& node = def_.nodes[i];
    detail::ExecFrame& frame = frames_[exec.frame];
    exec.num_inputs = static_cast<std::uint32_t>(node.inputs.size());
    exec.num_outputs = static_cast<std::uint32_t>(node.outputs.size());
    exec.num_controls = static_cast<std::uint32_t>(node.controls.size());
    exec.local = frame.num_nodes++;
    exec.slot = frame.num_slots;
    frame.num_slots += exec.num_inputs;
    // A Merge counts its control inputs here and its data inputs apart; a Recv outside loops waits for its message.
    std::uint32_t pending = exec.num_controls + (exec.kind == detail::ExecKind::Merge ? 0 : exec.num_inputs);
    if (exec.kind == detail::ExecKind::Recv && exec.frame == 0) ++pending;
    frame.pending.push_back(pending);
    if (exec.frame == 0 && pending == 0 && exec.kind != detail::ExecKind::Merge) roots_.push_back(i);
    if (exec.frame != 0 && node.inputs.empty() && node.controls.empty()) {
      Status status(Code::InvalidArgument, "a node of a loop has no input from it");
      throw Error(status.at(place(i)));
    }
  }
  // Outgoing edges, those of one output together, the last data edge of each marked.
  std::vector<std::uint32_t> count(n + 1, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const Endpoint& in : def_.nodes[i].inputs) ++count[in.node + 1];
    for (const std::uint32_t c : def_.nodes[i].controls) ++count[c + 1];
  }
  for (std::uint32_t i = 0; i < n; ++i) count[i + 1] += count[i];
  edges_.resize(count[n]);
  for (std::uint32_t i = 0; i < n; ++i) nodes_[i].edge_begin = nodes_[i].edge_end = count[i];
  for (std::uint32_t i = 0; i < n; ++i) {
    const detail::ExecNode& to = nodes_[i];
    const bool merge = to.kind == detail::ExecKind::Merge;
    for (std::uint32_t k = 0; k < to.num_inputs; ++k) {
      const Endpoint& in = def_.nodes[i].inputs[k];
      edges_[nodes_[in.node].edge_end++] = {i, to.local, to.slot + k, static_cast<std::uint16_t>(in.index), merge, false};
    }
    for (const std::uint32_t c : def_.nodes[i].controls)
      edges_[nodes_[c].edge_end++] = {i, to.local, detail::kControlSlot, 0, merge, false};
  }
  for (detail::ExecNode& exec : nodes_) {
    // Data edges first: a control successor sees its node done, all values delivered.
    std::stable_sort(edges_.begin() + exec.edge_begin, edges_.begin() + exec.edge_end,
                     [](const detail::ExecEdge& a, const detail::ExecEdge& b) {
                       const bool ca = a.slot == detail::kControlSlot, cb = b.slot == detail::kControlSlot;
                       return ca != cb ? cb : a.output < b.output;
                     });
    for (std::uint32_t k = exec.edge_begin; k < exec.edge_end; ++k) {
      if (edges_[k].slot == detail::kControlSlot) break;
      edges_[k].last = k + 1 == exec.edge_end || edges_[k + 1].slot == detail::kControlSlot ||
                       edges_[k + 1].output != edges_[k].output;
    }
  }
}

}  // namespace dgraph
