#pragma once
// CompiledPartition: a PartitionDef bound to kernels and laid out in flat arrays, grouped by frame; shared by all its steps (D8).

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dgraph/base/host.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/wire/partition_def.hpp>

namespace dgraph {

/// States of stateful kernels, one for each (session, node name): they outlive handles and re-registration (D7).
class NodeStates {
 public:
  /// The state of that node, made where there is none.
  Ref<Counted> find_or_make(const Kernel& kernel, const KernelRequest& request, std::uint64_t entropy);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, Ref<Counted>> states_;
};

namespace detail {

enum class ExecKind : std::uint8_t {
  Kernel,
  Async,
  Const,
  NoOp,
  Feed,
  Fetch,
  Send,
  Recv,
  Read,
  Switch,
  Merge,
  Enter,
  Exit,
  NextIteration,
  Forward,         // LoopCond and other ops that pass their input on
  ControlTrigger,  // runs whether its control inputs are dead or not
};

inline constexpr std::uint32_t kControlSlot = ~std::uint32_t{0};

struct ExecEdge {
  std::uint32_t node;    // position of the consumer
  std::uint32_t local;   // the same among the nodes of its frame
  std::uint32_t slot;    // input slot in the consumer's frame; kControlSlot for a control edge
  std::uint16_t output;
  bool merge;            // the consumer is a Merge
  bool last;             // the last data edge of this output: the value may be moved
};

struct ExecNode {
  ExecKind kind = ExecKind::NoOp;
  bool constant_enter = false;
  std::uint32_t frame = 0;         // in which it runs
  std::uint32_t target_frame = 0;  // where its outputs go: differs for Enter and Exit
  std::uint32_t local = 0;         // position among the nodes of its frame
  std::uint32_t slot = 0, num_inputs = 0, num_outputs = 0, num_controls = 0;
  std::uint32_t edge_begin = 0, edge_end = 0;
  std::uint32_t number = 0;        // of a feed, fetch, send, recv or constant
  std::uint32_t dtypes = 0;        // of its outputs, in output_dtypes
  void (*run)(KernelContext&) = nullptr;
  double (*cost)(const KernelContext&) = nullptr;
  double ns_each = -1;
  const void* config = nullptr;
  Counted* state = nullptr;
};

struct ExecFrame {
  std::uint32_t parent = 0;
  std::uint32_t num_nodes = 0, num_slots = 0;
  std::uint32_t enters = 0;
  std::uint32_t parallel_iterations = 1;
  std::string name;
  std::vector<std::uint32_t> pending;      // by local position: what each node waits for at first
  std::vector<std::uint32_t> exits;        // nodes
};

}  // namespace detail

/// Immutable; executions hold it by shared_ptr.
class CompiledPartition {
 public:
  /// Binds kernels and lays the nodes out. Throws Error naming the node: NotFound for an op that the table lacks, Unimplemented
  /// for a dtype that it lacks, InvalidArgument for a malformed partition (it may come from anybody).
  CompiledPartition(PartitionDef def, KernelLookup kernels, NodeStates& states, Host& host);

  const PartitionDef& def() const noexcept { return def_; }
  /// Node, op type and device of a node, for errors.
  ErrorPlace place(std::uint32_t node) const;
  /// Null for an edge that does not come in (or leave) here.
  const PartitionEdge* recv_edge(std::uint32_t edge) const noexcept;
  const PartitionEdge* send_edge(std::uint32_t edge) const noexcept;

 private:
  friend class StepExecution;
  void check() const;
  void find_frames();
  void lay_out();
  void bind(KernelLookup kernels, NodeStates& states, Host& host);

  PartitionDef def_;
  std::vector<detail::ExecNode> nodes_;
  std::vector<detail::ExecEdge> edges_;
  std::vector<detail::ExecFrame> frames_;
  std::vector<std::uint32_t> roots_;  // nodes of the root frame that wait for nothing
  std::vector<DType> output_dtypes_;
  std::vector<Tensor> constants_;
  std::vector<Kernel> kernels_;
  std::vector<Ref<Counted>> node_states_;
  struct RecvPort {
    std::uint32_t node;
    std::uint32_t position;  // among the recvs
    std::uint32_t depth;     // of the loops around it
  };
  std::unordered_map<std::uint32_t, RecvPort> recv_ports_;
  std::uint32_t root_recvs_ = 0;  // those in no loop
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/compiled_partition.ipp>
#endif
