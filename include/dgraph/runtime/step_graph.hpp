#pragma once
// StepGraph: what one step needs of a graph, as dense nodes that remember which nodes they stand
// for (D22); passes work on it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dgraph/graph/core.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/wire/partition_def.hpp>

namespace dgraph::detail {

inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

/// What passes ask of an op type.
enum class OpClass : std::uint8_t {
  Plain,
  Const,
  NoOp,
  Identity,  // also StopGradient and PreventGradient
  Placeholder,
  Shape,  // also ShapeN
  Size,
  Rank,
  BroadcastGradientArgs,
  ReadVariable,
  Switch,
  Merge,
  Enter,
  Exit,
  OtherControlFlow,  // NextIteration, LoopCond, ControlTrigger
};

struct OpFacts {
  OpClass kind = OpClass::Plain;
  bool stateful = false;
  bool control_flow =
      false;  ///< may be dead while its inputs are not, or live in another frame than they
  bool takes_refs = false;  ///< has an input that is a handle to a variable
  const KernelEntry* kernel = nullptr;
};

/// Why a node is where it is.
enum class PlaceReason : std::uint8_t {
  None,
  Asked,      // its device is one task's
  AskedAny,   // the first of several that match
  Soft,       // soft placement: what it asks for is not there
  Colocated,  // with `reason_node`
  Variable,   // it works on the state that `reason_node` holds
  Consumer,   // asks for nothing; all its consumers are there
  Producer,   // asks for nothing; tells of the shape of a value that is there
  Master,     // asks for nothing
};

/// A node of a step. Inputs and controls are ranges in the StepGraph's arrays and name nodes by
/// position.
struct StepNode {
  PartitionNodeKind kind = PartitionNodeKind::Op;  ///< Op, Feed or Read
  bool alive = true;
  bool root = false;  ///< a target
  PlaceReason reason = PlaceReason::None;
  std::uint32_t reason_node = kNoIndex;  ///< NodeId
  const Node* node = nullptr;            ///< that it stands for: name, device, place of errors
  const OpFacts* facts = nullptr;
  const OpDef* def = nullptr;
  const AttrList* attrs = nullptr;
  const OutputInfo* outputs = nullptr;
  std::uint32_t num_outputs = 0;
  std::uint32_t first_input = 0, num_inputs = 0, first_control = 0, num_controls = 0;
  std::uint32_t task = kNoIndex,
                device = kNoIndex;  ///< of PlanOptions::tasks, of StepGraph::devices
};

/// Nodes lie in an order in which inputs come before their consumers, but for back edges of loops
/// and constants without control inputs that passes append. The first `num_feeds` are the feeds.
struct StepGraph {
  std::shared_ptr<const GraphCore> graph;
  std::size_t version = 0;
  KernelLookup kernels = nullptr;
  std::vector<StepNode> nodes;
  std::vector<Endpoint> inputs;
  std::vector<std::uint32_t> controls;
  std::vector<std::uint32_t>
      position;  ///< by NodeId; kNoIndex where the step does not need the node
  std::vector<Endpoint> fetches;
  std::uint32_t num_feeds = 0;
  bool has_handles = false, has_control_flow = false;
  std::unordered_map<const OpDef*, OpFacts> facts;
  std::deque<OutputInfo> own_outputs;
  std::deque<std::vector<OutputInfo>> own_output_lists;
  std::deque<AttrList> own_attrs;
  std::vector<std::pair<std::uint32_t, NodeId>>
      also;                                 ///< (position, another node that it stands for)
  std::vector<std::string> devices;         ///< full names
  std::vector<std::uint32_t> device_tasks;  ///< the task of each

  std::span<Endpoint> inputs_of(const StepNode& n) noexcept {
    return {inputs.data() + n.first_input, n.num_inputs};
  }
  std::span<const Endpoint> inputs_of(const StepNode& n) const noexcept {
    return {inputs.data() + n.first_input, n.num_inputs};
  }
  std::span<std::uint32_t> controls_of(const StepNode& n) noexcept {
    return {controls.data() + n.first_control, n.num_controls};
  }
  std::span<const std::uint32_t> controls_of(const StepNode& n) const noexcept {
    return {controls.data() + n.first_control, n.num_controls};
  }
  const OutputInfo& output(Endpoint at) const noexcept { return nodes[at.node].outputs[at.index]; }
  const OpFacts& facts_of(const OpDef& def);
};

/// A variable's handle, a resource or a variant: never crosses tasks.
inline bool is_handle(const OutputInfo& output) noexcept {
  return output.ref || output.dtype == DType::Resource || output.dtype == DType::Variant;
}
/// A constant that waits for nothing: copied to whoever uses it.
inline bool is_free_constant(const StepNode& n) noexcept {
  return n.kind == PartitionNodeKind::Op && n.facts->kind == OpClass::Const && n.num_controls == 0;
}
/// True where that input of the node's op is a handle to a variable.
bool takes_ref(const Node& node, std::uint32_t input);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/step_graph.ipp>
#endif
