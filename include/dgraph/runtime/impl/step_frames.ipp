#pragma once
#include <dgraph/runtime/step_frames.hpp>

#include <algorithm>

namespace dgraph {

DGRAPH_DECL StepExecution::Block* StepExecution::new_block(std::uint32_t frame, FrameRun* run, std::uint64_t index) {
  const detail::ExecFrame& info = partition_->frames_[frame];
  Block* block = nullptr;
  if (!spare_blocks_[frame].empty()) {
    block = spare_blocks_[frame].back();
    spare_blocks_[frame].pop_back();
  } else {
    block = new Block;
    block->frame = frame;
    block->slots.resize(info.num_slots);
    block->states.resize(info.num_nodes);
  }
  block->run = run;
  block->index = index;
  block->active = 0;
  for (std::size_t i = 0; i < info.pending.size(); ++i) {
    block->states[i] = NodeState{};
    block->states[i].pending = info.pending[i];
  }
  return block;
}

DGRAPH_DECL StepExecution::Iterations StepExecution::iterations_of(const Block* block) const {
  Iterations out;
  for (; block->run; block = block->run->parent) out.push_back(block->index);
  std::reverse(out.begin(), out.end());
  return out;
}

DGRAPH_DECL void StepExecution::take_received(Received& received) {
  Block* block = root_;
  if (!received.iterations.empty()) {
    const auto at = awaited_.find({received.node, received.iterations});
    if (at == awaited_.end()) {
      LoopKey key{received.node, received.iterations};
      early_.emplace(std::move(key), std::move(received));
      return;
    }
    block = at->second;
    awaited_.erase(at);
  }
  deliver_outputs(block, received.node, std::span(&received.value, 1), 0, received.dead);
  leave(block);
}

DGRAPH_DECL void StepExecution::await(Ready ready) {
  LoopKey key{ready.node, iterations_of(ready.block)};
  const auto at = early_.find(key);
  if (at == early_.end()) {
    awaited_.emplace(std::move(key), ready.block);
    return;
  }
  Received received = std::move(at->second);
  early_.erase(at);
  deliver_outputs(ready.block, ready.node, std::span(&received.value, 1), 0, received.dead);
  leave(ready.block);
}

DGRAPH_DECL void StepExecution::send(Ready ready, const detail::ExecNode& node, bool dead, Tensor value) {
  turn_open_ = true;
  const PartitionEdge& edge = *partition_->send_edge(node.number);
  if (node.frame == 0) return listener_->send(*this, edge, {}, dead, std::move(value));
  const Iterations iterations = iterations_of(ready.block);
  listener_->send(*this, edge, iterations, dead, std::move(value));
}

DGRAPH_DECL void StepExecution::free_block(Block* block) {
  // Frames nest as deep as loops do, which is little.
  for (auto& child : block->children) {
    for (Block* iteration : child->iterations) free_block(iteration);
    keep_run(std::move(child));
  }
  block->children.clear();
  for (Tensor& slot : block->slots) slot.reset();
  spare_blocks_[block->frame].push_back(block);
}

// A loop in a loop begins often: what one took is used again.
DGRAPH_DECL void StepExecution::keep_run(std::unique_ptr<FrameRun> run) {
  run->iterations.clear();
  run->constants.clear();
  run->deferred.clear();
  run->next_index = 0;
  spare_runs_.push_back(std::move(run));
}

DGRAPH_DECL StepExecution::FrameRun& StepExecution::child_frame(Block* block, std::uint32_t frame) {
  for (auto& child : block->children)
    if (child->frame == frame) return *child;
  const detail::ExecFrame& info = partition_->frames_[frame];
  std::unique_ptr<FrameRun> run;
  if (spare_runs_.empty()) {
    run = std::make_unique<FrameRun>();
  } else {
    run = std::move(spare_runs_.back());
    spare_runs_.pop_back();
  }
  run->frame = frame;
  run->parent = block;
  run->enters_left = info.enters;
  run->exited.assign(info.exits.size(), false);
  ++block->active;
  FrameRun& out = *block->children.emplace_back(std::move(run));
  add_iteration(out);
  return out;
}

DGRAPH_DECL StepExecution::Block* StepExecution::add_iteration(FrameRun& run) {
  Block* block = new_block(run.frame, &run, run.next_index++);
  run.iterations.push_back(block);
  for (const FrameRun::Value& constant : run.constants) {
    Tensor value = constant.value;
    deliver_outputs(block, constant.node, std::span(&value, 1), 0, constant.dead);
  }
  return block;
}

DGRAPH_DECL void StepExecution::enter(Block* block, std::uint32_t index, Tensor value, bool dead) {
  const detail::ExecNode& node = partition_->nodes_[index];
  FrameRun& run = child_frame(block, node.target_frame);
  --run.enters_left;
  if (node.constant_enter) {
    run.constants.push_back({index, value, dead});
    for (Block* iteration : run.iterations) {
      Tensor copy = value;
      deliver_outputs(iteration, index, std::span(&copy, 1), 0, dead);
    }
  } else {
    deliver_outputs(run.iterations.front(), index, std::span(&value, 1), 0, dead);
  }
  iterations_done(run);
}

DGRAPH_DECL void StepExecution::exit(Block* block, std::uint32_t index, Tensor value, bool dead) {
  // A dead exit may yet come alive in a later iteration: those that never did are dead when the frame ends.
  if (dead) return;
  const std::vector<std::uint32_t>& exits = partition_->frames_[block->frame].exits;
  block->run->exited[static_cast<std::size_t>(std::find(exits.begin(), exits.end(), index) - exits.begin())] = true;
  deliver_outputs(block->run->parent, index, std::span(&value, 1), 0, false);
}

DGRAPH_DECL void StepExecution::next_iteration(Block* block, std::uint32_t index, Tensor value, bool dead) {
  if (dead) return;
  FrameRun& run = *block->run;
  const std::uint64_t next = block->index + 1;
  if (next == run.next_index) {
    if (run.iterations.size() >= partition_->frames_[run.frame].parallel_iterations) {
      run.deferred.push_back({index, std::move(value), false});
      return;
    }
    add_iteration(run);
  }
  Block* to = run.iterations[static_cast<std::size_t>(next - run.iterations.front()->index)];
  deliver_outputs(to, index, std::span(&value, 1), 0, false);
}

DGRAPH_DECL void StepExecution::iterations_done(FrameRun& run) {
  if (!error_.ok()) return;
  while (!run.iterations.empty()) {
    Block* oldest = run.iterations.front();
    if (oldest->active != 0 || (oldest->index == 0 && run.enters_left != 0)) return;
    if (!run.deferred.empty()) {
      // The next one begins before this one goes, so that the frame never looks done.
      Block* next = add_iteration(run);
      std::vector<FrameRun::Value> values = std::move(run.deferred);
      run.deferred.clear();
      for (FrameRun::Value& value : values)
        deliver_outputs(next, value.node, std::span(&value.value, 1), 0, value.dead);
    }
    run.iterations.pop_front();
    free_block(oldest);
  }
  Block* parent = run.parent;
  const std::vector<std::uint32_t>& exits = partition_->frames_[run.frame].exits;
  for (std::size_t i = 0; i < exits.size(); ++i)
    if (!run.exited[i]) deliver_outputs(parent, exits[i], {}, 0, true);
  const auto at = std::find_if(parent->children.begin(), parent->children.end(),
                               [&run](const auto& child) { return child.get() == &run; });
  keep_run(std::move(*at));
  parent->children.erase(at);
  leave(parent);
}

}  // namespace dgraph
