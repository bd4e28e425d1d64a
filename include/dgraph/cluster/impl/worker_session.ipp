#pragma once
#include <dgraph/cluster/worker_session.hpp>

#include <algorithm>

#include <dgraph/cluster/worker.hpp>

namespace dgraph::detail {

DGRAPH_DECL bool WorkerRegistration::involves(std::uint32_t task) const {
  return std::any_of(peers.begin(), peers.end(), [task](const PeerTask& peer) { return peer.task == task; });
}

DGRAPH_DECL WorkerSession::WorkerSession(SessionId id_, std::uint32_t master_, SessionConfig config_,
                                         const TaskEnvironment& shared, KernelLookup kernels)
    : id(id_), master(master_), config(std::move(config_)), environment(shared) {
  if (config.isolate_state) {
    own_resources = std::make_unique<ResourceManager>();
    environment.resources = own_resources.get();
    own_functions = make_ref<TaskFunctions>(environment, kernels);
    environment.task = own_functions.get();
  }
}

DGRAPH_DECL WorkerSession::~WorkerSession() {
  if (own_functions) own_functions->stop();
}

DGRAPH_DECL std::shared_ptr<WorkerRun> WorkerSession::run_of(StepId step) const {
  const auto after = runs.upper_bound(step);
  if (after == runs.begin()) return nullptr;
  const std::shared_ptr<WorkerRun>& run = std::prev(after)->second;
  return run->contains(step) ? run : nullptr;
}

DGRAPH_DECL void WorkerSession::forget_early(StepId begin, StepId end, Consumed& consumed) {
  const auto first = early.lower_bound(begin), last = early.lower_bound(end);
  for (auto at = first; at != last; ++at)
    for (const Early& e : at->second)
      if (e.entry.body_bytes) consumed.emplace_back(e.from, e.entry.body_bytes);
  early.erase(first, last);
}

DGRAPH_DECL void WorkerSession::raise_floor(StepId floor, Consumed& consumed) {
  if (floor <= over.floor()) return;
  over.raise_floor(floor);
  forget_early(0, floor, consumed);
  held.erase(held.begin(), held.lower_bound({floor, 0, {}}));
  std::erase_if(announced, [floor](const Announced& a) { return a.announce.step < floor; });
}

DGRAPH_DECL WorkerRun::WorkerRun(std::shared_ptr<Worker> worker_, std::shared_ptr<WorkerSession> session_,
                                 std::shared_ptr<WorkerRegistration> registration_, std::uint32_t master_,
                                 const StartStep& start)
    : worker(std::move(worker_)),
      session(std::move(session_)),
      registration(std::move(registration_)),
      master(master_),
      base(start.step),
      repeat(start.repeat),
      trace(start.trace >= 2),
      current(start.step),
      last_done(start.step - 1) {
  if (repeat > 1)
    for (const std::uint32_t edge : registration->paced_sends) acked.emplace_back(edge, base - 1);
}

DGRAPH_DECL void WorkerRun::send(StepExecution& step, const PartitionEdge& edge,
                                 std::span<const std::uint64_t> iterations, bool dead, Tensor value) {
  auto at = std::find_if(batch_.begin(), batch_.end(), [&](const auto& b) { return b.first == edge.peer; });
  if (at == batch_.end()) {
    batch_.emplace_back(edge.peer, Data{session->id, registration->handle, {}});
    at = std::prev(batch_.end());
  }
  DataEntry entry;
  entry.step = step.step();
  entry.edge = edge.number;
  entry.iterations.assign(iterations.begin(), iterations.end());
  entry.dead = dead;
  entry.value = std::move(value);
  at->second.entries.push_back(std::move(entry));
}

DGRAPH_DECL void WorkerRun::turn_ended(StepExecution&) {
  for (auto& [peer, data] : batch_) {
    if (data.entries.empty()) continue;
    ++messages_;
    worker->send_data(*session, peer, data);
    data.entries.clear();
  }
}

DGRAPH_DECL void WorkerRun::fetched(StepExecution&, std::uint32_t number, Tensor value) {
  worker->outbox_->post(master, StepFetched{session->id, base, number, std::move(value)});
}

DGRAPH_DECL bool WorkerRun::may_begin(StepId step) const {
  if (step > stop_after) return false;
  return std::all_of(acked.begin(), acked.end(), [step](const auto& a) { return step <= a.second + kRunAhead; });
}

DGRAPH_DECL void WorkerRun::start() {
  const std::shared_ptr<WorkerRun> self = shared_from_this();
  std::unique_lock lock(session->mutex);
  const std::shared_ptr<StepExecution> running = execution;
  lock.unlock();
  // An abort in between has begun and ended it.
  if (running) running->run(base);
}

DGRAPH_DECL void WorkerRun::advance(StepId step, Consumed& consumed) {
  current = step;
  if (step != base) execution->restart(step);
  const auto at = session->early.find(step);
  if (at == session->early.end()) return;
  for (WorkerSession::Early& e : at->second) {
    if (e.entry.body_bytes) consumed.emplace_back(e.from, e.entry.body_bytes);
    if (e.handle == registration->handle) execution->receive(step, e.entry.edge, e.entry.iterations, e.entry.dead, std::move(e.entry.value));
  }
  session->early.erase(at);
}

DGRAPH_DECL bool WorkerRun::finished(StepExecution&, const Status& status) {
  const std::shared_ptr<WorkerRun> self = shared_from_this();
  std::unique_lock lock(session->mutex);
  if (status.ok()) last_done = current;
  const StepId done = current;
  if (!status.ok() || !aborted.ok() || done + 1 >= end() || (done >= stop_after && !stop_asked)) {
    complete(status.ok() ? aborted : status, std::move(lock));
    return false;
  }
  const bool go_on = may_begin(done + 1);
  Consumed consumed;
  if (go_on)
    advance(done + 1, consumed);
  else
    stalled = true;
  lock.unlock();
  if (!registration->paced_recvs.empty() && (done - base + 1) % kAckEvery == 0) worker->acknowledge(*this, done);
  if (Time now = worker->host_->now(); now >= progress_due) {
    if (progress_due != Time{}) worker->outbox_->post(master, RepeatProgress{session->id, base, done, false});
    progress_due = now + std::chrono::milliseconds(250);
  }
  worker->give_back(consumed);
  if (go_on) worker->grant_for(*session, done + 1);
  return go_on;
}

DGRAPH_DECL void WorkerRun::complete(Status status, std::unique_lock<std::mutex> lock) {
  StepDone done;
  done.session = session->id;
  done.step = base;
  done.last = last_done;
  done.messages = messages_;
  if (status.ok()) done.fetches = std::move(execution->fetches());
  done.timings = std::move(execution->timings());
  done.status = std::move(status);
  execution->fetches().resize(registration->partition->def().num_fetches);
  execution->reset();
  if (registration->idle.size() < 16) registration->idle.push_back(std::move(execution));
  execution.reset();
  session->over.add(base, end());
  session->runs.erase(base);
  Consumed consumed;
  session->forget_early(base, end(), consumed);
  const TimerId timer = std::exchange(deadline_timer, 0);
  lock.unlock();
  if (timer) worker->host_->cancel(timer);
  worker->give_back(consumed);
  worker->outbox_->post(master, std::move(done));
}

DGRAPH_DECL void WorkerRun::abort(const Status& status) {
  const std::shared_ptr<WorkerRun> self = shared_from_this();
  std::unique_lock lock(session->mutex);
  if (!execution || !aborted.ok()) return;
  aborted = status;
  if (stalled) {
    complete(status, std::move(lock));
    return;
  }
  const std::shared_ptr<StepExecution> running = execution;
  const StepId step = current;
  lock.unlock();
  // Where that step is over by now, `finished` sees `aborted`.
  running->cancel(step, status);
}

DGRAPH_DECL void WorkerRun::resume_if_possible() {
  const std::shared_ptr<WorkerRun> self = shared_from_this();
  std::unique_lock lock(session->mutex);
  if (!stalled || !execution) return;
  if (current >= stop_after && !stop_asked) {
    complete(aborted, std::move(lock));
    return;
  }
  if (!may_begin(current + 1)) return;
  stalled = false;
  Consumed consumed;
  advance(current + 1, consumed);
  const std::shared_ptr<StepExecution> running = execution;
  const StepId step = current;
  lock.unlock();
  worker->give_back(consumed);
  worker->grant_for(*session, step);
  running->resume();
}

}  // namespace dgraph::detail
