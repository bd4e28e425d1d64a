#pragma once
// GraphDef: a graph as plain data, for the doors where names stand for ids: export, import, files of other programs; and
// building by op name.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/graph/attr.hpp>
#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/graph/graph.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

/// A node of a GraphDef, as TensorFlow's NodeDef.
struct NodeDef {
  std::string name;
  std::string op;
  std::string device;               ///< full, partial or empty
  std::vector<std::string> inputs;  ///< "node", "node:1", and after these control inputs "^node"
  /// By name. "_class" holds colocation as {"loc:@node", ...}; other names that begin with '_' are taken over by nobody.
  std::map<std::string, AttrValue> attrs;
  friend bool operator==(const NodeDef&, const NodeDef&) = default;
};

struct GraphDef {
  std::vector<NodeDef> nodes;
  friend bool operator==(const GraphDef&, const GraphDef&) = default;
};

/// The node as plain data, every attribute written out.
NodeDef export_node(const GraphCore& core, NodeId id);
/// The first `count` nodes (by default all) in the order in which they were built.
GraphDef export_graph_def(const GraphCore& core, std::size_t count = ~std::size_t{0});

struct ImportOptions {
  /// Every name gets "prefix/" in front, made unique ("prefix_1/"); empty: names are taken as they are.
  std::string prefix;
  /// Inputs that come from the graph instead: by "node", "node:1" or "^node", as the GraphDef's nodes write them.
  std::map<std::string, Output> input_map;
  /// What to return: "node" for output 0 (or a node without outputs), "node:1".
  std::vector<std::string> return_elements;
};

/// Adds the nodes of `def` to the graph, whatever their order, loops included (a NextIteration that feeds a Merge), and returns
/// handles of options.return_elements. A device scope around the call gives what a node's own device leaves open. Throws
/// InvalidArgument (NotFound for an unknown op type, AlreadyExists for a name in use) that names the node: names that are
/// malformed or given twice, inputs that are missing, a cycle, attributes and shapes that do not fit, entries of input_map that
/// no node asks for. Only the last three can leave part of the nodes behind.
std::vector<Output> import_graph_def(GraphCore& core, const GraphDef& def, OpLookup ops, const ImportOptions& options = {});

template <class Ops>
GraphDef export_graph_def(const BasicGraph<Ops>& graph) {
  return export_graph_def(graph.core());
}
/// Knows the op types of the graph's own set.
template <class Ops>
std::vector<Output> import_graph_def(BasicGraph<Ops>& graph, const GraphDef& def, const ImportOptions& options = {}) {
  return import_graph_def(graph.core(), def, &BasicGraph<Ops>::find_op, options);
}

/// Adds one node by the name of its op type, in the current scope: output 0. Throws NotFound for an unknown op type.
Output add_op_by_name(OpLookup ops, std::string_view op, std::span<const Output> inputs,
                      std::span<const std::pair<std::string, AttrValue>> attrs, const OpName& name = {});

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/graph_def.ipp>
#endif
