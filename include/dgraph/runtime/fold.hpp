#pragma once
// Folder: the value of a node that is known before the step runs, bounded in size and work (D24).

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dgraph/base/tensor.hpp>
#include <dgraph/kernels/eager.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// No clock is read below the Host: work is bounded by nodes and bytes.
inline constexpr std::size_t kFoldMostNodes = 1000;
inline constexpr std::size_t kFoldMostBytes = 1 << 20;  // of one node's inputs, and of its outputs
inline constexpr std::size_t kFoldMostWork = std::size_t{16}
                                             << 20;  // bytes read and written, in all

class Folder {
 public:
  explicit Folder(StepGraph& graph) : graph_(graph) {}

  /// The definition of Const; null where nothing can be folded, for there is none.
  const OpDef* constant_definition();
  /// From static shapes alone: Shape, ShapeN, Size, Rank. Empty where they are not known.
  std::vector<Tensor> from_shapes(const StepNode& node) const;
  /// From inputs that are all constants. Empty where the op has effects, is too large, or fails:
  /// then it fails in the step.
  std::vector<Tensor> from_constants(const StepNode& node);
  /// The attributes of a Const of that value, kept by the StepGraph.
  const AttrList* constant_attrs(Tensor value);

 private:
  bool within_bounds(const StepNode& node);
  StepGraph& graph_;
  EagerServices services_;
  std::size_t nodes_ = 0, work_ = 0;
};

/// The value of a Const node.
const Tensor& constant_value(const StepNode& node);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/fold.ipp>
#endif
