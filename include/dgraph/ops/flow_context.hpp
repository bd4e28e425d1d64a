#pragma once
// Branches of conditionals and loops while they are built: Switches and Enters for the values that they take from outside.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dgraph/graph/flow.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph::detail {

class GradientLoop;
class LoopContext;

/// What branches and loops share: which value stands inside for one from outside.
class ValueContext : public FlowContext {
 public:
  /// A value from outside, and what stands for it inside.
  struct Capture {
    Endpoint outer, inner;
  };

  DGRAPH_DECL void bring_in(GraphCore& core, std::vector<Endpoint>& inputs,
                            std::vector<NodeId>& controls) override;
  /// What stands inside for the value; may add nodes here and around.
  Endpoint stand_in(GraphCore& core, Endpoint value);
  /// In the order in which they came in.
  const std::vector<Capture>& captures() const noexcept { return captures_; }
  /// Whose gradient this context computes: its values are known here. Null: it computes none.
  ValueContext* forward() const noexcept { return forward_; }
  /// Names and device of what was built around it.
  const Scope& place() const noexcept { return scope_; }
  ValueContext* outer() const noexcept { return static_cast<ValueContext*>(parent()); }
  /// Adds a node here as it is, on the device of the context.
  Endpoint add_here(GraphCore& core, const OpDef& def, std::span<const Endpoint> inputs,
                    std::span<AttrArg> attrs, std::span<const NodeId> controls = {},
                    std::span<const PartialShape> shapes = {});

 protected:
  ValueContext(FlowContext* parent, bool is_loop, ValueContext* forward, SourceLocation location);
  /// The node that brings a value, known around this context, inside.
  virtual Endpoint wrap(GraphCore& core, Endpoint outer) = 0;
  /// A node that runs when and as often as the inside does.
  virtual NodeId pivot(GraphCore& core) = 0;
  /// True where nothing keeps a node with these from running when the inside does not.
  virtual bool needs_pivot(const GraphCore& core, std::span<const Endpoint> inputs,
                           std::span<const NodeId> controls) const = 0;
  /// True where that branch is taken whenever this one is.
  virtual bool is_same_branch(const GraphCore&, const FlowContext*) const { return false; }

  Scope scope_;  // where it was made: names and device of what is added
  SourceLocation location_;
  ValueContext* const forward_;
  std::vector<Capture> captures_;

 private:
  Endpoint from_forward(GraphCore& core, Endpoint value);
  void bring_in_controls(GraphCore& core, std::vector<NodeId>& controls);
  bool runs_after(const FlowContext* loop) const;
  Endpoint token_of(GraphCore& core, NodeId node);

  std::unordered_map<std::uint64_t, Endpoint> known_;
  std::unordered_map<NodeId, Endpoint> tokens_;
};

/// One branch of a conditional.
class BranchContext final : public ValueContext {
 public:
  /// `pred` is a value around the conditional.
  BranchContext(FlowContext* parent, Endpoint pred, bool taken_if, BranchContext* forward,
                SourceLocation location);
  DGRAPH_DECL bool is_border(const Node& node) const override;

  Endpoint pred() const noexcept { return pred_; }
  bool taken_if() const noexcept { return taken_if_; }
  /// Joins two branches into one conditional by the Merges of their results.
  static void join(BranchContext& if_false, BranchContext& if_true, std::vector<NodeId> merges);
  /// The other branch of the conditional; null until they are joined.
  BranchContext* other() const noexcept { return other_; }
  const std::vector<NodeId>& merges() const noexcept { return merges_; }
  /// A value that the branch gives, as a node that is alive only if the branch is taken.
  Endpoint result(GraphCore& core, Endpoint value);
  /// The pivot, for branches that are run for their effects.
  Endpoint done(GraphCore& core, std::span<const NodeId> effects);

 private:
  DGRAPH_DECL Endpoint wrap(GraphCore& core, Endpoint outer) override;
  DGRAPH_DECL NodeId pivot(GraphCore& core) override;
  DGRAPH_DECL bool needs_pivot(const GraphCore& core, std::span<const Endpoint> inputs,
                               std::span<const NodeId> controls) const override;
  DGRAPH_DECL bool is_same_branch(const GraphCore& core, const FlowContext* other) const override;
  Endpoint add_switch(GraphCore& core, Endpoint data);

  const Endpoint pred_;
  const bool taken_if_;
  BranchContext* other_ = nullptr;
  std::vector<NodeId> merges_;
  NodeId pivot_ = kNoNode;
};

/// How a loop is to run.
struct LoopSettings {
  std::int64_t parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
};

/// A loop: condition and body.
class LoopContext final : public ValueContext {
 public:
  struct Variable {
    Endpoint initial;  ///< around the loop
    NodeId enter = kNoNode, merge = kNoNode, take = kNoNode,
           leave = kNoNode;  ///< Switch and Exit are the last two
    Endpoint body;           ///< its value in the body
    Endpoint result;         ///< what the body gives for the next iteration
  };

  LoopContext(GraphCore& core, FlowContext* parent, const LoopSettings& settings,
              LoopContext* forward, SourceLocation location);
  DGRAPH_DECL bool is_border(const Node& node) const override;

  const LoopSettings& settings() const noexcept { return settings_; }
  const std::vector<Variable>& variables() const noexcept { return variables_; }

  /// Adds a loop variable: its Enter and Merge. `after`: control inputs of the Enter. Returns its number.
  std::size_t add_variable(GraphCore& core, Endpoint initial, const PartialShape& shape,
                           std::span<const NodeId> after = {});
  /// The value in the condition.
  Endpoint merged(std::size_t i) const noexcept { return {variables_[i].merge, 0}; }
  /// Ends the condition: a bool scalar inside. Once, before any `open`.
  void set_condition(GraphCore& core, Endpoint pred);
  /// Makes the variable's value in the body.
  Endpoint open(GraphCore& core, std::size_t i);
  /// Its value for the next iteration, of the variable's dtype.
  void close(GraphCore& core, std::size_t i, Endpoint result);
  /// Throws InvalidArgument for another dtype, and for a shape that may differ from the one that the variable has.
  void check_result(GraphCore& core, std::size_t i, Endpoint result);
  /// Its value after the loop.
  Endpoint leave(GraphCore& core, std::size_t i);

  /// Of a loop that computes a gradient: what it remembers of the other loop.
  GradientLoop* gradient = nullptr;

 private:
  DGRAPH_DECL Endpoint wrap(GraphCore& core, Endpoint outer) override;
  DGRAPH_DECL NodeId pivot(GraphCore& core) override;
  DGRAPH_DECL bool needs_pivot(const GraphCore& core, std::span<const Endpoint> inputs,
                               std::span<const NodeId> controls) const override;
  bool is_invariant(const Node& node) const;
  Endpoint add_enter(GraphCore& core, Endpoint outer, bool constant, const PartialShape& shape,
                     std::span<const NodeId> after);

  const LoopSettings settings_;
  std::string frame_;
  std::vector<Variable> variables_;
  NodeId condition_ = kNoNode;
};

/// This thread's innermost branch or loop; null for none.
inline ValueContext* value_context() {
  return static_cast<ValueContext*>(need_build_context().scope.flow);
}
inline Output output_at(GraphCore& core, Endpoint at) { return Output(&core, at.node, at.index); }

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/gradient_loop.hpp>
#endif
