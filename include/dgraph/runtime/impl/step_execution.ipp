#pragma once
#include <dgraph/runtime/step_execution.hpp>

#include <algorithm>

#include <dgraph/runtime/step_frames.hpp>

namespace dgraph {

using detail::ExecEdge;
using detail::ExecKind;
using detail::ExecNode;
using detail::kControlSlot;

DGRAPH_DECL StepExecution::StepExecution(std::shared_ptr<const CompiledPartition> partition,
                                         const TaskEnvironment& environment)
    : partition_(std::move(partition)), environment_(environment) {
  came_.assign(partition_->def().recvs.size(), false);
  feeds_.resize(partition_->def().num_feeds);
  fetches_.resize(partition_->def().num_fetches);
  spare_blocks_.resize(partition_->frames_.size());
  std::uint32_t most = 1;
  for (const ExecNode& node : partition_->nodes_) most = std::max(most, node.num_outputs);
  scratch_.resize(most);
}

DGRAPH_DECL StepExecution::~StepExecution() {
  if (root_) free_block(root_);
  for (auto& blocks : spare_blocks_)
    for (Block* block : blocks) delete block;
}

DGRAPH_DECL void StepExecution::prepare(StepId step, StepListener& listener,
                                        std::span<const std::pair<std::uint32_t, Tensor>> feeds, bool trace,
                                        bool partial) {
  listener_ = &listener;
  trace_ = trace;
  partial_ = partial;
  for (Tensor& feed : feeds_) feed.reset();
  for (const auto& [number, value] : feeds)
    if (number < feeds_.size()) feeds_[number] = value;
  open(step, false);
}

DGRAPH_DECL void StepExecution::restart(StepId step) { open(step, true); }

DGRAPH_DECL void StepExecution::open(StepId step, bool running) {
  std::lock_guard lock(inbox_mutex_);
  step_ = step;
  error_ = Status();
  inbox_cancel_ = Status();
  stop_.store(false, std::memory_order_relaxed);
  std::fill(came_.begin(), came_.end(), false);
  begun_ = false;
  open_ = true;
  running_ok_ = running;
}

DGRAPH_DECL void StepExecution::reset() {
  for (Tensor& feed : feeds_) feed.reset();
  for (Tensor& fetch : fetches_) fetch.reset();
  timings_.clear();
  listener_ = nullptr;
  owned_.store(false, std::memory_order_release);
}

DGRAPH_DECL void StepExecution::run(StepId step) {
  {
    std::lock_guard lock(inbox_mutex_);
    if (!open_ || step_ != step) return;
    running_ok_ = true;
    if (!claim()) return;
  }
  run_owned();
}

DGRAPH_DECL bool StepExecution::receive(StepId step, std::uint32_t edge, std::span<const std::uint64_t> iterations,
                                        bool dead, Tensor value) {
  const auto port = partition_->recv_ports_.find(edge);
  if (port == partition_->recv_ports_.end() || port->second.depth != iterations.size()) return false;
  {
    std::lock_guard lock(inbox_mutex_);
    if (!open_ || step_ != step || (iterations.empty() && came_[port->second.position])) return false;
    came_[port->second.position] = true;
    inbox_received_.push_back({port->second.node, dead, std::move(value), {iterations.begin(), iterations.end()}});
    if (!running_ok_ || !claim()) return true;
  }
  run_owned();
  return true;
}

DGRAPH_DECL void StepExecution::feed(StepId step, std::uint32_t number, Tensor value) {
  {
    std::lock_guard lock(inbox_mutex_);
    if (!open_ || step_ != step || !partial_ || number >= feeds_.size()) return;
    inbox_fed_.emplace_back(number, std::move(value));
    if (!running_ok_ || !claim()) return;
  }
  run_owned();
}

DGRAPH_DECL void StepExecution::take_fed(std::vector<std::pair<std::uint32_t, Tensor>> fed) {
  for (auto& [number, value] : fed) {
    if (feeds_[number].has_value()) continue;
    feeds_[number] = std::move(value);
    std::erase_if(unfed_, [&, number = number](const Ready& ready) {
      if (partition_->nodes_[ready.node].number != number) return false;
      ready_.push_back(ready);
      return true;
    });
  }
}

DGRAPH_DECL void StepExecution::cancel(StepId step, Status status) {
  {
    std::lock_guard lock(inbox_mutex_);
    if (!open_ || step_ != step || !inbox_cancel_.ok()) return;
    inbox_cancel_ = std::move(status);
    running_ok_ = true;
    stop_.store(true, std::memory_order_relaxed);
  }
  call_cancels(step);
  {
    std::lock_guard lock(inbox_mutex_);
    // What was cancelled may have ended the step.
    if (!open_ || step_ != step || !claim()) return;
  }
  run_owned();
}

DGRAPH_DECL bool StepExecution::claim() { return !owned_.exchange(true, std::memory_order_acq_rel); }

DGRAPH_DECL void StepExecution::run_owned() {
  const std::shared_ptr<StepExecution> self = shared_from_this();
  Time turn_began{};
  int steps = 0;
  for (;;) {
    take_inbox();
    const bool yielded = run_ready() || turn_is_long(steps, turn_began);
    end_turn();
    if (yielded) {
      environment_.host->compute([self] { self->run_owned(); });
      return;
    }
    if (begun_ && elsewhere_.empty() && (root_->active == 0 || !error_.ok())) {
      if (!conclude()) return;
      ++steps;
      continue;
    }
    owned_.store(false, std::memory_order_seq_cst);
    {
      std::lock_guard lock(inbox_mutex_);
      if (!running_ok_ || (begun_ && inbox_received_.empty() && inbox_done_.empty() && inbox_fed_.empty() && inbox_cancel_.ok()) || !claim())
        return;
    }
  }
}

DGRAPH_DECL void StepExecution::end_turn() {
  if (!turn_open_) return;
  turn_open_ = false;
  listener_->turn_ended(*this);
}

// Steps in a row, each of which is short, are not to keep the driver, nor a pool thread from others.
DGRAPH_DECL bool StepExecution::turn_is_long(int steps, Time& began) const {
  constexpr int kFew = 16;
  if (steps == 0 || steps % kFew != 0) return false;
  const Time now = environment_.host->now();
  if (steps == kFew) began = now;
  constexpr Duration kDriver = std::chrono::microseconds(50), kPool = std::chrono::milliseconds(5);
  return now - began > (environment_.host->on_driver() ? kDriver : kPool);
}

DGRAPH_DECL void StepExecution::take_inbox() {
  Status cancel;
  std::vector<std::pair<std::uint32_t, Tensor>> fed;
  bool begins;
  {
    std::lock_guard lock(inbox_mutex_);
    if (!running_ok_) return;
    begins = !std::exchange(begun_, true);
    taken_received_.swap(inbox_received_);
    taken_done_.swap(inbox_done_);
    fed.swap(inbox_fed_);
    std::swap(cancel, inbox_cancel_);
  }
  if (begins) begin();
  if (!fed.empty()) take_fed(std::move(fed));
  if (!cancel.ok()) {
    if (cancel.code() == Code::DeadlineExceeded && error_.ok())
      cancel = Status(cancel.code(), cancel.message() + waiting(), cancel.place());
    fail_step(std::move(cancel));
  }
  for (const auto& pending : taken_done_) finish_pending(*pending);
  taken_done_.clear();
  for (Received& received : taken_received_) {
    if (!error_.ok()) break;
    take_received(received);
  }
  taken_received_.clear();
}

DGRAPH_DECL void StepExecution::begin() {
  if (trace_) began_ = environment_.host->now();
  timings_.clear();
  if (root_) free_block(root_);
  root_ = new_block(0, nullptr, 0);
  root_->active = partition_->roots_.size() + partition_->root_recvs_;
  ready_.clear();
  unfed_.clear();
  for (auto at = partition_->roots_.rbegin(); at != partition_->roots_.rend(); ++at) ready_.push_back({root_, *at});
}

DGRAPH_DECL bool StepExecution::run_ready() {
  constexpr int kMostNodes = 256;
  constexpr Duration kMostTime = std::chrono::microseconds(50);
  if (ready_.empty()) return false;
  const bool driver = environment_.host->on_driver();
  Time began{};
  int count = 0;
  while (!ready_.empty() && error_.ok()) {
    const Ready ready = ready_.back();
    ready_.pop_back();
    run_node(ready);
    ++count;
    if (driver && (count & 15) == 0) {
      if (count == 16) began = environment_.host->now();
      if (count >= kMostNodes || environment_.host->now() - began > kMostTime) return !ready_.empty();
    } else if (!driver && (count & 255) == 0) {
      // A loop may go round here for long.
      end_turn();
      take_inbox();
    }
  }
  return false;
}

DGRAPH_DECL bool StepExecution::conclude() {
  {
    std::lock_guard lock(inbox_mutex_);
    open_ = false;
    running_ok_ = false;
    inbox_received_.clear();
    inbox_fed_.clear();
    inbox_cancel_ = Status();
  }
  ready_.clear();
  awaited_.clear();
  early_.clear();
  if (!error_.ok()) {
    free_block(root_);
    root_ = nullptr;
    for (Tensor& fetch : fetches_) fetch.reset();
  }
  return listener_->finished(*this, error_);
}

DGRAPH_DECL void StepExecution::run_node(Ready ready) {
  const ExecNode& node = partition_->nodes_[ready.node];
  Block* block = ready.block;
  Tensor* inputs = block->slots.data() + node.slot;
  NodeState& state = block->states[node.local];
  if (DGRAPH_UNLIKELY(state.dead && node.kind != ExecKind::ControlTrigger)) {
    for (std::uint32_t i = 0; i < node.num_inputs; ++i) inputs[i].reset();
    switch (node.kind) {
      case ExecKind::Send: send(ready, node, true, Tensor()); break;
      case ExecKind::Fetch:
        fail_step(errors::InvalidArgument("the value fetched here is dead: its branch was not taken"), ready.node);
        return;
      case ExecKind::Enter: enter(block, ready.node, Tensor(), true); break;
      case ExecKind::Exit: exit(block, ready.node, Tensor(), true); break;
      case ExecKind::NextIteration: break;
      default: deliver_outputs(block, ready.node, {}, 0, true);
    }
    leave(block);
    return;
  }
  if (DGRAPH_LIKELY(node.kind == ExecKind::Kernel)) return run_kernel(ready, node, {inputs, node.num_inputs});
  run_alive(ready, node, inputs);
}

DGRAPH_DECL void StepExecution::pass_on(Ready ready, Tensor value) {
  deliver_outputs(ready.block, ready.node, std::span(&value, 1), 0, false);
  leave(ready.block);
}

DGRAPH_DECL void StepExecution::run_alive(Ready ready, const ExecNode& node, Tensor* inputs) {
  Block* block = ready.block;
  switch (node.kind) {
    case ExecKind::Kernel: return run_kernel(ready, node, {inputs, node.num_inputs});
    case ExecKind::Async: return run_async(ready, node, {inputs, node.num_inputs});
    case ExecKind::Const: return pass_on(ready, partition_->constants_[node.number]);
    case ExecKind::Forward: return pass_on(ready, std::move(inputs[0]));
    case ExecKind::NoOp:
    case ExecKind::ControlTrigger:
      deliver_outputs(block, ready.node, {}, 0, false);
      return leave(block);
    case ExecKind::Recv: return await(ready);
    case ExecKind::Feed:
      if (!feeds_[node.number].has_value() && partial_) {
        unfed_.push_back(ready);
        return;
      }
      if (!feeds_[node.number].has_value())
        return fail_step(errors::InvalidArgument("no value was fed"), ready.node);
      if (feeds_[node.number].dtype() != partition_->output_dtypes_[node.dtypes])
        return fail_step(errors::InvalidArgument("a value of ", dtype_name(feeds_[node.number].dtype()), " was fed, not ",
                                                 dtype_name(partition_->output_dtypes_[node.dtypes])),
                         ready.node);
      return pass_on(ready, feeds_[node.number]);
    case ExecKind::Fetch:
      if (partial_)
        listener_->fetched(*this, node.number, std::move(inputs[0]));
      else
        fetches_[node.number] = std::move(inputs[0]);
      return leave(block);
    case ExecKind::Send:
      send(ready, node, false, node.num_inputs ? std::move(inputs[0]) : Tensor());
      return leave(block);
    case ExecKind::Read:
      try {
        Tensor value;
        const VariableResource& variable = resource_as<VariableResource>(inputs[0]);
        if (!variable.try_read(value)) {
          // A writer may hold a large variable for long: the driver is not to wait for it.
          if (environment_.host->on_driver()) return offload(ready, node, {inputs, node.num_inputs});
          value = variable.read();
        }
        inputs[0].reset();
        return pass_on(ready, std::move(value));
      } catch (...) {
        return fail_step(current_exception_status(), ready.node);
      }
    case ExecKind::Switch: {
      const Tensor predicate = std::move(inputs[1]);
      if (predicate.dtype() != DType::Bool || predicate.elements() != 1)
        return fail_step(errors::InvalidArgument("the predicate must be one bool, not ", dtype_name(predicate.dtype()),
                                                 predicate.shape()),
                         ready.node);
      const bool taken = *predicate.data<bool>();
      Tensor both[2];
      both[taken ? 1 : 0] = std::move(inputs[0]);
      deliver_outputs(block, ready.node, both, taken ? 1u : 2u, false);
      return leave(block);
    }
    case ExecKind::Merge: {
      const std::uint32_t merged = block->states[node.local].merged;
      if (merged == 0) {
        deliver_outputs(block, ready.node, {}, 0, true);
        return leave(block);
      }
      Tensor both[2];
      both[0] = std::move(inputs[merged - 1]);
      both[1] = Tensor::scalar(static_cast<std::int32_t>(merged - 1));
      deliver_outputs(block, ready.node, std::span(both, std::max<std::size_t>(node.num_outputs, 1)), 0, false);
      return leave(block);
    }
    case ExecKind::Enter:
      enter(block, ready.node, std::move(inputs[0]), false);
      return leave(block);
    case ExecKind::Exit:
      exit(block, ready.node, std::move(inputs[0]), false);
      return leave(block);
    case ExecKind::NextIteration:
      next_iteration(block, ready.node, std::move(inputs[0]), false);
      return leave(block);
  }
}

DGRAPH_DECL bool StepExecution::worth_offloading(const ExecNode& node, const KernelContext& context) const {
  constexpr double kCostly = 20'000, kNsPerByte = 0.15;
  double ns = 0;
  if (node.cost) {
    ns = node.cost(context);
  } else if (node.ns_each != 0) {
    for (const Tensor& input : context.inputs())
      ns = node.ns_each > 0 ? std::max(ns, static_cast<double>(input.elements()) * node.ns_each)
                            : ns + static_cast<double>(input.bytes()) * kNsPerByte;
  }
  if (DGRAPH_LIKELY(ns < kCostly)) return false;
  return environment_.host->on_driver() || (!ready_.empty() && environment_.host->compute_threads() > 1);
}

DGRAPH_DECL void StepExecution::run_kernel(Ready ready, const ExecNode& node, std::span<Tensor> inputs) {
  const std::span<Tensor> outputs(scratch_.data(), node.num_outputs);
  KernelContext context(inputs, outputs, {partition_->output_dtypes_.data() + node.dtypes, node.num_outputs},
                        node.config, node.state, *this);
  // What lies in the tensors themselves is too little to count.
  bool tiny = !node.cost;
  for (const Tensor& input : inputs) tiny = tiny && !input.buffer();
  if (DGRAPH_UNLIKELY(!tiny && worth_offloading(node, context))) return offload(ready, node, inputs);
  const Time began = trace_ ? environment_.host->now() : Time{};
  try {
    node.run(context);
  } catch (...) {
    for (Tensor& output : outputs) output.reset();
    return fail_step(current_exception_status(), ready.node);
  }
  if (trace_) note_timing(ready.node, began, outputs);
  for (Tensor& input : inputs) input.reset();
  deliver_outputs(ready.block, ready.node, outputs, 0, false);
  for (Tensor& output : outputs) output.reset();
  leave(ready.block);
}

DGRAPH_DECL std::shared_ptr<StepExecution::Pending> StepExecution::make_pending(Ready ready, const ExecNode& node,
                                                                                std::span<Tensor> inputs) {
  auto pending = std::make_shared<Pending>();
  pending->block = ready.block;
  pending->node = ready.node;
  pending->inputs.assign(std::make_move_iterator(inputs.begin()), std::make_move_iterator(inputs.end()));
  pending->outputs.resize(node.num_outputs);
  pending->context = std::make_unique<KernelContext>(
      std::span<Tensor>(pending->inputs), std::span<Tensor>(pending->outputs),
      std::span<const DType>(partition_->output_dtypes_.data() + node.dtypes, node.num_outputs), node.config,
      node.state, *this);
  if (trace_) pending->began = environment_.host->now();
  elsewhere_.push_back(pending.get());
  return pending;
}

DGRAPH_DECL void StepExecution::offload(Ready ready, const ExecNode& node, std::span<Tensor> inputs) {
  const std::shared_ptr<Pending> pending = make_pending(ready, node, inputs);
  environment_.host->compute([self = shared_from_this(), pending, run = node.run] {
    Status status;
    try {
      run(*pending->context);
    } catch (...) {
      status = current_exception_status();
    }
    self->bring_back(pending, std::move(status));
  });
}

DGRAPH_DECL void StepExecution::run_async(Ready ready, const ExecNode& node, std::span<Tensor> inputs) {
  const std::shared_ptr<Pending> pending = make_pending(ready, node, inputs);
  pending->context->set_done([self = shared_from_this(), pending](Status status) mutable {
    // The context holds this function: letting go of it first breaks the circle.
    const std::shared_ptr<Pending> kept = std::move(pending);
    const std::shared_ptr<StepExecution> step = std::move(self);
    step->bring_back(kept, std::move(status));
  });
  try {
    node.run(*pending->context);
  } catch (...) {
    if (KernelDone done = pending->context->take_done()) done(current_exception_status());
  }
}

DGRAPH_DECL void StepExecution::bring_back(const std::shared_ptr<Pending>& pending, Status status) {
  pending->status = std::move(status);
  {
    std::lock_guard lock(inbox_mutex_);
    inbox_done_.push_back(pending);
    if (!claim()) return;
  }
  run_owned();
}

DGRAPH_DECL void StepExecution::finish_pending(Pending& pending) {
  elsewhere_.erase(std::find(elsewhere_.begin(), elsewhere_.end(), &pending));
  pending.context.reset();
  pending.inputs.clear();
  if (!error_.ok()) return;
  if (!pending.status.ok()) return fail_step(std::move(pending.status), pending.node);
  if (trace_) note_timing(pending.node, pending.began, pending.outputs);
  deliver_outputs(pending.block, pending.node, pending.outputs, 0, false);
  leave(pending.block);
}

DGRAPH_DECL void StepExecution::deliver_outputs(Block* block, std::uint32_t index, std::span<Tensor> outputs,
                                                std::uint32_t dead_outputs, bool dead) {
  const ExecNode& node = partition_->nodes_[index];
  NodeState* const states = block->states.data();
  Tensor* const slots = block->slots.data();
  const ExecEdge* const end = partition_->edges_.data() + node.edge_end;
  for (const ExecEdge* edge = partition_->edges_.data() + node.edge_begin; edge != end; ++edge) {
    Tensor* value = nullptr;
    bool edge_dead = dead;
    if (edge->slot != kControlSlot && !dead) {
      edge_dead = edge->output < 32 && (dead_outputs >> edge->output & 1u);
      if (!edge_dead) {
        value = &outputs[edge->output];
        if (DGRAPH_UNLIKELY(!value->has_value() && node.kind != ExecKind::Recv))
          return fail_step(errors::Internal("output ", edge->output, " was not set"), index);
      }
    }
    if (DGRAPH_UNLIKELY(edge->merge)) {
      deliver_to_merge(block, *edge, edge_dead, value);
      continue;
    }
    NodeState& state = states[edge->local];
    if (DGRAPH_UNLIKELY(edge_dead))
      state.dead = true;
    else if (value && edge->last)
      slots[edge->slot] = std::move(*value);
    else if (value)
      slots[edge->slot] = *value;
    if (--state.pending == 0) {
      ++block->active;
      ready_.push_back({block, edge->node});
    }
  }
}

DGRAPH_DECL void StepExecution::deliver_to_merge(Block* block, const ExecEdge& edge, bool dead, Tensor* value) {
  const ExecNode& to = partition_->nodes_[edge.node];
  NodeState& state = block->states[edge.local];
  if (edge.slot == kControlSlot) {
    --state.pending;
    state.dead = state.dead || dead;
  } else if (dead) {
    ++state.dead_data;
  } else if (state.merged == 0) {
    state.merged = static_cast<std::uint16_t>(1 + (edge.slot - to.slot));
    block->slots[edge.slot] = edge.last ? std::move(*value) : *value;
  }
  if (state.fired || state.pending != 0 || (state.merged == 0 && state.dead_data != to.num_inputs)) return;
  state.fired = true;
  ++block->active;
  ready_.push_back({block, edge.node});
}

DGRAPH_DECL void StepExecution::leave(Block* block) {
  if (--block->active == 0 && block->run) iterations_done(*block->run);
}

DGRAPH_DECL void StepExecution::fail_step(Status status, std::uint32_t node) {
  fail_step(std::move(status.at(partition_->place(node))));
}

DGRAPH_DECL void StepExecution::fail_step(Status status) {
  if (!error_.ok()) return;
  ErrorPlace place;
  place.task = environment_.task_name;
  error_ = std::move(status.at(place));
  ready_.clear();
  stop_.store(true, std::memory_order_relaxed);
  call_cancels(step_);
}

DGRAPH_DECL void StepExecution::note_timing(std::uint32_t node, Time began, std::span<const Tensor> outputs) {
  const ErrorPlace place = partition_->place(node);
  NodeTiming timing{place.node, place.op_type, place.device, (began - began_).count(),
                    (environment_.host->now() - began_).count(), 0};
  for (const Tensor& output : outputs) timing.output_bytes += output.bytes();
  timings_.push_back(std::move(timing));
}

}  // namespace dgraph
