#pragma once
// The frames of a step: what one iteration of a loop keeps, and one execution of the loop. Used by StepExecution alone.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <dgraph/runtime/step_execution.hpp>

namespace dgraph {

// One iteration of a frame: input slots and counts of its nodes.
struct StepExecution::Block {
  FrameRun* run = nullptr;  // null for the root
  std::uint32_t frame = 0;
  std::uint64_t index = 0;
  std::size_t active = 0;   // nodes ready or running here, frames begun from here, messages awaited
  std::vector<Tensor> slots;
  std::vector<NodeState> states;
  std::vector<std::unique_ptr<FrameRun>> children;
};

// One execution of a loop.
struct StepExecution::FrameRun {
  std::uint32_t frame = 0;
  Block* parent = nullptr;
  std::uint32_t enters_left = 0;
  std::uint64_t next_index = 0;
  std::deque<Block*> iterations;  // the oldest first
  struct Value {
    std::uint32_t node;
    Tensor value;
    bool dead;
  };
  std::vector<Value> constants;  // given to every iteration
  std::vector<Value> deferred;   // of the iteration after the last, while there is no room for it
  std::vector<bool> exited;      // by position among the frame's exits
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/step_execution.ipp>
#include <dgraph/runtime/impl/step_services.ipp>
#include <dgraph/runtime/impl/step_frames.ipp>
#endif
