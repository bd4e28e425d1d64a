#pragma once
// Optimizer: what all optimizers share: gradients of a loss with respect to variables, and one update op for each variable.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/graph/gradient.hpp>
#include <dgraph/ops/variable.hpp>

namespace dgraph {

/// A variable, and how the loss changes with it: nothing, a dense value, or rows (IndexedSlices).
struct GradientAndVariable {
  Gradient gradient;
  AnyVariable variable;
};

struct MinimizeOptions {
  /// What is trained; empty: all trainable variables of the graph.
  std::vector<AnyVariable> var_list = {};
  /// Counts the steps: 1 is added to it once all variables are updated.
  AnyVariable global_step = {};
  /// Gradient nodes share the device of the node whose gradient they are.
  bool colocate_gradients_with_ops = false;
  /// No gradient is used before all are computed.
  bool gate_gradients = false;
  /// The gradient of the loss; none: ones.
  Output grad_loss = {};
};

/// A number, or a scalar of the graph, such as a learning rate that decays.
class Hyperparameter {
 public:
  Hyperparameter(double value) noexcept : value_(value) {}
  template <GraphValue X>
  Hyperparameter(const X& value) : node_(detail::as_output<element_of<X>>(value, {}, nullptr)) {}

  /// The value as a scalar of that dtype in this thread's default graph; a number becomes a constant of that name.
  Output as(DType dtype, const OpName& name) const;

 private:
  double value_ = 0;
  Output node_;
};

/// Base of the optimizers. One object may be used for many graphs: it holds no node.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// An op that, run, changes the variables so that `loss` falls: `compute_gradients`, then `apply_gradients`.
  Op<void> minimize(const Output& loss, const MinimizeOptions& options = {}, OpName name = {}) const;

  /// The gradient of `loss` for each variable. Throws InvalidArgument where there is no variable, and for a loss of a dtype that
  /// has no gradient.
  std::vector<GradientAndVariable> compute_gradients(const Output& loss, const MinimizeOptions& options = {}) const;

  /// An op that updates each variable that has a gradient, where the variable is; a NoOp after all updates or, with a
  /// `global_step`, its increment. Throws InvalidArgument, naming the variables, where none has a gradient.
  Op<void> apply_gradients(const std::vector<GradientAndVariable>& gradients, const AnyVariable& global_step = {},
                           OpName name = {}) const;

 protected:
  /// What the update ops of one `apply_gradients` share.
  class Update {
   public:
    virtual ~Update() = default;
    /// Adds the node that updates `variable`, on its device.
    virtual Output dense(const AnyVariable& variable, const Output& gradient, const OpName& name) = 0;
    virtual Output sparse(const AnyVariable& variable, const IndexedSlices& gradient, const OpName& name) = 0;
  };

  explicit Optimizer(std::string name) : name_(std::move(name)) {}
  Optimizer(const Optimizer&) = default;
  Optimizer& operator=(const Optimizer&) = default;

  /// Begins an update of these variables; called under the name scope of its nodes.
  virtual std::unique_ptr<Update> begin_update(const std::vector<GradientAndVariable>& gradients,
                                               const OpName& name) const = 0;

 private:
  std::string name_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/train/impl/optimizer.ipp>
#endif
