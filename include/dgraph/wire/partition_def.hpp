#pragma once
// PartitionDef: the part of a step that one task runs, as plain data; made by the partitioner, run by the executor.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <dgraph/graph/core.hpp>

namespace dgraph {

enum class PartitionNodeKind : std::uint8_t {
  Op = 0,     ///< a node of the graph
  Feed = 1,   ///< no inputs; its output is feed number `number` of the step's start
  Fetch = 2,  ///< one input: fetch number `number` of this partition's results
  Send = 3,   ///< one data input, or control inputs only: leaves over edge `number`
  Recv = 4,   ///< no inputs; its output is what comes over edge `number` (none for an edge of control only)
  Read = 5,   ///< one input, a handle to a variable; its output is the variable's value at that moment
};

struct PartitionOutput {
  DType dtype = DType::Invalid;
  bool ref = false;  ///< a handle
};

/// Inputs name nodes of the same partition by their position, which may lie ahead only for the back edges of loops.
struct PartitionNode {
  PartitionNodeKind kind = PartitionNodeKind::Op;
  std::uint32_t number = 0;
  const OpDef* def = nullptr;             ///< of Op nodes: the receiving task's own definition after decoding
  const AttrList* attrs = nullptr;        ///< of Op nodes; borrowed from the graph or owned by the PartitionDef
  std::string name;                       ///< of the node it stands for, in errors and traces
  std::string device;                     ///< full device name
  std::vector<Endpoint> inputs;           ///< (position of the node, output)
  std::vector<std::uint32_t> controls;    ///< positions
  std::vector<PartitionOutput> outputs;
};

/// An edge that crosses tasks: one message an iteration, a value or a dead mark (D5e).
struct PartitionEdge {
  std::uint32_t number = 0;      ///< unique in the step
  std::uint32_t peer = 0;        ///< task at the other end
  DType dtype = DType::Invalid;  ///< Invalid: control only
  bool paced = false;            ///< repeat: its producer may run at most 8 steps ahead of its consumer (D9)
  std::string name;              ///< of the producing output, for errors: "scope/Sub:0"
};

struct PartitionDef {
  std::uint32_t task = 0;                 ///< position in the cluster's list of tasks
  std::uint32_t num_feeds = 0, num_fetches = 0;
  std::vector<PartitionNode> nodes;
  std::vector<PartitionEdge> sends, recvs;
  std::deque<AttrList> owned_attrs;
  std::shared_ptr<const GraphCore> graph;  ///< keeps borrowed attributes alive; null after decoding
  std::shared_ptr<const void> keep;        ///< keeps attributes alive that another PartitionDef owns
};

}  // namespace dgraph
