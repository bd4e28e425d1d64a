#pragma once
// NodeBuilder and add_op: how typed functions, gradient rules and users add a node.

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

/// The last argument of every function that adds nodes: an optional name, and the caller's line.
struct OpName {
  std::string_view name;
  SourceLocation location;
  OpName(SourceLocation at = SourceLocation::current()) noexcept : location(at) {}
  OpName(const char* text, SourceLocation at = SourceLocation::current()) noexcept : name(text), location(at) {}
  OpName(std::string_view text, SourceLocation at = SourceLocation::current()) noexcept : name(text), location(at) {}
  OpName(const std::string& text, SourceLocation at = SourceLocation::current()) noexcept
      : name(text), location(at) {}
};

/// Collects inputs and attributes of one node. The graph is this thread's default one, or that of the first input
/// where there is none; an input from another graph is InvalidArgument.
class NodeBuilder {
 public:
  NodeBuilder(const OpDef& def, const OpName& name);
  void input(const Output& value);
  void inputs(std::span<const Output> values);
  void attr(std::string_view name, AttrValue value);
  /// The node runs after `node`.
  void control(const Output& node);
  /// The shape of the next output: where some are given, all are, and the shape rule is not asked.
  void shape(PartialShape shape) { shapes_.push_back(std::move(shape)); }
  /// Adds the node; its output 0. Throws what `GraphCore::add` throws.
  Output add();

 private:
  static constexpr std::size_t kFew = 6;
  const OpDef& def_;
  OpName name_;
  GraphCore* core_;
  std::size_t num_inputs_ = 0, num_attrs_ = 0;
  Endpoint few_inputs_[kFew];
  std::vector<Endpoint> many_inputs_;  // all of them, where there are more than kFew
  AttrArg few_attrs_[kFew];
  std::vector<AttrArg> many_attrs_;
  std::vector<NodeId> controls_;
  std::vector<PartialShape> shapes_;
};

namespace detail {

inline void build_args(NodeBuilder&) {}
template <class... Rest>
void build_args(NodeBuilder& builder, const Output& input, const Rest&... rest);
template <class... Rest>
void build_args(NodeBuilder& builder, const std::vector<Output>& inputs, const Rest&... rest);
template <class Value, class... Rest>
void build_args(NodeBuilder& builder, const char* attr, const Value& value, const Rest&... rest);

template <class... Rest>
void build_args(NodeBuilder& builder, const Output& input, const Rest&... rest) {
  builder.input(input);
  build_args(builder, rest...);
}
template <class... Rest>
void build_args(NodeBuilder& builder, const std::vector<Output>& inputs, const Rest&... rest) {
  builder.inputs(inputs);
  build_args(builder, rest...);
}
template <class Value, class... Rest>
void build_args(NodeBuilder& builder, const char* attr, const Value& value, const Rest&... rest) {
  builder.attr(attr, AttrValue(value));
  build_args(builder, rest...);
}

}  // namespace detail

/// Adds a node of type `OpType`: `add_op<ops::MatMul>(name, a, b, "transpose_b", true)`: inputs (an Output or a
/// std::vector<Output>), then attributes as name and value. Returns output 0.
template <class OpType, class... Args>
Output add_op(const OpName& name, const Args&... args) {
  NodeBuilder builder(definition<OpType>(), name);
  detail::build_args(builder, args...);
  return builder.add();
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/builder.ipp>
#endif
