#pragma once
// Graphs as text, for tests of what is built.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph::test {

/// "Mul(x, Const_1)": the op type and the names of the inputs.
inline std::string text_of(const Output& output) {
  const Node& node = output.node();
  std::string out = node.def->name + "(";
  for (const Endpoint& in : node.input_span()) {
    if (out.back() != '(') out += ", ";
    out += Output(output.core(), in.node, in.index).name();
  }
  return out + ")";
}

/// The node as an expression over what has no inputs: "Mul(x, Neg(y))"; constants by their values where they are small.
inline std::string expression_of(const Output& output) {
  const Node& node = output.node();
  if (node.is("Const")) {
    const Tensor& value = node.attr<Tensor>("value");
    if (value.elements() > 4) return std::string(node.name);
    std::string text = value.to_string();
    text = text.substr(text.find(':') + 2 > text.size() ? text.size() : text.find(':') + 2);
    std::replace(text.begin(), text.end(), ' ', ',');
    return value.rank() == 0 ? text : "[" + text + "]";
  }
  if (node.num_inputs == 0) return std::string(node.name);
  std::string out = node.def->name + "(";
  for (const Endpoint& in : node.input_span()) {
    if (out.back() != '(') out += ", ";
    out += expression_of(Output(output.core(), in.node, in.index));
  }
  out += ")";
  return output.index() ? out + ":" + std::to_string(output.index()) : out;
}

/// The op types of all nodes from `begin` on.
inline std::multiset<std::string> op_types(const GraphCore& core, std::size_t begin = 0) {
  std::multiset<std::string> out;
  for (std::size_t i = begin; i < core.size(); ++i) out.insert(core.node(static_cast<NodeId>(i)).def->name);
  return out;
}

}  // namespace dgraph::test
