#pragma once
#include <dgraph/cluster/master_session.hpp>

#include <algorithm>
#include <iterator>

namespace dgraph {

DGRAPH_DECL void Master::prepare(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                                 std::shared_ptr<Start> start) {
  if (start->limit == kNever)
    start->limit = start->deadline == kNever ? host_->now() + options_.connect : start->deadline;
  const Time deadline = start->limit;
  StepSignature signature;
  bool ready = false, first = false, planned = false;
  {
    std::lock_guard lock(session->mutex);
    ready = handle->state == Handle::State::Ready;
    if (!ready) {
      handle->waiting.push_back(start);
      if (start->deadline != kNever && start->timer == 0)
        start->timer = host_->after(std::max(start->deadline - host_->now(), Duration::zero()),
                                    [weak = weak_from_this(), session, handle, start] {
                                      if (const auto self = weak.lock()) self->give_up(session, handle, start);
                                    });
      first = handle->state == Handle::State::New;
      if (first) {
        handle->state = Handle::State::Preparing;
        handle->failed = Status();
        handle->limit = deadline;
        signature = session->definitions[start->request.definition];
        planned = handle->planned;
      }
    }
  }
  if (ready) return begin(session, handle, *start);
  if (!first) return;
  if (planned) return connect(session, handle, deadline);
  // Planning a large graph takes longer than the driver may be busy.
  constexpr std::size_t kSmallGraph = 500;
  if (host_->on_driver() && session->graph->size() > kSmallGraph)
    host_->compute([self = shared_from_this(), session, handle, signature, deadline] {
      self->plan(session, handle, signature, deadline);
    });
  else
    plan(session, handle, signature, deadline);
}

DGRAPH_DECL void Master::plan(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                              const StepSignature& signature, Time deadline) {
  PlanOptions options;
  for (const TaskEntry& task : peers_->tasks()) {
    const DeviceSpec device = task.device();
    options.tasks.push_back({device.task_part(), {device}});
  }
  options.master = outbox_->self();
  options.config = session->config;
  options.kernels = kernels_;
  try {
    const std::lock_guard graph_lock(session->graph_mutex);
    StepPlan plan = plan_step(session->graph, session->graph->size(), signature, options);
    if (session->config.log_device_placement && options_.log)
      for (const Placement& p : plan.placements)
        options_.log(errors::text(p.node, ": (", p.op_type, "): ", p.device, " (", p.reason, ")"));
    std::lock_guard lock(session->mutex);
    handle->plan = std::move(plan);
    handle->signature = signature;
    for (const PartitionDef& partition : handle->plan.partitions) {
      handle->tasks.push_back(partition.task);
      if (partition.task != outbox_->self())
        handle->remote.push_back({partition.task, peers_->tasks()[partition.task].address, 0});
    }
    handle->planned = true;
  } catch (...) {
    return prepared(session, handle, current_exception_status());
  }
  connect(session, handle, deadline);
}

DGRAPH_DECL void Master::connect(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                                 Time deadline) {
  struct Connecting {
    std::mutex mutex;
    std::size_t left;
    Status status;
    std::string others;
  };
  const auto connecting = std::make_shared<Connecting>();
  connecting->left = handle->remote.size() + 1;
  const auto one = [self = shared_from_this(), session, handle, connecting](PeerTask* peer, const Status& status,
                                                                            std::uint64_t incarnation) {
    {
      std::lock_guard lock(connecting->mutex);
      if (peer && status.ok()) {
        std::lock_guard session_lock(session->mutex);
        std::uint64_t& known = session->incarnations[peer->task];
        if (known && known != incarnation && connecting->status.ok())
          connecting->status = errors::Aborted("task ", self->peers_->tasks()[peer->task].describe(),
                                               " was restarted; its variables are lost. Run again to register anew");
        known = peer->incarnation = incarnation;
      } else if (!status.ok()) {
        // Every task that cannot be reached is to be named.
        if (connecting->status.ok() || connecting->status.code() == Code::Aborted)
          connecting->status = status;
        else
          connecting->others += "; " + status.message();
      }
      if (--connecting->left) return;
    }
    Status result = connecting->status;
    if (!result.ok()) {
      if (!connecting->others.empty())
        result = Status(result.code(), result.message() + connecting->others, result.place());
      return self->prepared(session, handle, result);
    }
    self->register_all(session, handle);
  };
  std::vector<Time> limits;
  {
    // A task that was there is not waited for: it is lost or will be back at once.
    std::lock_guard lock(session->mutex);
    for (const PeerTask& peer : handle->remote)
      limits.push_back(session->incarnations.contains(peer.task) ? std::min(deadline, host_->now() + options_.heartbeat)
                                                                 : deadline);
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    PeerTask& peer = handle->remote[i];
    peers_->when_ready(peer.task, limits[i], [one, &peer, handle](const Status& status, std::uint64_t incarnation) {
      one(&peer, status, incarnation);
    });
  }
  one(nullptr, Status(), 0);
}

DGRAPH_DECL void Master::register_all(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle) {
  {
    std::lock_guard lock(session->mutex);
    handle->acknowledged.assign(handle->tasks.size(), false);
    for (const PeerTask& peer : handle->remote) session->keep_alives[peer.task] = peers_->keep_alive(peer.task);
  }
  if (handle->tasks.empty()) return prepared(session, handle, Status());
  for (const PartitionDef& partition : handle->plan.partitions) {
    RegisterPartition message;
    message.session = session->id;
    message.handle = handle->id;
    message.config = session->config;
    message.master = outbox_->self();
    // Registered anew after a loss: the plan keeps its copy. Attributes are shared, not copied.
    message.partition.task = partition.task;
    message.partition.num_feeds = partition.num_feeds;
    message.partition.num_fetches = partition.num_fetches;
    message.partition.nodes = partition.nodes;
    message.partition.sends = partition.sends;
    message.partition.recvs = partition.recvs;
    message.partition.graph = partition.graph;
    message.partition.keep = std::shared_ptr<const void>(handle, &handle->plan);
    for (const auto* edges : {&partition.sends, &partition.recvs})
      for (const PartitionEdge& edge : *edges) {
        const auto known = std::find_if(message.peers.begin(), message.peers.end(),
                                        [&edge](const PeerTask& peer) { return peer.task == edge.peer; });
        if (known != message.peers.end()) continue;
        const auto remote = std::find_if(handle->remote.begin(), handle->remote.end(),
                                         [&edge](const PeerTask& peer) { return peer.task == edge.peer; });
        if (remote != handle->remote.end())
          message.peers.push_back(*remote);
        else
          message.peers.push_back({edge.peer, peers_->tasks()[edge.peer].address, 0});
      }
    outbox_->post(partition.task, std::move(message));
  }
  // A task that was lost before it could be waited for will not answer.
  for (const PeerTask& peer : handle->remote)
    if (!peers_->channel(peer.task)) acknowledge(session, handle, peer.task, lost(peer.task));
}

DGRAPH_DECL Status Master::lost(std::uint32_t task) const {
  return errors::Unavailable("task ", peers_->tasks()[task].describe(), " was lost");
}

DGRAPH_DECL void Master::on_registered(std::uint32_t from, const Registered& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Handle> handle;
  {
    std::lock_guard lock(session->mutex);
    for (const auto& [definition, candidate] : session->handles)
      if (candidate->id == message.handle && candidate->involves(from)) handle = candidate;
  }
  if (handle) acknowledge(session, handle, from, message.status);
}

DGRAPH_DECL void Master::acknowledge(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                                     std::uint32_t task, const Status& status) {
  Status failed;
  {
    std::lock_guard lock(session->mutex);
    if (handle->state != Handle::State::Preparing || handle->acknowledged.empty()) return;
    if (!status.ok() && handle->failed.ok()) handle->failed = status;
    handle->acknowledged[handle->partition_of(task)] = true;
    if (std::find(handle->acknowledged.begin(), handle->acknowledged.end(), false) != handle->acknowledged.end())
      return;
    failed = handle->failed;
  }
  prepared(session, handle, failed);
}

DGRAPH_DECL void Master::give_up(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                                 const std::shared_ptr<Start>& start) {
  std::string missing;
  {
    std::lock_guard lock(session->mutex);
    if (std::erase(handle->waiting, start) == 0) return;
    for (const PeerTask& peer : handle->remote)
      if (!peers_->channel(peer.task))
        missing += (missing.empty() ? "" : ", ") + peers_->tasks()[peer.task].describe();
  }
  RunDone answer;
  answer.request = start->request.request;
  answer.status = missing.empty() ? errors::DeadlineExceeded("the deadline passed before the step had begun")
                                  : errors::Unavailable("the deadline passed while the step waited for task ", missing);
  start->done(std::move(answer));
}

DGRAPH_DECL void Master::prepared(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                                  const Status& failed) {
  std::vector<std::shared_ptr<Start>> waiting, patient;
  {
    std::lock_guard lock(session->mutex);
    if (handle->state != Handle::State::Preparing) return;
    handle->state = failed.ok() ? Handle::State::Ready : Handle::State::New;
    handle->acknowledged.clear();
    waiting.swap(handle->waiting);
    // The limit that passed was that of another start.
    const Time passed = handle->limit;
    if (failed.code() == Code::Unavailable && host_->now() >= passed) {
      const auto waits_on = [passed](const auto& start) { return start->limit > passed && !start->cancelled; };
      std::copy_if(waiting.begin(), waiting.end(), std::back_inserter(patient), waits_on);
      std::erase_if(waiting, waits_on);
    }
  }
  for (const auto& start : patient) prepare(session, handle, start);
  for (const auto& start : waiting) {
    if (const TimerId timer = std::exchange(start->timer, 0)) host_->cancel(timer);
    if (failed.ok() && !start->cancelled) {
      begin(session, handle, *start);
      continue;
    }
    RunDone answer;
    answer.request = start->request.request;
    answer.status = start->cancelled ? errors::Cancelled("the run was cancelled") : failed;
    start->done(std::move(answer));
  }
}

}  // namespace dgraph
