#pragma once
// FlowContext: a branch of a conditional, or the inside of a loop, as a place where nodes are built.

#include <vector>

#include <dgraph/graph/endpoint.hpp>

namespace dgraph {

class GraphCore;
struct Node;

/// A node whose scope has a context lives in it: its inputs and control inputs are replaced by what stands for them inside, its
/// outputs can be used inside and in contexts within. Contexts belong to their graph and nest.
class FlowContext {
 public:
  FlowContext(FlowContext* parent, bool is_loop) noexcept
      : parent_(parent), loop_(is_loop ? this : parent ? parent->loop_ : nullptr) {}
  FlowContext(const FlowContext&) = delete;
  FlowContext& operator=(const FlowContext&) = delete;
  virtual ~FlowContext() = default;

  /// Null for the outermost ones.
  FlowContext* parent() const noexcept { return parent_; }
  /// Itself or the innermost loop around it; null where there is none.
  FlowContext* loop() const noexcept { return loop_; }
  bool is_loop() const noexcept { return loop_ == this; }
  /// True for itself and all that is around it; null is around everything.
  bool is_within(const FlowContext* outer) const noexcept;

  /// Inputs and control inputs of a node that is about to be built here become what stands for them inside; one is added where
  /// the node would otherwise run though the branch is not taken or the loop has ended. May add nodes. Throws InvalidArgument
  /// for a value that cannot come in: it is computed inside another branch or loop.
  virtual void bring_in(GraphCore& core, std::vector<Endpoint>& inputs, std::vector<NodeId>& controls) = 0;
  /// True for a node of this context that only takes a value across its border.
  virtual bool is_border(const Node& node) const = 0;

  /// A value of a loop, and the node of the loop of its gradient that takes it from a stack for the same iteration: no edge
  /// leads from one to the other.
  struct Memory {
    Endpoint value, popped;
  };
  /// Those that are taken from a stack here.
  const std::vector<Memory>& memories() const noexcept { return memories_; }
  void remember(const Memory& memory) { memories_.push_back(memory); }

  /// Control inputs that the scope around asked for where the context was entered.
  const std::vector<NodeId>& entry_controls() const noexcept { return entry_controls_; }
  /// The first of the nodes by which values leave; kNoNode until there is one.
  NodeId first_output() const noexcept { return first_output_; }
  /// All nodes of the context, and of those within, have ids in [begin, end).
  NodeId begin() const noexcept { return begin_; }
  NodeId end() const noexcept { return end_; }
  void note_node(NodeId id) noexcept {
    for (FlowContext* at = this; at; at = at->parent_) {
      if (at->begin_ == kNoNode || id < at->begin_) at->begin_ = id;
      if (id >= at->end_) at->end_ = id + 1;
    }
  }

 protected:
  std::vector<NodeId> entry_controls_;
  NodeId first_output_ = kNoNode;

 private:
  FlowContext* parent_;
  FlowContext* loop_;
  std::vector<Memory> memories_;
  NodeId begin_ = kNoNode, end_ = 0;
};

inline bool FlowContext::is_within(const FlowContext* outer) const noexcept {
  const FlowContext* at = this;
  while (at && at != outer) at = at->parent_;
  return at == outer;
}

/// The innermost loop around a context; null for none, and for no context.
inline FlowContext* loop_of(const FlowContext* context) noexcept { return context ? context->loop() : nullptr; }

}  // namespace dgraph
