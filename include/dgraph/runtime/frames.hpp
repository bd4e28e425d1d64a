#pragma once
// find_frames: which loop each node of a step runs in.

#include <cstdint>
#include <string>
#include <vector>

#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

struct LoopFrame {
  std::uint32_t parent = 0;
  std::string name;  ///< empty for the root
};

struct LoopFrames {
  std::vector<LoopFrame> frames;  ///< the first is the root
  std::vector<std::uint32_t>
      of_node;  ///< by position: the frame that its outputs are in; an Exit's is the outer one
};

/// Throws InvalidArgument for a node whose inputs are in frames that do not nest, and for an Exit
/// outside any loop.
LoopFrames find_frames(const StepGraph& graph);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/frames.ipp>
#endif
