#pragma once
// Gradient rules and the walk that applies them from ys back to xs, adding nodes to the same graph.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <dgraph/graph/builder.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

namespace detail {
class GradientWalk;
}

/// A gradient that is zero but for some rows of the first axis: `values[k]` belongs to row `indices[k]`; rows may repeat.
struct IndexedSlices {
  Output values;       ///< shape [n, ...]
  Output indices;      ///< int32 or int64, shape [n]
  Output dense_shape;  ///< int32 or int64 vector: the shape of the whole
};

/// None, a dense Output, or IndexedSlices.
class Gradient {
 public:
  Gradient() noexcept = default;
  Gradient(const Output& dense) noexcept : values_(dense) {}
  Gradient(const IndexedSlices& slices) noexcept
      : values_(slices.values), indices_(slices.indices), dense_shape_(slices.dense_shape) {}
  explicit operator bool() const noexcept { return static_cast<bool>(values_); }
  bool is_sparse() const noexcept { return static_cast<bool>(indices_); }
  /// The dense output, or the values of sparse ones.
  const Output& values() const noexcept { return values_; }
  IndexedSlices slices() const noexcept { return {values_, indices_, dense_shape_}; }

 private:
  Output values_, indices_, dense_shape_;
};

/// The few op builders that the walk itself needs; `ops/gradients.hpp` supplies them, for `graph/` has no ops.
struct GradientOps {
  Output (*ones_like)(const Output&) = nullptr;
  Output (*zeros_like)(const Output&) = nullptr;
  Output (*add_n)(const std::vector<Output>&) = nullptr;
  Output (*to_dense)(const IndexedSlices&) = nullptr;
  IndexedSlices (*concat)(const std::vector<IndexedSlices>&) = nullptr;
  /// Adds the gradient of a conditional, of which any branch is given, or of a loop.
  void (*flow)(detail::GradientWalk&, FlowContext&) = nullptr;
};

/// What a gradient rule sees of one node. A rule is called when a gradient reaches at least one output and is needed for at
/// least one input; it calls `set` for the inputs that have a gradient (others have none).
class GradientContext {
 public:
  GradientContext(GraphCore& core, const Node& node, std::span<const Gradient> dys, const std::vector<bool>& needs,
                  std::span<Gradient> dxs, const GradientOps& ops, const std::string& source) noexcept
      : core_(core), node_(node), dys_(dys), needs_(needs), dxs_(dxs), ops_(ops), source_(source) {}

  const Node& node() const noexcept { return node_; }
  std::size_t num_inputs() const noexcept { return node_.num_inputs; }
  std::size_t num_outputs() const noexcept { return node_.num_outputs; }
  Output x(std::size_t i) const noexcept { return Output(&core_, node_.inputs[i].node, node_.inputs[i].index); }
  Output y(std::size_t i = 0) const noexcept { return Output(&core_, node_.id, static_cast<std::uint32_t>(i)); }
  template <class T>
  const T& attr(std::string_view name) const {
    return node_.attr<T>(name);
  }

  bool has_dy(std::size_t i) const noexcept { return static_cast<bool>(dys_[i]); }
  /// The gradient of output i as a dense value; zeros where none reached it.
  Output dy(std::size_t i = 0) const;
  /// As it came: none, dense or sparse.
  const Gradient& raw_dy(std::size_t i = 0) const noexcept { return dys_[i]; }
  /// False where no x is behind input i, so that its gradient would be thrown away.
  bool needs(std::size_t i) const noexcept { return needs_[i]; }
  void set(std::size_t i, const Gradient& dx) { dxs_[i] = dx; }

  /// Adds a node of the gradient: `g.add<ops::Mul>(g.dy(), g.x(1))`; see `add_op`.
  template <class OpType, class... Args>
  Output add(const Args&... args) const {
    return add_op<OpType>(OpName(node_.location), args...);
  }
  Output zeros_like(const Output& like) const { return ops_.zeros_like(like); }
  /// The name of this call of `gradients`, unique in the graph: it tells apart what several of them keep on a resource.
  const std::string& source() const noexcept { return source_; }

 private:
  GraphCore& core_;
  const Node& node_;
  std::span<const Gradient> dys_;
  const std::vector<bool>& needs_;
  std::span<Gradient> dxs_;
  const GradientOps& ops_;
  const std::string& source_;
};

enum class UnconnectedGradients {
  None,  ///< an x that no y depends on has no gradient: an empty handle
  Zero,  ///< ... has zeros of its own shape
};

struct GradientOptions {
  /// Gradients of the ys; empty: ones. One that is none stands for ones.
  std::vector<Output> grad_ys = {};
  /// Values that are taken as constants: nothing flows through them.
  std::vector<Output> stop_gradients = {};
  /// Gradient nodes share the device of the node whose gradient they are.
  bool colocate_gradients_with_ops = false;
  /// No gradient is used before all are computed.
  bool gate_gradients = false;
  UnconnectedGradients unconnected_gradients = UnconnectedGradients::None;
};

/// d(sum of ys)/dx for each x; sums where several paths meet. An x may be a variable's handle. Throws InvalidArgument for a y
/// that is not differentiable (an integer), for a grad_y of another dtype or shape, and for a node on the way whose op type has
/// no gradient (names it).
std::vector<Gradient> walk_gradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                     const GradientOptions& options, const GradientOps& ops);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/graph/gradient_walk.hpp>
#endif
