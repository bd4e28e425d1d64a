#pragma once
// GraphCore: a graph held by ids, append-only, checked as it is built (D3). Every door ends in `add`.

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dgraph/base/device.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/source_location.hpp>
#include <dgraph/graph/attr.hpp>
#include <dgraph/graph/chunked.hpp>
#include <dgraph/graph/endpoint.hpp>
#include <dgraph/graph/flow.hpp>
#include <dgraph/graph/op_def.hpp>
#include <dgraph/graph/scope.hpp>

namespace dgraph {

class Output;

namespace detail {
[[noreturn]] void wrong_output_dtype(const Output& output, DType wanted);
}

struct OutputInfo {
  DType dtype = DType::Invalid;
  bool ref = false;                     ///< a variable's handle
  const PartialShape* shape = nullptr;  ///< interned; of the value also where this is a handle
};

/// A requested device; interned by the graph.
struct DeviceName {
  DeviceSpec spec;
  std::string text;  ///< canonical; empty where nothing is asked
};

/// A node; its address and all that it points to stay as long as the graph.
struct Node {
  NodeId id = kNoNode;
  const OpDef* def = nullptr;
  const AttrList* attrs = nullptr;  ///< in the order of def->attrs
  std::string_view name;
  const DeviceName* device = nullptr;
  const std::vector<std::string>* colocation = nullptr;  ///< names of nodes; null for none
  const Endpoint* inputs = nullptr;
  const NodeId* controls = nullptr;
  const OutputInfo* outputs = nullptr;
  FlowContext* flow = nullptr;  ///< the branch or loop that it was built in; null for none
  std::uint32_t num_inputs = 0, num_controls = 0, num_outputs = 0;
  SourceLocation location;

  std::span<const Endpoint> input_span() const noexcept { return {inputs, num_inputs}; }
  std::span<const NodeId> control_span() const noexcept { return {controls, num_controls}; }
  std::span<const OutputInfo> output_span() const noexcept { return {outputs, num_outputs}; }
  /// The value of an attribute; throws Internal where the op type has none of that name.
  const AttrValue& attr(std::string_view attr_name) const;
  template <class T>
  const T& attr(std::string_view attr_name) const {
    return attr(attr_name).template get<T>();
  }
  bool is(std::string_view op_type) const noexcept { return def->name == op_type; }
  ErrorPlace place() const;
};

struct AttrArg {
  std::string_view name;
  AttrValue value;
};

/// What `add` takes beside inputs and attributes.
struct AddOptions {
  /// Empty: the op type. Made unique, under the scope's prefix; one that ends in '/' is taken whole and as it is, without the '/'.
  std::string_view name;
  SourceLocation location = {};
  const Scope* scope = nullptr;                     ///< null: an empty one
  std::span<const NodeId> controls = {};            ///< beside the scope's
  std::span<const PartialShape> shapes = {};        ///< given for each output: the shape rule is not asked
  bool exact_name = false;                          ///< the name is taken as it is: AlreadyExists where it is in use
  bool own_flow = false;                            ///< the node is put in `flow`, and its inputs are taken as they are
  FlowContext* flow = nullptr;
};

/// Reading is safe from any thread at any time; building is serialised inside. Nodes never change once added, but for the back
/// edges of loops.
class GraphCore : public std::enable_shared_from_this<GraphCore> {
 public:
  GraphCore();
  ~GraphCore();
  GraphCore(const GraphCore&) = delete;
  GraphCore& operator=(const GraphCore&) = delete;

  /// Adds a node: infers type and count attributes, fills defaults, checks arity and dtypes, infers shapes. Throws Error
  /// (InvalidArgument, AlreadyExists, FailedPrecondition for a finalized graph) that names node, op type, device and location;
  /// the graph is then as before.
  NodeId add(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> attrs, const AddOptions& options);

  /// Nodes so far; also the graph's version, for it only grows.
  std::size_t size() const noexcept { return nodes_.size(); }
  const Node& node(NodeId id) const noexcept { return nodes_[id]; }
  /// The node of that name, kNoNode where there is none.
  NodeId find(std::string_view name) const;
  /// Output 0 of "a", output 1 of "a:1"; throws NotFound or InvalidArgument.
  Output output(std::string_view name);
  const OutputInfo& info(Endpoint at) const noexcept { return nodes_[at.node].outputs[at.index]; }
  const PartialShape& shape(Endpoint at) const noexcept { return *info(at).shape; }

  /// Makes `name`, "name_1", "name_2", ... unique in the graph, whatever the case of letters, and reserves it.
  std::string unique_name(std::string_view name);
  /// Throws InvalidArgument where the output belongs to another graph or is none.
  void check_mine(const Output& output) const;
  /// Throws InvalidArgument where the output has another dtype than `value`, or a static shape that it contradicts.
  void check_feed(Endpoint at, const Tensor& value) const;
  /// From now on `add` throws FailedPrecondition.
  void finalize() noexcept { finalized_ = true; }
  bool finalized() const noexcept { return finalized_; }

  /// Replaces input `index` of a Merge node by the value that a loop's NextIteration gives. Throws InvalidArgument for
  /// any other op type and where the dtypes differ.
  void set_back_edge(NodeId merge, std::uint32_t index, Endpoint from);

  /// The read of a variable under a control scope, in a branch or loop, made once; see `Variable`. kNoNode where there is none
  /// yet.
  NodeId cached_read(NodeId variable, std::span<const NodeId> controls, const FlowContext* flow = nullptr) const;
  void cache_read(NodeId variable, std::span<const NodeId> controls, const FlowContext* flow, NodeId read);

  /// Keeps a branch or loop as long as the graph.
  template <class T>
  T& adopt(std::unique_ptr<T> context) {
    T& out = *context;
    keep_flow(std::move(context));
    return out;
  }

  /// Named lists of nodes ("variables", "trainable_variables", ...), in the order in which they were added.
  void add_to_collection(const std::string& collection, Endpoint item);
  std::vector<Endpoint> collection(const std::string& collection) const;

  /// The gradient rule of one node instead of that of its op type; not part of a GraphDef. See `custom_gradient`.
  void set_gradient(NodeId node, std::function<void(GradientContext&)> rule);
  /// Null where the node has none of its own. Valid while the graph lives.
  const std::function<void(GradientContext&)>* own_gradient(NodeId node) const;

  /// What random ops without a seed of their own draw theirs from; none: they are seeded at random, anew in each session.
  void set_random_seed(std::int64_t seed);
  std::optional<std::int64_t> random_seed() const;

 private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const noexcept;  // the same whatever the case of letters
  };
  struct NameEntry {
    NodeId node = kNoNode;       // kNoNode: reserved by a scope or a base name
    std::uint32_t next_suffix = 1;
  };

  NodeId add_locked(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> attrs,
                    const AddOptions& options, std::span<const NodeId> scope_controls,
                    std::span<const NodeId> own_controls, std::string_view name, bool exact,
                    const DeviceName* device);
  void check_inputs(std::span<const Endpoint> inputs) const;
  void check_outside(std::span<const Endpoint> inputs) const;
  void keep_flow(std::unique_ptr<FlowContext> context);
  void fill_attrs(const OpDef& def, std::span<const Endpoint> inputs, std::span<AttrArg> given, AttrList& list) const;
  void infer_counts(const OpDef& def, std::size_t num_inputs, AttrList& list) const;
  void infer_types(const OpDef& def, std::span<const Endpoint> inputs, AttrList& list) const;
  void make_outputs(Node& node, const OpDef& def, const AttrList& list);
  std::string_view take_name(std::string_view wanted, bool exact);
  NameEntry* find_any_case(std::string_view name);
  std::string_view intern(std::string_view text);
  const DeviceName* intern_device(const DeviceSpec& spec);
  const PartialShape* intern_shape(const PartialShape& shape);
  const AttrList* intern_attrs(AttrList list);
  static std::uint64_t read_key(NodeId variable, std::span<const NodeId> controls, const FlowContext* flow);

  mutable std::mutex mutex_;
  std::atomic<bool> finalized_{false};
  detail::ChunkedArray<Node> nodes_;
  detail::Arena arena_;
  std::unordered_map<std::string_view, NameEntry, NameHash, std::equal_to<>> names_;
  std::unordered_map<std::string, std::unique_ptr<DeviceName>> devices_;
  std::deque<PartialShape> shapes_;
  std::unordered_multimap<std::uint64_t, const PartialShape*> shape_index_;
  std::deque<AttrList> attr_lists_;
  std::unordered_multimap<std::uint64_t, const AttrList*> attr_index_;
  std::deque<std::vector<std::string>> colocations_;
  std::unordered_map<std::uint64_t, NodeId> reads_;
  std::unordered_map<std::string, std::vector<Endpoint>> collections_;
  std::unordered_map<NodeId, std::function<void(GradientContext&)>> gradients_;
  std::optional<std::int64_t> random_seed_;
  std::vector<std::unique_ptr<FlowContext>> flows_;
  AttrList scratch_attrs_;
  std::vector<NodeId> scratch_controls_;
  std::vector<OutputInfo> scratch_outputs_;
};

namespace detail {

/// Asks the op's shape rule, if it has one; shapes that it does not set stay unknown.
void run_shape_rule(const GraphCore& core, const OpDef& def, const AttrList& attrs, std::span<const Endpoint> inputs,
                    std::span<const OutputInfo> outputs, std::span<PartialShape> shapes);

/// Throws InvalidArgument unless the name is letters, digits and "_.-/>", a letter, digit or '.' first.
void check_node_name(std::string_view name);

/// Checks a whole attribute value against its definition; throws InvalidArgument naming op type and attribute.
void check_attr(const OpDef& def, const AttrDef& attr, const AttrValue& value);

}  // namespace detail
}  // namespace dgraph

// Scope, GraphCore and Output know each other: output.hpp has the bodies of all three.
#include <dgraph/graph/output.hpp>
#include <dgraph/graph/shape_context.hpp>
