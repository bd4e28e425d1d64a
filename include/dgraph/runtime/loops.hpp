#pragma once
// spread_loops: a loop whose nodes are on several tasks gets control of its own on each of them (D8).

#include <cstdint>
#include <utility>
#include <vector>

#include <dgraph/runtime/frames.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// Where values come in from other tasks, once an iteration: a Merge that runs in each iteration of a loop on a task.
class LoopGates {
 public:
  void add(std::uint32_t frame, std::uint32_t task, std::uint32_t merge) { gates_.push_back({frame, task, merge}); }
  /// Position of the Merge; kNoIndex where the loop has none on that task.
  std::uint32_t find(std::uint32_t frame, std::uint32_t task) const noexcept;

 private:
  struct Gate {
    std::uint32_t frame, task, merge;
  };
  std::vector<Gate> gates_;
};

/// After placing. Nodes that only take values into, round and out of a loop move to where those are used: what comes from outside
/// and stays the same is sent once, not in each iteration. Each task of a loop that has no variable of it gets one, which goes
/// round as long as the predicate says, so that all begin as many iterations. Adds nodes: positions change.
void spread_loops(StepGraph& graph);

/// The gates of all loops that are on more than one task.
LoopGates find_gates(const StepGraph& graph, const LoopFrames& frames);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/loops.ipp>
#endif
