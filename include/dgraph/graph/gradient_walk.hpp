#pragma once
// GradientWalk: marks what lies between xs and ys, then visits it in reverse order of dependence. Conditionals and loops are
// visited as one node each, by GradientOps::flow, which walks what is inside.

#include <string>
#include <vector>

#include <dgraph/graph/flow.hpp>
#include <dgraph/graph/gradient.hpp>

namespace dgraph::detail {

class GradientWalk {
 public:
  GradientWalk(GraphCore& core, const GradientOptions& options, const GradientOps& ops, std::string source);

  std::vector<Gradient> run(const std::vector<Output>& ys, const std::vector<Output>& xs);

  GraphCore& core() const noexcept { return core_; }
  const GradientOps& ops() const noexcept { return ops_; }
  /// The name of this call of `gradients`, unique in the graph.
  const std::string& source() const noexcept { return source_; }
  /// Where `gradients` was called.
  FlowContext* base() const noexcept { return base_; }

  /// True for a value through which a y depends on an x.
  bool on_path(Endpoint at) const;
  /// A part of the gradient of that value; all parts are summed.
  void arrive(Endpoint at, const Gradient& gradient);
  /// The sum of what has arrived, which is then forgotten; may be none.
  Gradient take(Endpoint at);
  /// The same as a dense value; an empty handle for none.
  Output take_dense(Endpoint at);
  /// True where something has arrived at a node of that branch or loop, or of what is inside it.
  bool any_within(const FlowContext& context) const;
  /// A gradient of a value that a loop remembered: it comes back over a stack, in the order in which the loop's own gradient
  /// wants it.
  struct Returned {
    Endpoint value, stack, pushed;
  };
  std::vector<Returned> returned;
  /// Nodes that say that stacks with returned gradients are complete.
  std::vector<NodeId> completed;
  /// Visits the nodes of a branch or loop but for those on its border.
  void visit_inside(const FlowContext& context);

 private:
  bool is_stopped(Endpoint at) const;
  bool carries(Endpoint at) const;
  void mark(const std::vector<Output>& ys, const std::vector<Output>& xs);
  void find_memories();
  bool spread_from_x();
  bool spread_to_y();
  void seed(const Output& y, std::size_t i);
  void check_level(const Output& y) const;
  // In no branch or loop that `gradients` was not called in.
  bool visible_at_base(const FlowContext* context) const noexcept {
    return !context || (base_ && base_->is_within(context));
  }
  // The branch or loop that ends in this node, where that is not around it.
  FlowContext* inner_context(const Node& node) const;
  void visit_node_or_inner(const Node& node);
  Gradient sum(std::vector<Gradient>& parts);
  void visit(const Node& node);
  Gradient finish(const Output& x);

  GraphCore& core_;
  const GradientOptions& options_;
  const GradientOps& ops_;
  const std::string source_;
  const std::size_t end_;
  FlowContext* base_ = nullptr;
  bool has_flow_ = false;
  std::vector<FlowContext::Memory> memories_;
  std::vector<bool> from_x_, to_y_;
  std::vector<std::vector<std::vector<Gradient>>> pending_;  // by node, by output: the parts
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/impl/gradient.ipp>
#endif
