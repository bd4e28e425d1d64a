#include "conformance/workbench.hpp"

#include <chrono>

#include <dgraph/cluster/session.hpp>
#include <dgraph/graph/graph_def.hpp>
#include <dgraph/transport/tcp.hpp>
#include <nlohmann/json.hpp>

namespace conformance {

using dgraph::NodeDef;
using dgraph::Output;
using dgraph::Tensor;
using Graph = dgraph::BasicGraph<dgraph::StandardOps>;

bool is_known(const std::string& op) { return Graph::find_op(op) != nullptr; }

const dgraph::OpDef& definition_of(const std::string& op) {
  if (const dgraph::OpDef* def = Graph::find_op(op)) return *def;
  throw UnknownOp{op};
}

std::vector<const dgraph::ArgDef*> arguments_of(const dgraph::OpDef& def, const Json& attrs,
                                                std::size_t inputs) {
  std::vector<const dgraph::ArgDef*> out;
  for (const dgraph::ArgDef& arg : def.inputs) {
    std::size_t count = 1;
    if (arg.is_list()) {
      const auto& attr = def.attrs[static_cast<std::size_t>(
                                       arg.number_attr >= 0 ? arg.number_attr : arg.type_list_attr)]
                             .name;
      const Json given = attrs.value(attr, Json());
      count = given.is_array()    ? given.size()
              : given.is_number() ? given.get<std::size_t>()
                                  : inputs;
    }
    for (; count > 0 && out.size() < inputs; --count) out.push_back(&arg);
  }
  return out;
}

Output Workbench::input(const std::string& name, const Tensor& value) {
  const bool constant = options_.inputs == InputKind::Constant;
  NodeDef def;
  def.name = name;
  def.op = constant ? "Const" : "Placeholder";
  def.attrs.emplace("dtype", value.dtype());
  if (constant)
    def.attrs.emplace("value", value);
  else
    def.attrs.emplace("shape", options_.inputs == InputKind::Fed
                                   ? dgraph::PartialShape(value.shape())
                                   : dgraph::PartialShape());
  dgraph::ImportOptions options;
  options.return_elements = {name};
  const Output out = dgraph::import_graph_def(graph_, {{def}}, options).front();
  if (!constant) feeds_.emplace_back(out, value);
  return out;
}

Output Workbench::node(const std::string& name, const std::string& op, const Json& attrs,
                       const std::vector<Output>& inputs) {
  const dgraph::OpDef& def = definition_of(op);
  NodeDef node;
  node.name = name;
  node.op = op;
  dgraph::ImportOptions options;
  options.return_elements = {name};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // Names that the graph being imported lacks: each stands for one handle.
    const std::string stand_in = "in" + std::to_string(i);
    node.inputs.push_back(stand_in);
    options.input_map.emplace(stand_in, inputs[i]);
  }
  for (const auto& [key, value] : attrs.items()) {
    const int index = def.attr_index(key);
    node.attrs.emplace(
        key, read_attr(value, index < 0 ? nullptr : &def.attrs[static_cast<std::size_t>(index)]));
  }
  return dgraph::import_graph_def(graph_, {{node}}, options).front();
}

std::vector<Output> Workbench::outputs_of(const Output& node) {
  std::vector<Output> out;
  for (std::uint32_t i = 0; i < node.node().num_outputs; ++i)
    out.emplace_back(node.core(), node.node_id(), i);
  return out;
}

dgraph::SessionCore& Workbench::session() {
  if (session_) return *session_;
  const auto keep = [this](auto session) {
    session_ = &session->core();
    owner_ = std::move(session);
  };
  if (options_.target.empty())
    keep(std::make_shared<dgraph::Session<>>(graph_));
  else
    keep(std::make_shared<dgraph::Session<dgraph::transport::Tcp>>(graph_, options_.target));
  return *session_;
}

std::vector<std::size_t> Workbench::needed_feeds(std::span<const Output> fetches,
                                                 std::span<const Output> targets) const {
  const dgraph::GraphCore& core = graph_.core();
  std::vector<bool> seen(core.size(), false);
  std::vector<dgraph::NodeId> todo;
  for (const auto list : {fetches, targets})
    for (const Output& output : list) todo.push_back(output.node_id());
  while (!todo.empty()) {
    const dgraph::NodeId id = todo.back();
    todo.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    for (const dgraph::Endpoint& in : core.node(id).input_span()) todo.push_back(in.node);
    for (const dgraph::NodeId control : core.node(id).control_span()) todo.push_back(control);
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < feeds_.size(); ++i)
    if (seen[feeds_[i].first.node_id()]) out.push_back(i);
  return out;
}

std::vector<Tensor> Workbench::run(const std::vector<Output>& fetches,
                                   const std::vector<Output>& targets) {
  std::vector<Output> fed;
  std::vector<Tensor> values;
  for (const std::size_t i : needed_feeds(fetches, targets)) {
    fed.push_back(feeds_[i].first);
    values.push_back(feeds_[i].second);
  }
  const auto definition = session().define(fed, fetches, targets);
  return session().run(*definition, std::move(values), {.deadline = std::chrono::seconds(60)});
}

}  // namespace conformance
