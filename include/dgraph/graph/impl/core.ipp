#pragma once
#include <dgraph/graph/core.hpp>

#include <algorithm>

#include <dgraph/graph/flow.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

DGRAPH_DECL const AttrValue& Node::attr(std::string_view attr_name) const {
  const int index = def->attr_index(attr_name);
  if (index < 0) fail(Code::Internal, "op ", def->name, " has no attribute ", attr_name);
  return (*attrs)[static_cast<std::size_t>(index)];
}

DGRAPH_DECL ErrorPlace Node::place() const {
  ErrorPlace out;
  out.node = name;
  out.op_type = def->name;
  out.device = device ? device->text : std::string();
  out.location = location.to_string();
  return out;
}

namespace detail {

DGRAPH_DECL void check_node_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  bool right = !name.empty() && (letter(name[0]) || name[0] == '.');
  for (char c : name) right = right && (letter(c) || c == '_' || c == '.' || c == '-' || c == '/' || c == '>');
  if (!right)
    fail(Code::InvalidArgument, "\"", name,
         "\" is no name of a node: letters, digits and _ . - / > make one, a letter, digit or . first");
}

DGRAPH_DECL void check_attr(const OpDef& def, const AttrDef& attr, const AttrValue& value) {
  const auto wrong = [&](const std::string& why) {
    fail(Code::InvalidArgument, "attribute ", attr.name, " of ", def.name, ": ", why);
  };
  const auto check_type = [&](DType dtype) {
    if (attr.allowed_types.bits && !attr.allowed_types.contains(dtype))
      wrong(errors::text("dtype ", dtype_name(dtype), " is not among ", attr.allowed_types.to_string()));
  };
  const auto check_string = [&](const std::string& text) {
    const auto& allowed = attr.allowed_strings;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      std::string all;
      for (const auto& one : allowed) all += (all.empty() ? "" : ", ") + one;
      wrong(errors::text("\"", text, "\" is not among ", all));
    }
  };
  const auto check_length = [&](std::size_t length) {
    if (attr.has_minimum && static_cast<std::int64_t>(length) < attr.minimum)
      wrong(errors::text("needs at least ", attr.minimum, " values, not ", length));
  };
  bool right = false;
  const auto list_of = [&](const auto* values) {
    right = values != nullptr;
    if (values) check_length(values->size());
    return values;
  };
  const auto& v = value.variant();
  switch (attr.kind) {
    case AttrKind::Int:
      if (attr.list) {
        list_of(std::get_if<std::vector<std::int64_t>>(&v));
      } else if (const auto* x = std::get_if<std::int64_t>(&v)) {
        right = true;
        if (attr.has_minimum && *x < attr.minimum) wrong(errors::text(*x, " is below ", attr.minimum));
      }
      break;
    case AttrKind::Float:
      right = !attr.list && value.holds<float>();
      if (attr.list) list_of(std::get_if<std::vector<float>>(&v));
      break;
    case AttrKind::Bool:
      right = !attr.list && value.holds<bool>();
      if (attr.list) list_of(std::get_if<std::vector<bool>>(&v));
      break;
    case AttrKind::String:
      if (attr.list) {
        if (const auto* list = list_of(std::get_if<std::vector<std::string>>(&v)))
          for (const auto& x : *list) check_string(x);
      } else if (const auto* x = std::get_if<std::string>(&v)) {
        right = true;
        check_string(*x);
      }
      break;
    case AttrKind::Type:
      if (attr.list) {
        if (const auto* list = list_of(std::get_if<std::vector<DType>>(&v)))
          for (DType x : *list) check_type(x);
      } else if (const auto* x = std::get_if<DType>(&v)) {
        right = true;
        check_type(*x);
      }
      break;
    case AttrKind::Shape:
      right = !attr.list && value.holds<PartialShape>();
      if (attr.list) list_of(std::get_if<std::vector<PartialShape>>(&v));
      break;
    case AttrKind::Tensor: right = !attr.list && value.holds<Tensor>(); break;
  }
  if (!right)
    wrong(value.has_value() ? errors::text("the value ", value, " is of another kind")
                            : std::string("is missing and cannot be inferred"));
}

}  // namespace detail

DGRAPH_DECL GraphCore::GraphCore() = default;
DGRAPH_DECL GraphCore::~GraphCore() = default;

DGRAPH_DECL void GraphCore::keep_flow(std::unique_ptr<FlowContext> context) {
  std::lock_guard lock(mutex_);
  flows_.push_back(std::move(context));
}

DGRAPH_DECL void GraphCore::check_inputs(std::span<const Endpoint> inputs) const {
  const std::size_t count = nodes_.size();
  for (const Endpoint& in : inputs)
    if (in.node >= count || in.index >= nodes_[in.node].num_outputs)
      fail(Code::InvalidArgument, "an input is no output of this graph");
}

DGRAPH_DECL void GraphCore::check_outside(std::span<const Endpoint> inputs) const {
  const std::size_t count = nodes_.size();
  for (const Endpoint& in : inputs)
    if (in.node < count && DGRAPH_UNLIKELY(nodes_[in.node].flow != nullptr))
      fail(Code::InvalidArgument, nodes_[in.node].name,
           " is computed inside a branch or loop: only what that returns can be used outside");
}

DGRAPH_DECL NodeId GraphCore::add(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> attrs,
                                  const AddOptions& options) {
  static const Scope empty_scope;
  const Scope& scope = options.scope ? *options.scope : empty_scope;
  std::string name;
  bool exact = options.exact_name;
  if (exact) {
    name = options.name;
  } else if (options.name.size() > 1 && options.name.back() == '/') {
    exact = true;
    name = options.name.substr(0, options.name.size() - 1);
  } else {
    name.reserve(scope.name_prefix.size() + std::max(options.name.size(), def.name.size()));
    name += scope.name_prefix;
    name += options.name.empty() ? std::string_view(def.name) : options.name;
  }
  const DeviceName* device = nullptr;
  try {
    if (!options.name.empty()) detail::check_node_name(name);
    // A device function is the user's code and may build nodes: it runs before the lock.
    DeviceSpec spec = scope.device;
    if (scope.device_function) spec = (*scope.device_function)(NodeDraft{&def, name}, spec);
    FlowContext* const flow = options.own_flow ? options.flow : scope.flow;
    std::vector<Endpoint> inside;
    std::vector<NodeId> controls;
    std::span<const NodeId> scope_controls = scope.controls, own_controls = options.controls;
    if (flow && !options.own_flow) {
      check_inputs(inputs);
      inside.assign(inputs.begin(), inputs.end());
      controls.assign(own_controls.begin(), own_controls.end());
      controls.insert(controls.end(), scope_controls.begin(), scope_controls.end());
      flow->bring_in(*this, inside, controls);
      inputs = inside;
      own_controls = controls;
      scope_controls = {};
    }
    if (!flow && !options.own_flow) check_outside(inputs);
    std::lock_guard lock(mutex_);
    device = intern_device(spec);
    const NodeId id = add_locked(def, inputs, attrs, options, scope_controls, own_controls, name, exact, device);
    if (flow) flow->note_node(id);
    return id;
  } catch (const Error& error) {
    Status status = error.status();
    throw Error(status.at({name, def.name, device ? device->text : "", "", options.location.to_string()}));
  }
}

DGRAPH_DECL NodeId GraphCore::add_locked(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> attrs,
                                         const AddOptions& options, std::span<const NodeId> scope_controls,
                                         std::span<const NodeId> own_controls, std::string_view name, bool exact,
                                         const DeviceName* device) {
  static const Scope empty_scope;
  const Scope& scope = options.scope ? *options.scope : empty_scope;
  if (finalized_) fail(Code::FailedPrecondition, "the graph is finalized");
  const std::size_t count = nodes_.size();
  if (count >= kNoNode) fail(Code::ResourceExhausted, "a graph has at most 2^32 - 1 nodes");
  check_inputs(inputs);

  AttrList& list = scratch_attrs_;
  list.assign(def.attrs.size(), AttrValue());
  fill_attrs(def, inputs, attrs, list);
  if (!scope.container.empty()) {
    const int index = def.attr_index("container");
    if (index >= 0 && list[static_cast<std::size_t>(index)] == AttrValue(std::string()))
      list[static_cast<std::size_t>(index)] = scope.container;
  }

  Node node;
  node.def = &def;
  node.device = device;
  node.location = options.location;
  node.flow = options.own_flow ? options.flow : scope.flow;
  make_outputs(node, def, list);

  std::vector<PartialShape> shapes(node.num_outputs);
  if (!options.shapes.empty()) {
    if (options.shapes.size() != shapes.size())
      fail(Code::InvalidArgument, options.shapes.size(), " shapes are given for ", shapes.size(), " outputs");
    std::copy(options.shapes.begin(), options.shapes.end(), shapes.begin());
  } else {
    detail::run_shape_rule(*this, def, list, inputs, scratch_outputs_, shapes);
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) scratch_outputs_[i].shape = intern_shape(shapes[i]);

  std::vector<NodeId>& controls = scratch_controls_;
  controls.clear();
  const auto control = [&](NodeId id) {
    if (id >= count) fail(Code::InvalidArgument, "a control input is no node of this graph");
    const bool implied = std::any_of(inputs.begin(), inputs.end(), [id](const Endpoint& e) { return e.node == id; });
    if (!implied && std::find(controls.begin(), controls.end(), id) == controls.end()) controls.push_back(id);
  };
  for (NodeId id : scope_controls) control(id);
  for (NodeId id : own_controls) control(id);

  // Nothing below can fail but for memory: the name is taken last.
  node.inputs = arena_.copy(inputs);
  node.num_inputs = static_cast<std::uint32_t>(inputs.size());
  node.controls = arena_.copy(std::span<const NodeId>(controls));
  node.num_controls = static_cast<std::uint32_t>(controls.size());
  node.outputs = arena_.copy(std::span<const OutputInfo>(scratch_outputs_));
  node.attrs = intern_attrs(std::move(list));
  if (!scope.colocation.empty())
    node.colocation = !colocations_.empty() && colocations_.back() == scope.colocation
                          ? &colocations_.back()
                          : &colocations_.emplace_back(scope.colocation);
  node.name = take_name(name, exact);
  node.id = static_cast<NodeId>(count);
  names_.find(node.name)->second.node = node.id;
  nodes_.push_back(node);
  return node.id;
}

DGRAPH_DECL void GraphCore::infer_counts(const OpDef& def, std::size_t num_inputs, AttrList& list) const {
  std::size_t singles = 0, lists = 0;
  int open = -1;  // the one count that the number of inputs decides
  for (const ArgDef& arg : def.inputs) {
    if (!arg.is_list()) {
      ++singles;
      continue;
    }
    const int index = arg.number_attr >= 0 ? arg.number_attr : arg.type_list_attr;
    const AttrValue& value = list[static_cast<std::size_t>(index)];
    if (value.has_value()) {
      singles += arg.number_attr >= 0 ? static_cast<std::size_t>(std::max<std::int64_t>(value.get<std::int64_t>(), 0))
                                      : value.get<std::vector<DType>>().size();
      continue;
    }
    if (open >= 0 && open != index)
      fail(Code::InvalidArgument, "attribute ", def.attrs[static_cast<std::size_t>(index)].name, " must be given");
    open = index;
    ++lists;
  }
  if (num_inputs < singles || (lists == 0 && num_inputs != singles) || (lists && (num_inputs - singles) % lists))
    fail(Code::InvalidArgument, "takes ", singles, lists ? " or more" : "", " inputs, not ", num_inputs);
  if (open >= 0) {
    const std::size_t length = (num_inputs - singles) / lists;
    if (def.attrs[static_cast<std::size_t>(open)].kind == AttrKind::Int)
      list[static_cast<std::size_t>(open)] = length;
    else
      list[static_cast<std::size_t>(open)] = std::vector<DType>(length, DType::Invalid);
  }
}

DGRAPH_DECL void GraphCore::infer_types(const OpDef& def, std::span<const Endpoint> inputs, AttrList& list) const {
  std::size_t at = 0;
  for (const ArgDef& arg : def.inputs) {
    std::size_t length = 1;
    if (arg.number_attr >= 0)
      length = static_cast<std::size_t>(list[static_cast<std::size_t>(arg.number_attr)].get<std::int64_t>());
    else if (arg.type_list_attr >= 0)
      length = list[static_cast<std::size_t>(arg.type_list_attr)].get<std::vector<DType>>().size();
    for (std::size_t k = 0; k < length; ++k, ++at) {
      const OutputInfo& in = info(inputs[at]);
      if (arg.ref && !in.ref)
        fail(Code::InvalidArgument, "input ", at, " (", arg.name, ") must be a variable, not the value ",
             nodes_[inputs[at].node].name);
      DType wanted = arg.dtype;
      if (arg.type_attr >= 0) {
        AttrValue& value = list[static_cast<std::size_t>(arg.type_attr)];
        if (!value.has_value()) value = in.dtype;
        wanted = value.get<DType>();
      } else if (arg.type_list_attr >= 0) {
        AttrValue& value = list[static_cast<std::size_t>(arg.type_list_attr)];
        if (value.get<std::vector<DType>>()[k] == DType::Invalid) {
          auto types = value.get<std::vector<DType>>();
          types[k] = in.dtype;
          value = std::move(types);
        }
        wanted = value.get<std::vector<DType>>()[k];
      }
      if (in.dtype != wanted)
        fail(Code::InvalidArgument, "input ", at, " (", arg.name, ") must be of ", dtype_name(wanted), ", but ",
             nodes_[inputs[at].node].name, " is of ", dtype_name(in.dtype));
    }
  }
}

DGRAPH_DECL void GraphCore::fill_attrs(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> given,
                                       AttrList& list) const {
  for (AttrArg& arg : given) {
    const int index = def.attr_index(arg.name);
    if (index < 0) fail(Code::InvalidArgument, "there is no attribute ", arg.name);
    const AttrDef& attr = def.attrs[static_cast<std::size_t>(index)];
    AttrValue value = std::move(arg.value);
    // An empty list literal has no element kind of its own.
    if (attr.list && value.holds<std::vector<std::int64_t>>() && value.get<std::vector<std::int64_t>>().empty() &&
        attr.kind != AttrKind::Int)
      value = attr.kind == AttrKind::Float    ? AttrValue(std::vector<float>())
              : attr.kind == AttrKind::Bool   ? AttrValue(std::vector<bool>())
              : attr.kind == AttrKind::String ? AttrValue(std::vector<std::string>())
              : attr.kind == AttrKind::Type   ? AttrValue(std::vector<DType>())
                                              : AttrValue(std::vector<PartialShape>());
    if (attr.kind == AttrKind::Float && !attr.list && value.holds<std::int64_t>())
      value = static_cast<float>(value.get<std::int64_t>());
    detail::check_attr(def, attr, value);
    list[static_cast<std::size_t>(index)] = std::move(value);
  }
  infer_counts(def, inputs.size(), list);
  infer_types(def, inputs, list);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].has_value())
      list[i] = def.attrs[i].default_value;
    if (def.attrs[i].inferred || !list[i].has_value()) detail::check_attr(def, def.attrs[i], list[i]);
  }
}

DGRAPH_DECL void GraphCore::make_outputs(Node& node, const OpDef& def, const AttrList& list) {
  scratch_outputs_.clear();
  for (const ArgDef& arg : def.outputs) {
    OutputInfo out{arg.dtype, arg.ref, nullptr};
    if (arg.type_list_attr >= 0) {
      for (DType dtype : list[static_cast<std::size_t>(arg.type_list_attr)].get<std::vector<DType>>()) {
        out.dtype = dtype;
        scratch_outputs_.push_back(out);
      }
      continue;
    }
    if (arg.type_attr >= 0) out.dtype = list[static_cast<std::size_t>(arg.type_attr)].get<DType>();
    const std::int64_t length =
        arg.number_attr >= 0 ? list[static_cast<std::size_t>(arg.number_attr)].get<std::int64_t>() : 1;
    if (length > (1 << 20)) fail(Code::InvalidArgument, "a node has at most 2^20 outputs");
    for (std::int64_t k = 0; k < length; ++k) scratch_outputs_.push_back(out);
  }
  node.num_outputs = static_cast<std::uint32_t>(scratch_outputs_.size());
}

DGRAPH_DECL NodeId GraphCore::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto at = names_.find(name);
  return at == names_.end() ? kNoNode : at->second.node;
}

DGRAPH_DECL Output GraphCore::output(std::string_view name) {
  std::uint32_t index = 0;
  std::string_view node_name = name;
  if (const auto colon = name.rfind(':'); colon != std::string_view::npos) {
    node_name = name.substr(0, colon);
    const std::string digits(name.substr(colon + 1));
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
      fail(Code::InvalidArgument, "\"", name, "\" is no name of an output: it should be node or node:number");
    index = static_cast<std::uint32_t>(std::stoul(digits));
  }
  const NodeId id = find(node_name);
  if (id == kNoNode) fail(Code::NotFound, "the graph has no node \"", node_name, "\"");
  const std::uint32_t outputs = node(id).num_outputs;
  if (index >= outputs && !(index == 0 && outputs == 0))
    fail(Code::InvalidArgument, "node ", node_name, " has ", outputs, " outputs, not ", index + 1);
  return Output(this, id, index);
}

DGRAPH_DECL std::string_view GraphCore::intern(std::string_view text) {
  char* memory = arena_.allocate<char>(text.size());
  std::copy(text.begin(), text.end(), memory);
  return {memory, text.size()};
}

DGRAPH_DECL std::size_t GraphCore::NameHash::operator()(std::string_view s) const noexcept {
  // The last characters are those that differ.
  constexpr std::size_t kMost = 256;
  if (s.size() > kMost) s.remove_prefix(s.size() - kMost);
  char folded[kMost];
  for (std::size_t i = 0; i < s.size(); ++i) folded[i] = static_cast<char>(s[i] | 0x20);
  return std::hash<std::string_view>{}({folded, s.size()});
}

DGRAPH_DECL GraphCore::NameEntry* GraphCore::find_any_case(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  if (names_.empty()) return nullptr;
  const std::size_t bucket = names_.bucket(name);
  for (auto at = names_.begin(bucket); at != names_.end(bucket); ++at)
    if (std::equal(name.begin(), name.end(), at->first.begin(), at->first.end(),
                   [&](char a, char b) { return lower(a) == lower(b); }))
      return &at->second;
  return nullptr;
}

DGRAPH_DECL std::string_view GraphCore::take_name(std::string_view wanted, bool exact) {
  if (exact) {
    if (const auto found = names_.find(wanted); found != names_.end()) {
      if (found->second.node == kNoNode) return found->first;
      fail(Code::AlreadyExists, "the graph has a node \"", wanted, "\" already");
    }
  }
  NameEntry* base = exact ? nullptr : find_any_case(wanted);
  if (!base) {
    const std::string_view name = intern(wanted);
    names_.emplace(name, NameEntry{});
    return name;
  }
  std::string candidate;
  do {
    candidate.assign(wanted);
    candidate += '_';
    candidate += std::to_string(base->next_suffix++);
  } while (find_any_case(candidate));
  const std::string_view name = intern(candidate);
  names_.emplace(name, NameEntry{});
  return name;
}

DGRAPH_DECL std::string GraphCore::unique_name(std::string_view name) {
  std::lock_guard lock(mutex_);
  return std::string(take_name(name, false));
}

DGRAPH_DECL void GraphCore::check_mine(const Output& output) const {
  if (output.core() == this) return;
  if (!output) fail(Code::InvalidArgument, "an empty handle is no node");
  fail(Code::InvalidArgument, "node ", output.name(), " (", output.op_type(), ") belongs to another graph");
}

DGRAPH_DECL void GraphCore::check_feed(Endpoint at, const Tensor& value) const {
  const OutputInfo& output = info(at);
  if (value.dtype() == output.dtype && output.shape->compatible_with(value.shape())) return;
  Status status = errors::InvalidArgument("cannot feed ", dtype_name(value.dtype()), value.shape(), " to ", node(at.node).name,
                                          ", which is ", dtype_name(output.dtype), *output.shape);
  throw Error(status.at(node(at.node).place()));
}

DGRAPH_DECL const DeviceName* GraphCore::intern_device(const DeviceSpec& spec) {
  std::string text = spec.to_string();
  const auto found = devices_.find(text);
  if (found != devices_.end()) return found->second.get();
  auto device = std::make_unique<DeviceName>(DeviceName{spec, text});
  return devices_.emplace(std::move(text), std::move(device)).first->second.get();
}

DGRAPH_DECL const PartialShape* GraphCore::intern_shape(const PartialShape& shape) {
  std::uint64_t hash = shape.has_rank() ? 1 + shape.rank() : 0;
  for (std::int64_t d : shape.dims()) hash = hash * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(d);
  const auto [begin, end] = shape_index_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (*it->second == shape) return it->second;
  const PartialShape* fresh = &shapes_.emplace_back(shape);
  shape_index_.emplace(hash, fresh);
  return fresh;
}

DGRAPH_DECL const AttrList* GraphCore::intern_attrs(AttrList list) {
  std::uint64_t hash = list.size();
  for (const AttrValue& value : list) hash = hash * 0x9e3779b97f4a7c15ull + value.hash();
  const auto [begin, end] = attr_index_.equal_range(hash);
  int looked = 0;
  for (auto it = begin; it != end && looked < 16; ++it, ++looked)
    if (*it->second == list) return it->second;
  const AttrList* fresh = &attr_lists_.emplace_back(std::move(list));
  if (looked < 16) attr_index_.emplace(hash, fresh);
  return fresh;
}

DGRAPH_DECL void GraphCore::set_back_edge(NodeId merge, std::uint32_t index, Endpoint from) {
  std::lock_guard lock(mutex_);
  if (merge >= nodes_.size() || !(nodes_[merge].is("Merge") || nodes_[merge].is("RefMerge")) ||
      index >= nodes_[merge].num_inputs)
    fail(Code::InvalidArgument, "only an input of a Merge can be a loop's back edge");
  if (from.node >= nodes_.size() || from.index >= nodes_[from.node].num_outputs ||
      info(from).dtype != info(nodes_[merge].inputs[index]).dtype)
    fail(Code::InvalidArgument, "the back edge of ", nodes_[merge].name, " has another dtype or is no output");
  const_cast<Endpoint&>(nodes_[merge].inputs[index]) = from;
}

DGRAPH_DECL std::uint64_t GraphCore::read_key(NodeId variable, std::span<const NodeId> controls,
                                              const FlowContext* flow) {
  std::uint64_t key = detail::mix_hash(variable, controls.size());
  if (flow) key = detail::mix_hash(key, reinterpret_cast<std::uintptr_t>(flow));
  for (NodeId id : controls) key = detail::mix_hash(key, id);
  return key;
}

DGRAPH_DECL NodeId GraphCore::cached_read(NodeId variable, std::span<const NodeId> controls,
                                          const FlowContext* flow) const {
  std::lock_guard lock(mutex_);
  const auto at = reads_.find(read_key(variable, controls, flow));
  return at == reads_.end() ? kNoNode : at->second;
}

DGRAPH_DECL void GraphCore::cache_read(NodeId variable, std::span<const NodeId> controls, const FlowContext* flow,
                                       NodeId read) {
  std::lock_guard lock(mutex_);
  reads_[read_key(variable, controls, flow)] = read;
}

DGRAPH_DECL void GraphCore::add_to_collection(const std::string& collection, Endpoint item) {
  std::lock_guard lock(mutex_);
  collections_[collection].push_back(item);
}

DGRAPH_DECL std::vector<Endpoint> GraphCore::collection(const std::string& collection) const {
  std::lock_guard lock(mutex_);
  const auto at = collections_.find(collection);
  return at == collections_.end() ? std::vector<Endpoint>() : at->second;
}

DGRAPH_DECL void GraphCore::set_gradient(NodeId node, std::function<void(GradientContext&)> rule) {
  const std::lock_guard lock(mutex_);
  gradients_[node] = std::move(rule);
}

DGRAPH_DECL const std::function<void(GradientContext&)>* GraphCore::own_gradient(NodeId node) const {
  const std::lock_guard lock(mutex_);
  const auto found = gradients_.find(node);
  return found == gradients_.end() ? nullptr : &found->second;
}

DGRAPH_DECL void GraphCore::set_random_seed(std::int64_t seed) {
  std::lock_guard lock(mutex_);
  random_seed_ = seed;
}

DGRAPH_DECL std::optional<std::int64_t> GraphCore::random_seed() const {
  std::lock_guard lock(mutex_);
  return random_seed_;
}

}  // namespace dgraph
