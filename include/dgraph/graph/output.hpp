#pragma once
// Output: one output of a node, its dtype known at run time; Op<T> and Op<void>: the same, typed.

#include <cstdint>
#include <string>

#include <dgraph/graph/core.hpp>

namespace dgraph {

/// A handle of 16 bytes; valid while its graph lives. Default-constructed: none.
class Output {
 public:
  Output() noexcept = default;
  Output(GraphCore* core, NodeId node, std::uint32_t index) noexcept : core_(core), node_(node), index_(index) {}

  explicit operator bool() const noexcept { return core_ != nullptr; }
  GraphCore* core() const noexcept { return core_; }
  NodeId node_id() const noexcept { return node_; }
  std::uint32_t index() const noexcept { return index_; }
  Endpoint endpoint() const noexcept { return {node_, index_}; }
  const Node& node() const { return core_->node(node_); }
  /// Invalid for a node without outputs.
  DType dtype() const { return index_ < node().num_outputs ? node().outputs[index_].dtype : DType::Invalid; }
  /// True where this is a variable's handle and not a value.
  bool is_ref() const { return index_ < node().num_outputs && node().outputs[index_].ref; }
  /// What is known of the shape.
  const PartialShape& shape() const { return *node().outputs[index_].shape; }
  std::string_view op_type() const { return node().def->name; }
  /// "scope/MatMul", "scope/Split:1".
  std::string name() const;
  friend bool operator==(const Output&, const Output&) noexcept = default;

 private:
  GraphCore* core_ = nullptr;
  NodeId node_ = 0;
  std::uint32_t index_ = 0;
};

/// A value of dtype T in a graph.
template <class T>
class Op : public Output {
 public:
  static_assert(Element<T>, "dgraph: Op<T> needs an element type: float, double, half, an integer type, bool, std::string ...");
  using value_type = T;
  Op() noexcept = default;
  /// Throws InvalidArgument where the output has another dtype.
  explicit Op(const Output& output) : Output(output) {
    if (output && output.dtype() != dtype_of<T>) wrong_dtype(output, dtype_of<T>);
  }

 private:
  static void wrong_dtype(const Output& output, DType wanted) { detail::wrong_output_dtype(output, wanted); }
};

/// A node that is run for its effect; fetched it adds no result.
template <>
class Op<void> : public Output {
 public:
  using value_type = void;
  Op() noexcept = default;
  explicit Op(const Output& output) noexcept : Output(output) {}
  /// Any typed value can be run for its effect.
  template <Element T>
  Op(const Op<T>& value) noexcept : Output(value) {}
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/scope.ipp>
#include <dgraph/graph/impl/core.ipp>
#include <dgraph/graph/impl/output.ipp>
#endif
