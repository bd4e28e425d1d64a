#pragma once
#include <dgraph/cluster/worker.hpp>

#include <algorithm>

namespace dgraph {

DGRAPH_DECL Worker::Worker(std::shared_ptr<Host> host, std::shared_ptr<Peers> peers, TaskEnvironment environment,
                           KernelLookup kernels, std::shared_ptr<Outbox> outbox, WorkerOptions options)
    : host_(std::move(host)),
      peers_(std::move(peers)),
      environment_(std::move(environment)),
      kernels_(kernels),
      outbox_(std::move(outbox)),
      options_(options) {
  environment_.host = host_.get();
  environment_.resources = &resources_;
  functions_ = make_ref<TaskFunctions>(environment_, kernels_);
  environment_.task = functions_.get();
}

DGRAPH_DECL Worker::~Worker() { functions_->stop(); }

DGRAPH_DECL std::shared_ptr<Worker::Session> Worker::find(SessionId id) const {
  std::lock_guard lock(mutex_);
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : at->second;
}

DGRAPH_DECL std::vector<std::shared_ptr<Worker::Session>> Worker::all_sessions() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> out;
  for (const auto& [id, session] : sessions_) out.push_back(session);
  return out;
}

DGRAPH_DECL std::shared_ptr<Worker::Session> Worker::find_or_make(const RegisterPartition& message,
                                                                  std::uint32_t from) {
  std::lock_guard lock(mutex_);
  if (stopped_) return nullptr;
  std::shared_ptr<Session>& session = sessions_[message.session];
  if (!session) session = std::make_shared<Session>(message.session, from, message.config, environment_, kernels_);
  return session;
}

DGRAPH_DECL void Worker::touch(Session& session) {
  TimerId lease = 0;
  {
    std::lock_guard lock(session.mutex);
    lease = std::exchange(session.lease, 0);
  }
  if (lease) host_->cancel(lease);
}

DGRAPH_DECL void Worker::register_partition(std::uint32_t from, RegisterPartition message) {
  const std::shared_ptr<Session> session = find_or_make(message, from);
  if (!session) {
    outbox_->post(from, Registered{message.session, message.handle, errors::Cancelled("this server is stopping")});
    return;
  }
  touch(*session);
  // A large partition takes longer to compile than the driver may be busy.
  constexpr std::size_t kFewNodes = 500;
  if (host_->on_driver() && message.partition.nodes.size() > kFewNodes) {
    auto shared = std::make_shared<RegisterPartition>(std::move(message));
    host_->compute([self = shared_from_this(), from, session, shared] { self->compile(from, session, std::move(*shared)); });
  } else {
    compile(from, session, std::move(message));
  }
}

DGRAPH_DECL void Worker::compile(std::uint32_t from, const std::shared_ptr<Session>& session,
                                 RegisterPartition message) {
  auto registration = std::make_shared<Registration>();
  registration->handle = message.handle;
  registration->peers = std::move(message.peers);
  try {
    for (const PeerTask& peer : registration->peers)
      if (peer.task >= peers_->tasks().size() || peer.task == peers_->self())
        fail(Code::InvalidArgument, "malformed partition: there is no peer task ", peer.task);
    for (const auto* edges : {&message.partition.sends, &message.partition.recvs})
      for (const PartitionEdge& edge : *edges)
        if (!registration->involves(edge.peer))
          fail(Code::InvalidArgument, "malformed partition: edge ", edge.name, " leads to no peer");
    registration->partition =
        std::make_shared<const CompiledPartition>(std::move(message.partition), kernels_, session->states, *host_);
  } catch (...) {
    Status status = current_exception_status();
    ErrorPlace place;
    place.task = environment_.task_name;
    outbox_->post(from, Registered{session->id, message.handle, status.at(place)});
    return;
  }
  for (const PartitionEdge& edge : registration->partition->def().sends)
    if (edge.paced) registration->paced_sends.push_back(edge.number);
  for (const PartitionEdge& edge : registration->partition->def().recvs)
    if (edge.paced) registration->paced_recvs.emplace_back(edge.number, edge.peer);
  open_links(from, session, registration);
}

DGRAPH_DECL void Worker::open_links(std::uint32_t from, const std::shared_ptr<Session>& session,
                                    const std::shared_ptr<Registration>& registration) {
  struct Waiting {
    std::mutex mutex;
    std::size_t left;
    Status status;
  };
  auto waiting = std::make_shared<Waiting>();
  waiting->left = registration->peers.size() + 1;
  const auto one_done = [self = shared_from_this(), from, session, registration, waiting](Status status) {
    {
      std::lock_guard lock(waiting->mutex);
      if (!status.ok() && waiting->status.ok()) waiting->status = std::move(status);
      if (--waiting->left) return;
    }
    if (waiting->status.ok()) {
      std::lock_guard lock(session->mutex);
      if (session->ended) {
        waiting->status = errors::Cancelled("the session has ended");
      } else {
        session->handles[registration->handle] = registration;
        for (const PeerTask& peer : registration->peers)
          session->keep_alives[peer.task] = self->peers_->keep_alive(peer.task);
        if (from != self->peers_->self()) session->keep_alives[from] = self->peers_->keep_alive(from);
        // A link that was lost in between was lost before anybody could have been told of this registration.
        for (const PeerTask& peer : registration->peers)
          if (!self->peers_->channel(peer.task)) {
            session->handles.erase(registration->handle);
            waiting->status = errors::Unavailable("the link to task ", self->peers_->tasks()[peer.task].describe(),
                                                  " was lost");
          }
      }
    }
    self->outbox_->post(from, Registered{session->id, registration->handle, waiting->status});
  };
  constexpr Duration kConnect = std::chrono::seconds(10);
  for (const PeerTask& peer : registration->peers)
    peers_->when_ready(peer.task, host_->now() + kConnect,
                       [this, one_done, peer](const Status& status, std::uint64_t incarnation) {
                         if (status.ok() && peer.incarnation && incarnation != peer.incarnation)
                           one_done(errors::Aborted("task ", peers_->tasks()[peer.task].describe(), " was restarted"));
                         else
                           one_done(status);
                       });
  one_done(Status());
}

DGRAPH_DECL void Worker::deregister(const Deregister& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Registration> gone;
  std::lock_guard lock(session->mutex);
  const auto at = session->handles.find(message.handle);
  if (at == session->handles.end()) return;
  gone = std::move(at->second);
  session->handles.erase(at);
}

DGRAPH_DECL void Worker::start_step(std::uint32_t from, StartStep message) {
  const auto refuse = [&](Status status) {
    StepDone done;
    done.session = message.session;
    done.step = message.step;
    done.last = message.step - 1;
    done.status = std::move(status);
    outbox_->post(from, std::move(done));
  };
  const auto session = find(message.session);
  if (!session) return refuse(errors::Aborted("task ", environment_.task_name, " does not know the session"));
  if (message.repeat == 0 || message.step + message.repeat < message.step)
    return refuse(errors::InvalidArgument("a step cannot be repeated ", message.repeat, " times"));
  touch(*session);
  std::shared_ptr<Run> run;
  detail::Consumed consumed;
  Status refused;
  {
    std::lock_guard lock(session->mutex);
    session->raise_floor(std::min(message.floor, message.step), consumed);
    const auto at = session->handles.find(message.handle);
    if (session->ended || at == session->handles.end()) {
      refused = errors::Aborted("task ", environment_.task_name, " does not know the step's partition");
    } else if (session->over.contains(message.step) || session->run_of(message.step)) {
      refused = errors::Cancelled("the step was aborted before it began");
      refused.mark_derived();
    } else {
      const std::shared_ptr<Registration>& registration = at->second;
      run = std::make_shared<Run>(shared_from_this(), session, registration, from, message);
      if (registration->idle.empty()) {
        run->execution = std::make_shared<StepExecution>(registration->partition, session->environment);
      } else {
        run->execution = std::move(registration->idle.back());
        registration->idle.pop_back();
      }
      session->runs.emplace(message.step, run);
      run->execution->prepare(message.step, *run, message.feeds, run->trace, message.partial);
      run->advance(message.step, consumed);
      if (message.deadline != kNoDeadline)
        run->deadline_timer = host_->after(message.deadline + options_.heartbeat, [weak = std::weak_ptr(run)] {
          if (const auto late = weak.lock()) {
            Status status = errors::DeadlineExceeded("the deadline has passed");
            late->abort(status.mark_derived());
          }
        });
    }
  }
  give_back(consumed);
  if (!run) return refuse(std::move(refused));
  grant_for(*session, message.step);
  run->start();
}

DGRAPH_DECL void Worker::feed_step(FeedStep message) {
  const auto session = find(message.session);
  if (!session || message.numbers.size() != message.feeds.size()) return;
  std::shared_ptr<StepExecution> execution;
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->runs.find(message.step);
    if (at != session->runs.end()) execution = at->second->execution;
  }
  if (!execution) return;
  for (std::size_t i = 0; i < message.feeds.size(); ++i)
    execution->feed(message.step, message.numbers[i], std::move(message.feeds[i]));
}

DGRAPH_DECL void Worker::abort_step(const AbortStep& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Run> run;
  detail::Consumed consumed;
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->runs.find(message.step);
    if (at != session->runs.end()) {
      run = at->second;
    } else {
      session->over.add(message.step, message.step + 1);
      session->forget_early(message.step, message.step + 1, consumed);
    }
  }
  give_back(consumed);
  Status status = message.status;
  if (run) run->abort(status.mark_derived());
}

DGRAPH_DECL void Worker::stop_repeat(const StopRepeat& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Run> run;
  RepeatProgress progress{message.session, message.step, 0, true};
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->runs.find(message.step);
    if (at == session->runs.end()) return;
    run = at->second;
    run->stop_asked = message.last == 0;
    run->stop_after = message.last == 0 ? run->current : message.last;
    progress.last = run->current;
  }
  if (message.last == 0)
    outbox_->post(run->master, progress);
  else
    run->resume_if_possible();
}

DGRAPH_DECL void Worker::end_session(const EndWorkerSession& message) {
  drop(message.session, errors::Cancelled("the session was closed"));
}

DGRAPH_DECL void Worker::drop(SessionId id, const Status& why) {
  std::shared_ptr<Session> session;
  {
    std::lock_guard lock(mutex_);
    const auto at = sessions_.find(id);
    if (at == sessions_.end()) return;
    session = std::move(at->second);
    sessions_.erase(at);
  }
  std::vector<std::shared_ptr<Run>> runs;
  std::map<std::uint32_t, std::shared_ptr<void>> keep_alives;
  std::unordered_map<HandleId, std::shared_ptr<Registration>> handles;
  detail::Consumed consumed;
  TimerId lease = 0;
  {
    std::lock_guard lock(session->mutex);
    session->ended = true;
    lease = std::exchange(session->lease, 0);
    for (const auto& [step, run] : session->runs) runs.push_back(run);
    session->forget_early(0, ~StepId{0}, consumed);
    session->held.clear();
    session->announced.clear();
    keep_alives.swap(session->keep_alives);
    handles.swap(session->handles);
  }
  if (lease) host_->cancel(lease);
  Status derived = why;
  derived.mark_derived();
  for (const auto& run : runs) run->abort(derived);
  give_back(consumed);
}

DGRAPH_DECL void Worker::on_data(std::uint32_t from, Data message) {
  detail::Consumed consumed;
  for (const DataEntry& entry : message.entries) body_bytes_.fetch_add(entry.body_bytes, std::memory_order_relaxed);
  const auto session = find(message.session);
  std::string unknown;
  StepId refused_step = 0;
  for (DataEntry& entry : message.entries) {
    std::shared_ptr<Run> run;
    std::shared_ptr<StepExecution> execution;
    bool known = false, early = false;
    if (session) {
      std::lock_guard lock(session->mutex);
      const auto registration = session->handles.find(message.handle);
      const PartitionEdge* edge = registration == session->handles.end()
                                      ? nullptr
                                      : registration->second->partition->recv_edge(entry.edge);
      // Only the task at the other end of an edge may send over it.
      known = edge && edge->peer == from && (entry.dead || entry.refused || entry.value.dtype() == edge->dtype);
      if (known && !session->over.contains(entry.step)) {
        run = session->run_of(entry.step);
        if (run && run->registration->handle != message.handle) run = nullptr;
        if (run && run->current == entry.step && !run->stalled) {
          execution = run->execution;
        } else if (!entry.refused && (!run || entry.step > run->current)) {
          session->early[entry.step].push_back({message.handle, from, std::move(entry)});
          early = true;
        }
      }
    }
    if (early) continue;
    if (entry.body_bytes) consumed.emplace_back(from, entry.body_bytes);
    if (!known) {
      refused_step = entry.step;
      unknown = session ? "does not know the partition or edge" : "does not know the session";
    } else if (entry.refused && run) {
      run->abort(errors::ResourceExhausted("no memory for a value of ", entry.body_bytes, " bytes from task ",
                                           peers_->tasks()[from].name()));
    } else if (execution) {
      execution->receive(entry.step, entry.edge, entry.iterations, entry.dead, std::move(entry.value));
    }
  }
  give_back(consumed);
  if (!unknown.empty())
    outbox_->post(from, Refused{message.session, message.handle, refused_step,
                               errors::text("task ", environment_.task_name, " ", unknown)});
}

DGRAPH_DECL void Worker::on_refused(std::uint32_t from, const Refused& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Run> run;
  {
    std::lock_guard lock(session->mutex);
    run = session->run_of(message.step);
    if (run && (run->registration->handle != message.handle || !run->registration->involves(from))) run = nullptr;
  }
  if (run) return run->abort(errors::Aborted(message.why));
  // This task's part is done already: the master is to hear that the step will not be.
  StepDone lost;
  lost.session = message.session;
  lost.step = message.step;
  lost.status = errors::Aborted(message.why);
  outbox_->post(session->master, std::move(lost));
}

DGRAPH_DECL void Worker::acknowledge(const Run& run, StepId done) {
  for (const auto& [edge, task] : run.registration->paced_recvs)
    outbox_->post(task, EdgeAck{run.session->id, run.registration->handle, edge, done});
}

DGRAPH_DECL void Worker::on_edge_ack(const EdgeAck& message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Run> run;
  {
    std::lock_guard lock(session->mutex);
    run = session->run_of(message.step);
    if (!run || run->registration->handle != message.handle) return;
    for (auto& [edge, step] : run->acked)
      if (edge == message.edge) step = std::max(step, message.step);
  }
  run->resume_if_possible();
}

DGRAPH_DECL void Worker::send_data(Session& session, std::uint32_t peer, Data& data) {
  constexpr std::size_t kSmall = 4096;
  const auto channel = peers_->channel(peer);
  if (channel) {
    std::vector<Announce> announces;
    std::erase_if(data.entries, [&](DataEntry& entry) {
      if (entry.dead || !is_plain(entry.value.dtype()) || entry.value.bytes() <= kSmall ||
          channel->fits(entry.value.bytes()))
        return false;
      announces.push_back({session.id, data.handle, entry.step, entry.edge, entry.iterations, entry.value.bytes()});
      std::lock_guard lock(session.mutex);
      Session::BodyKey key{entry.step, entry.edge, entry.iterations};
      session.held.insert_or_assign(std::move(key), Session::Held{data.handle, peer, std::move(entry)});
      return true;
    });
    for (const Announce& announce : announces) outbox_->post(peer, announce);
  }
  if (!data.entries.empty()) outbox_->post(peer, data);
}

DGRAPH_DECL bool Worker::has_room(std::uint32_t from, std::uint64_t bytes) const {
  const auto channel = peers_->channel(from);
  return channel && channel->unconsumed() + bytes <= channel->options().window;
}

DGRAPH_DECL void Worker::on_announce(std::uint32_t from, const Announce& message) {
  const auto session = find(message.session);
  bool grant = false;
  if (session) {
    std::lock_guard lock(session->mutex);
    if (session->over.contains(message.step)) return;
    const auto run = session->run_of(message.step);
    grant = (run && run->current == message.step) || has_room(from, message.bytes);
    if (!grant) session->announced.push_back({from, message});
  }
  if (!session) {
    outbox_->post(from, Refused{message.session, message.handle, message.step,
                               errors::text("task ", environment_.task_name, " does not know the session")});
  } else if (grant) {
    outbox_->post(from, RequestBody{message.session, message.handle, message.step, message.edge, message.iterations});
  }
}

DGRAPH_DECL void Worker::on_request_body(std::uint32_t from, const RequestBody& message) {
  const auto session = find(message.session);
  if (!session) return;
  Data data{message.session, message.handle, {}};
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->held.find({message.step, message.edge, message.iterations});
    if (at == session->held.end() || at->second.to != from) return;
    data.entries.push_back(std::move(at->second.entry));
    session->held.erase(at);
  }
  outbox_->post(from, data);
}

DGRAPH_DECL void Worker::grant_for(Session& session, StepId step) {
  std::vector<Session::Announced> granted;
  {
    std::lock_guard lock(session.mutex);
    if (session.announced.empty()) return;
    std::erase_if(session.announced, [&](const Session::Announced& a) {
      if (a.announce.step != step) return false;
      granted.push_back(a);
      return true;
    });
  }
  for (const auto& [from, a] : granted)
    outbox_->post(from, RequestBody{a.session, a.handle, a.step, a.edge, a.iterations});
}

DGRAPH_DECL void Worker::give_back(const detail::Consumed& consumed) {
  if (consumed.empty()) return;
  for (const auto& [from, bytes] : consumed) {
    body_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    if (const auto channel = peers_->channel(from)) channel->consumed(bytes);
  }
  for (const auto& session : all_sessions()) {
    std::vector<Session::Announced> granted;
    {
      std::lock_guard lock(session->mutex);
      while (!session->announced.empty() &&
             has_room(session->announced.front().from, session->announced.front().announce.bytes)) {
        granted.push_back(std::move(session->announced.front()));
        session->announced.pop_front();
      }
    }
    for (const auto& [from, a] : granted)
      outbox_->post(from, RequestBody{a.session, a.handle, a.step, a.edge, a.iterations});
  }
}

DGRAPH_DECL void Worker::on_peer_lost(std::uint32_t task, const Status& why) {
  for (const auto& session : all_sessions()) {
    std::vector<std::shared_ptr<Run>> runs;
    std::vector<std::shared_ptr<Registration>> gone;
    {
      std::lock_guard lock(session->mutex);
      for (const auto& [step, run] : session->runs)
        if (run->registration->involves(task) || run->master == task) runs.push_back(run);
      // What was under way is lost: a step that begins later is refused, and its master registers anew.
      std::erase_if(session->handles, [&](const auto& entry) {
        if (!entry.second->involves(task)) return false;
        gone.push_back(entry.second);
        return true;
      });
      if (session->master == task && session->lease == 0)
        session->lease = host_->after(options_.lease, [weak = weak_from_this(), id = session->id] {
          if (const auto self = weak.lock()) self->drop(id, errors::Unavailable("the session's master is lost"));
        });
    }
    for (const auto& run : runs) run->abort(why);
  }
}

DGRAPH_DECL Body Worker::body_buffer(SessionId id, HandleId handle, std::uint32_t edge, std::uint64_t bytes) {
  const auto session = find(id);
  if (!session) return {};
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->handles.find(handle);
    if (at == session->handles.end() || !at->second->partition->recv_edge(edge)) return {};
  }
  if (body_bytes_.load(std::memory_order_relaxed) + bytes > options_.body_memory) return {};
  try {
    Ref<Buffer> buffer = allocate_buffer(static_cast<std::size_t>(bytes));
    std::byte* const data = buffer->data();
    return {std::move(buffer), data, static_cast<std::size_t>(bytes)};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

DGRAPH_DECL void Worker::stop() {
  functions_->stop();
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  for (const auto& session : all_sessions()) drop(session->id, errors::Cancelled("this server is stopping"));
}

DGRAPH_DECL Worker::Counts Worker::counts() const {
  Counts out;
  out.body_bytes = body_bytes_.load(std::memory_order_relaxed);
  for (const auto& session : all_sessions()) {
    ++out.sessions;
    std::lock_guard lock(session->mutex);
    out.handles += session->handles.size();
    out.open_steps += session->runs.size();
    for (const auto& [step, values] : session->early) out.early_values += values.size();
    out.held_bodies += session->held.size();
  }
  return out;
}

}  // namespace dgraph
