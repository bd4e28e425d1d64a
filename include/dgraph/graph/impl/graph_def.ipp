#pragma once
#include <dgraph/graph/graph_def.hpp>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

namespace dgraph {
namespace detail {

// An input of a NodeDef, taken apart.
struct InputName {
  std::string_view node;
  std::uint32_t index = 0;
  bool control = false;
};

DGRAPH_DECL InputName parse_input_name(std::string_view text) {
  InputName out;
  out.node = text;
  if (!text.empty() && text[0] == '^') {
    out.control = true;
    out.node.remove_prefix(1);
  } else if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
    const std::string digits(text.substr(colon + 1));
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
      fail(Code::InvalidArgument, "malformed input \"", text, "\": it should be node, node:number or ^node");
    out.index = static_cast<std::uint32_t>(std::stoul(digits));
    out.node = text.substr(0, colon);
  }
  if (out.node.empty()) fail(Code::InvalidArgument, "malformed input \"", text, "\": it names no node");
  return out;
}

DGRAPH_DECL std::string write_input_name(const GraphCore& core, Endpoint at) {
  std::string out(core.node(at.node).name);
  if (at.index) out += ":" + std::to_string(at.index);
  return out;
}

// One import: reads all names first, then adds nodes in an order in which inputs come first.
class GraphImport {
 public:
  GraphImport(GraphCore& core, const GraphDef& def, OpLookup ops, const ImportOptions& options)
      : core_(core), def_(def), options_(options), nodes_(def.nodes.size()) {
    for (const auto& [key, value] : options.input_map) {
      core_.check_mine(value);
      mapped_.emplace(key, false);
    }
    index_names(ops);
    for (std::size_t i = 0; i < nodes_.size(); ++i) at_node(i, [&] { read_inputs(i); });
    check_input_map();
    check_loops();
    sort();
    returned_ = read_return_elements();
  }

  std::vector<Output> run() {
    const BuildContext* context = build_context();
    if (context && context->core == &core_) outer_device_ = context->scope.device;
    if (!options_.prefix.empty()) prefix_ = core_.unique_name(options_.prefix) + "/";
    for (std::size_t i : order_) at_node(i, [&] { add(i); });
    for (const BackEdge& edge : back_edges_)
      at_node(edge.merge, [&] {
        core_.set_back_edge(nodes_[edge.merge].id, edge.index, {nodes_[edge.from].id, edge.output});
      });
    std::vector<Output> out;
    for (const auto& [node, index] : returned_) out.emplace_back(&core_, nodes_[node].id, index);
    return out;
  }

 private:
  struct Source {
    std::size_t node = 0;  // of the GraphDef
    std::uint32_t index = 0;
    Output mapped;  // or this
  };
  struct Draft {
    const OpDef* def = nullptr;
    std::vector<Source> inputs, controls;
    std::vector<std::size_t> consumers;
    std::size_t waits = 0;
    bool loops = false;  // a Merge, some of whose inputs come later
    NodeId id = kNoNode;
  };
  struct BackEdge {
    std::size_t merge;
    std::uint32_t index;
    std::size_t from;
    std::uint32_t output;
  };

  template <class F>
  void at_node(std::size_t i, F&& f) {
    try {
      f();
    } catch (const Error& error) {
      const NodeDef& node = def_.nodes[i];
      Status status = error.status();
      throw Error(status.at({node.name, node.op, node.device, "", ""}));
    }
  }

  void index_names(OpLookup ops) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeDef& node = def_.nodes[i];
      at_node(i, [&] {
        check_node_name(node.name);
        if (!by_name_.emplace(node.name, i).second)
          fail(Code::InvalidArgument, "the GraphDef has two nodes named \"", node.name, "\"");
        if (node.op.empty()) fail(Code::InvalidArgument, "node \"", node.name, "\" says no op type");
        nodes_[i].def = ops(node.op);
        if (!nodes_[i].def) fail(Code::NotFound, "there is no op type ", node.op, " in this op set");
        DeviceSpec::parse(node.device);
      });
    }
  }

  bool is_merge(std::size_t i) const { return nodes_[i].def->name == "Merge" || nodes_[i].def->name == "RefMerge"; }
  bool ends_iteration(std::size_t i) const {
    return nodes_[i].def->name == "NextIteration" || nodes_[i].def->name == "RefNextIteration";
  }

  std::optional<Output> map_input(const std::string& text, const InputName& name) {
    auto found = mapped_.find(text);
    if (found == mapped_.end() && !name.control && name.index == 0) {
      // "node" and "node:0" are one output.
      found = mapped_.find(std::string(name.node));
      if (found == mapped_.end()) found = mapped_.find(std::string(name.node) + ":0");
    }
    if (found == mapped_.end()) return std::nullopt;
    found->second = true;
    return options_.input_map.at(found->first);
  }

  std::size_t find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) fail(Code::InvalidArgument, "the GraphDef has no node \"", name, "\"");
    return found->second;
  }

  void read_inputs(std::size_t i) {
    Draft& draft = nodes_[i];
    for (const std::string& text : def_.nodes[i].inputs) {
      const InputName name = parse_input_name(text);
      if (!name.control && !draft.controls.empty())
        fail(Code::InvalidArgument, "input \"", text, "\" comes after a control input");
      Source source;
      source.index = name.index;
      if (const auto mapped = map_input(text, name)) {
        source.mapped = *mapped;
      } else {
        source.node = find(name.node);
        if (!name.control && is_merge(i) && ends_iteration(source.node)) {
          back_edges_.push_back({i, static_cast<std::uint32_t>(draft.inputs.size()), source.node, source.index});
          draft.loops = true;
        } else {
          ++draft.waits;
          nodes_[source.node].consumers.push_back(i);
        }
      }
      (name.control ? draft.controls : draft.inputs).push_back(source);
    }
  }

  void check_input_map() const {
    for (const auto& [key, used] : mapped_)
      if (!used) fail(Code::InvalidArgument, "input_map has \"", key, "\", which is no input of any node");
  }

  void sort() {
    // Of the nodes that could be next, the first in the file: so an exported graph keeps its order.
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    std::vector<std::size_t> waits;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      waits.push_back(nodes_[i].waits);
      if (waits[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
      const std::size_t i = ready.top();
      ready.pop();
      order_.push_back(i);
      for (std::size_t consumer : nodes_[i].consumers)
        if (--waits[consumer] == 0) ready.push(consumer);
    }
    if (order_.size() == nodes_.size()) return;
    const std::size_t stuck = circle_member(waits);
    at_node(stuck, [&] {
      fail(Code::InvalidArgument, "nodes depend on themselves in a circle: ", circle(waits, stuck),
           "; only a NextIteration into a Merge may close one");
    });
  }

  // A node before `i` that waits, too.
  std::size_t waited_for(const std::vector<std::size_t>& waits, std::size_t i) const {
    const Draft& draft = nodes_[i];
    std::size_t next = i;
    for (const auto* list : {&draft.inputs, &draft.controls})
      for (const Source& source : *list)
        if (!source.mapped && waits[source.node] != 0 && !(draft.loops && ends_iteration(source.node)))
          next = source.node;
    return next;
  }

  // Any node that waits may only lie behind the circle: going back over waiting inputs ends up inside it.
  std::size_t circle_member(const std::vector<std::size_t>& waits) const {
    std::size_t i = 0;
    while (waits[i] == 0) ++i;
    std::vector<bool> seen(nodes_.size(), false);
    while (!seen[i]) {
      seen[i] = true;
      i = waited_for(waits, i);
    }
    return i;
  }

  // "a <- b <- a", the first few of many.
  std::string circle(const std::vector<std::size_t>& waits, std::size_t begin) const {
    constexpr int kMost = 16;
    std::string out = def_.nodes[begin].name;
    std::size_t i = begin;
    for (int count = 0; count < kMost; ++count) {
      i = waited_for(waits, i);
      out += " <- " + def_.nodes[i].name;
      if (i == begin) return out;
    }
    return out + " <- ...";
  }

  // A Merge that a NextIteration feeds runs for ever unless what else feeds it comes from outside the loop.
  void check_loops() {
    for (const BackEdge& edge : back_edges_)
      at_node(edge.merge, [&] {
        const auto enters = [&](const Source& source) {
          if (source.mapped) return source.mapped.op_type() == "Enter" || source.mapped.op_type() == "RefEnter";
          return nodes_[source.node].def->name == "Enter" || nodes_[source.node].def->name == "RefEnter";
        };
        const auto& inputs = nodes_[edge.merge].inputs;
        if (std::none_of(inputs.begin(), inputs.end(), enters))
          fail(Code::InvalidArgument, "the loop of node \"", def_.nodes[edge.from].name, "\" has no Enter at its Merge \"",
               def_.nodes[edge.merge].name, "\" and would never end");
      });
  }

  std::vector<std::pair<std::size_t, std::uint32_t>> read_return_elements() const {
    std::vector<std::pair<std::size_t, std::uint32_t>> out;
    for (const std::string& text : options_.return_elements) {
      const InputName name = parse_input_name(text);
      if (name.control) fail(Code::InvalidArgument, "\"", text, "\" cannot be returned: name the node itself");
      out.emplace_back(find(name.node), name.index);
    }
    return out;
  }

  Endpoint endpoint(const Source& source) const {
    if (source.mapped) return source.mapped.endpoint();
    return {nodes_[source.node].id, source.index};
  }

  void add(std::size_t i) {
    const NodeDef& node = def_.nodes[i];
    Draft& draft = nodes_[i];
    std::vector<Endpoint> inputs;
    for (const Source& source : draft.inputs) inputs.push_back(endpoint(source));
    if (draft.loops) {
      // What comes later is stood in for by what enters the loop, until the end.
      const auto known = std::find_if(inputs.begin(), inputs.end(), [](Endpoint e) { return e.node != kNoNode; });
      if (known == inputs.end()) fail(Code::InvalidArgument, "all inputs of a Merge come from a NextIteration");
      std::replace_if(inputs.begin(), inputs.end(), [](Endpoint e) { return e.node == kNoNode; }, *known);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].index >= core_.node(inputs[k].node).num_outputs)
        fail(Code::InvalidArgument, "input \"", node.inputs[k], "\": node ", core_.node(inputs[k].node).name, " has ",
             core_.node(inputs[k].node).num_outputs, " outputs");
    std::vector<NodeId> controls;
    for (const Source& source : draft.controls) controls.push_back(endpoint(source).node);
    Scope scope;
    scope.device = outer_device_.overridden_by(DeviceSpec::parse(node.device));
    std::vector<AttrArg> attrs;
    for (const auto& [name, value] : node.attrs) {
      if (name == "_class") read_colocation(value, scope);
      if (name.empty() || name[0] != '_' || draft.def->attr_index(name) >= 0) attrs.push_back({name, value});
    }
    const std::string full_name = prefix_ + node.name;
    AddOptions options;
    options.name = full_name;
    options.exact_name = true;
    options.scope = &scope;
    options.controls = controls;
    // The shape of a loop's value may change from one iteration to the next.
    std::vector<PartialShape> shapes;
    if (draft.loops) {
      shapes = {PartialShape(), PartialShape::scalar()};
      options.shapes = shapes;
    }
    draft.id = core_.add(*draft.def, inputs, attrs, options);
  }

  void read_colocation(const AttrValue& value, Scope& scope) const {
    constexpr std::string_view kMark = "loc:@";
    if (!value.holds<std::vector<std::string>>())
      fail(Code::InvalidArgument, "attribute _class must be a list of strings");
    for (const std::string& text : value.get<std::vector<std::string>>()) {
      if (std::string_view(text).substr(0, kMark.size()) != kMark) continue;
      const std::string name = text.substr(kMark.size());
      find(name);
      scope.colocation.push_back(prefix_ + name);
    }
  }

  GraphCore& core_;
  const GraphDef& def_;
  const ImportOptions& options_;
  std::vector<Draft> nodes_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::map<std::string, bool> mapped_;  // keys of input_map: asked for by some node
  std::vector<BackEdge> back_edges_;
  std::vector<std::size_t> order_;
  std::vector<std::pair<std::size_t, std::uint32_t>> returned_;
  std::string prefix_;
  DeviceSpec outer_device_;
};

}  // namespace detail

DGRAPH_DECL NodeDef export_node(const GraphCore& core, NodeId id) {
  const Node& node = core.node(id);
  NodeDef out;
  out.name = node.name;
  out.op = node.def->name;
  if (node.device) out.device = node.device->text;
  for (const Endpoint& in : node.input_span()) out.inputs.push_back(detail::write_input_name(core, in));
  for (NodeId control : node.control_span()) out.inputs.push_back("^" + std::string(core.node(control).name));
  for (std::size_t i = 0; i < node.def->attrs.size(); ++i) out.attrs.emplace(node.def->attrs[i].name, (*node.attrs)[i]);
  if (node.colocation) {
    std::vector<std::string> names;
    for (const std::string& name : *node.colocation) names.push_back("loc:@" + name);
    out.attrs.emplace("_class", std::move(names));
  }
  return out;
}

DGRAPH_DECL GraphDef export_graph_def(const GraphCore& core, std::size_t count) {
  GraphDef out;
  count = std::min(count, core.size());
  out.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.nodes.push_back(export_node(core, static_cast<NodeId>(i)));
  return out;
}

DGRAPH_DECL std::vector<Output> import_graph_def(GraphCore& core, const GraphDef& def, OpLookup ops,
                                                 const ImportOptions& options) {
  return detail::GraphImport(core, def, ops, options).run();
}

DGRAPH_DECL Output add_op_by_name(OpLookup ops, std::string_view op, std::span<const Output> inputs,
                                  std::span<const std::pair<std::string, AttrValue>> attrs, const OpName& name) {
  const OpDef* def = ops(op);
  if (!def) fail(Code::NotFound, "there is no op type ", op, " in this op set");
  NodeBuilder builder(*def, name);
  builder.inputs(inputs);
  for (const auto& [key, value] : attrs) builder.attr(key, value);
  return builder.add();
}

}  // namespace dgraph
