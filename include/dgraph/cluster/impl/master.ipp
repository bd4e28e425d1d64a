#pragma once
#include <dgraph/cluster/master.hpp>

#include <algorithm>

#include <dgraph/cluster/master_session.hpp>
#include <dgraph/wire/graph_codec.hpp>

namespace dgraph {

DGRAPH_DECL Master::Master(std::shared_ptr<Host> host, std::shared_ptr<Peers> peers, KernelLookup kernels, OpLookup ops,
                           std::shared_ptr<Outbox> outbox, MasterOptions options)
    : host_(std::move(host)),
      peers_(std::move(peers)),
      kernels_(kernels),
      ops_(ops),
      outbox_(std::move(outbox)),
      options_(std::move(options)) {}

DGRAPH_DECL Master::~Master() = default;

DGRAPH_DECL SessionId Master::id_of(const Session& session) { return session.id; }

DGRAPH_DECL std::shared_ptr<Master::Session> Master::create_session(SessionConfig config,
                                                                    std::shared_ptr<GraphCore> graph) {
  for (const std::string& filter : config.device_filters) {
    try {
      (void)DeviceSpec::parse(filter);
    } catch (const Error& error) {
      fail(Code::InvalidArgument, "device filter: ", error.status().message());
    }
  }
  auto session = std::make_shared<Session>(host_->random_id());
  session->config = std::move(config);
  session->graph = std::move(graph);
  std::lock_guard lock(mutex_);
  if (stopped_) fail(Code::Cancelled, "the server is stopping");
  sessions_.emplace(session->id, session);
  return session;
}

DGRAPH_DECL std::shared_ptr<Master::Session> Master::create_session(SessionConfig config, const GraphDelta& graph) {
  auto core = std::make_shared<GraphCore>();
  wire::decode_graph(*core, graph, ops_);
  return create_session(std::move(config), std::move(core));
}

DGRAPH_DECL std::shared_ptr<Master::Session> Master::find(SessionId id) const {
  std::lock_guard lock(mutex_);
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : at->second;
}

DGRAPH_DECL std::vector<std::shared_ptr<Master::Session>> Master::all_sessions() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> out;
  for (const auto& [id, session] : sessions_) out.push_back(session);
  return out;
}

DGRAPH_DECL void Master::extend(Session& session, const GraphDelta& graph) {
  std::lock_guard graph_lock(session.graph_mutex);
  try {
    wire::decode_graph(*session.graph, graph, ops_);
  } catch (...) {
    std::lock_guard lock(session.mutex);
    if (session.broken.ok()) session.broken = current_exception_status();
  }
}

DGRAPH_DECL void Master::define(Session& session, DefineStep definition) {
  std::lock_guard lock(session.mutex);
  // Once given it stays: what was planned for it must go on fitting.
  session.definitions.try_emplace(definition.definition, StepSignature{std::move(definition.feeds), std::move(definition.fetches),
                                                                       std::move(definition.targets)});
}

DGRAPH_DECL void Master::run(const std::shared_ptr<Session>& session, RunStep request, OnRunDone done) {
  begin_run(session, std::move(request), std::move(done), std::nullopt);
}

DGRAPH_DECL void Master::begin_run(const std::shared_ptr<Session>& session, RunStep request, OnRunDone done,
                                   std::optional<Duration> lease) {
  std::shared_ptr<Handle> handle;
  bool ready = false;
  Status refused;
  StepId refused_step = 0;
  Start start{std::move(request), std::move(done)};
  start.partial = lease.has_value();
  start.lease = lease.value_or(kNoDeadline);
  if (start.request.deadline != kNoDeadline) start.deadline = host_->now() + start.request.deadline;
  {
    std::lock_guard lock(session->mutex);
    const auto definition = session->definitions.find(start.request.definition);
    if (session->closed) {
      refused = session->ended.ok() ? errors::Aborted("the session is closed") : session->ended;
    } else if (!session->broken.ok()) {
      refused = session->broken;
    } else if (definition == session->definitions.end()) {
      refused = errors::InvalidArgument("a run of a step that was not defined");
    } else if (!start.partial && start.request.feeds.size() != definition->second.feeds.size()) {
      refused = errors::InvalidArgument("the step takes ", definition->second.feeds.size(), " feeds, not ",
                                        start.request.feeds.size());
    } else if (start.request.repeat == 0 || start.request.repeat > (std::uint64_t{1} << 48)) {
      refused = errors::InvalidArgument("a step cannot be repeated ", start.request.repeat, " times");
    } else {
      std::shared_ptr<Handle>& slot = session->handles[start.request.definition];
      if (!slot) {
        slot = std::make_shared<Handle>();
        slot->id = session->next_handle++;
      }
      handle = slot;
      ready = handle->state == Handle::State::Ready;
    }
    if (!session->ended.ok()) refused_step = session->next_step;
  }
  if (!handle) {
    RunDone answer;
    answer.request = start.request.request;
    answer.status = std::move(refused);
    answer.step = refused_step;
    start.done(std::move(answer));
  } else if (ready) {
    begin(session, handle, start);
  } else {
    prepare(session, handle, std::make_shared<Start>(std::move(start)));
  }
}

DGRAPH_DECL void Master::begin(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
                               Start& start) {
  try {
    for (std::size_t i = 0; i < start.request.feeds.size(); ++i)
      session->graph->check_feed(handle->signature.feeds[i], start.request.feeds[i]);
  } catch (const Error& error) {
    RunDone answer;
    answer.request = start.request.request;
    answer.status = error.status();
    return start.done(std::move(answer));
  }
  const std::size_t partitions = handle->tasks.size();
  auto step = std::make_shared<Step>();
  step->repeat = start.request.repeat;
  step->request = start.request.request;
  step->handle = handle;
  step->done = std::move(start.done);
  step->feeds = std::move(start.request.feeds);
  if (start.partial) step->feeds.resize(handle->signature.feeds.size());
  step->fetches.resize(partitions);
  if (start.partial)
    for (std::size_t p = 0; p < partitions; ++p) step->fetches[p].resize(handle->plan.partitions[p].num_fetches);
  step->last.assign(partitions, 0);
  step->replied.assign(partitions, false);
  step->left = partitions;
  step->trace = start.request.trace;
  Duration left = kNoDeadline;
  if (start.deadline != kNever) left = std::max(start.deadline - host_->now(), Duration::zero());
  StepId floor = 0;
  bool closed = false;
  {
    std::lock_guard lock(session->mutex);
    closed = session->closed;
    step->id = session->next_step;
    session->next_step += step->repeat;
    session->open.emplace(step->id, step);
    floor = session->open.begin()->first;
  }
  OnRunDone begun;
  if (start.partial) {
    make_partial(session, step, start.lease);
    begun = std::exchange(step->done, [](RunDone) {});
  }
  if (closed) {
    if (begun) step->done = std::move(begun);
    return fail_step(*session, step, errors::Aborted("the session is closed"));
  }
  // Its parts may be asked for only once every task has been told to begin.
  const auto tell_begun = [&] {
    if (!begun) return;
    renew_lease(session, step);
    RunDone answer;
    answer.request = step->request;
    answer.step = step->id;
    begun(std::move(answer));
  };
  if (partitions == 0) {
    finish(*session, step);
    return tell_begun();
  }
  if (left != kNoDeadline) {
    const TimerId timer = host_->after(left, [weak = weak_from_this(), session, step] {
      if (const auto self = weak.lock())
        self->fail_step(*session, step, errors::DeadlineExceeded("the step's deadline has passed"));
    });
    std::lock_guard lock(session->mutex);
    step->deadline_timer = timer;
  }
  const auto send = [&](std::size_t p) {
    StartStep message;
    message.session = session->id;
    message.handle = handle->id;
    message.step = step->id;
    message.floor = floor;
    message.repeat = step->repeat;
    message.deadline = left;
    message.trace = step->trace;
    message.partial = start.partial;
    for (std::size_t f = 0; f < handle->plan.feeds.size(); ++f)
      for (const PlanPort& port : handle->plan.feeds[f])
        if (port.partition == p && step->feeds[f].has_value()) message.feeds.emplace_back(port.number, step->feeds[f]);
    outbox_->post(handle->tasks[p], std::move(message));
  };
  // The own partition runs inside the call: the others are to begin first.
  std::size_t own = partitions;
  for (std::size_t p = 0; p < partitions; ++p) {
    if (handle->tasks[p] == outbox_->self())
      own = p;
    else
      send(p);
  }
  if (own != partitions) send(own);
  // A task that was lost before the step was open has not failed it.
  for (std::size_t p = 0; p < partitions; ++p)
    if (p != own && !peers_->channel(handle->tasks[p])) lose(*session, step, handle->tasks[p], lost(handle->tasks[p]));
  tell_begun();
}

DGRAPH_DECL void Master::lose(Session& session, const std::shared_ptr<Step>& step, std::uint32_t task,
                              const Status& why) {
  bool all = false;
  {
    std::lock_guard lock(session.mutex);
    const auto at = session.open.find(step->id);
    const std::size_t p = step->handle->partition_of(task);
    if (at == session.open.end() || at->second != step || step->replied[p]) return;
    step->replied[p] = true;
    step->last[p] = step->id - 1;
    if (step->status.ok() || step->status.derived()) step->status = why;
    all = --step->left == 0;
  }
  if (all)
    finish(session, step);
  else
    fail_step(session, step, why);
}

DGRAPH_DECL void Master::on_step_done(std::uint32_t from, StepDone message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Step> step;
  bool failed = false, all = false;
  {
    std::lock_guard lock(session->mutex);
    // What a task lost after its part was done names a step within a repeat.
    const auto after = session->open.upper_bound(message.step);
    if (after == session->open.begin()) return;
    step = std::prev(after)->second;
    if (message.step - step->id >= step->repeat || !step->handle->involves(from)) return;
    const std::size_t p = step->handle->partition_of(from);
    const bool first = !step->replied[p];
    if (!first && message.status.ok()) return;
    if (first) {
      step->replied[p] = true;
      step->last[p] = message.last;
      // Those of a partial step have come one by one.
      if (!step->parts) step->fetches[p] = std::move(message.fetches);
      step->messages += message.messages;
      for (NodeTiming& timing : message.timings) step->timings.push_back(std::move(timing));
      all = --step->left == 0;
    }
    if (!message.status.ok()) {
      const auto waits = message.status.message().find("; waiting: ");
      if (message.status.code() == Code::DeadlineExceeded && waits != std::string::npos)
        step->waiting += (step->waiting.empty() ? "; waiting: " : ", ") + message.status.message().substr(waits + 11);
      failed = step->status.ok();
      if (step->status.ok() || (step->status.derived() && !message.status.derived())) step->status = message.status;
      if (message.status.code() == Code::Aborted) step->handle->state = Handle::State::New;
    }
  }
  if (all)
    finish(*session, step);
  else if (failed)
    fail_step(*session, step, message.status);
}

DGRAPH_DECL void Master::fail_step(Session& session, const std::shared_ptr<Step>& step, Status status) {
  std::vector<std::uint32_t> tasks;
  bool all = false;
  {
    std::lock_guard lock(session.mutex);
    const auto at = session.open.find(step->id);
    if (at == session.open.end() || at->second != step || step->grace_timer) return;
    if (step->status.ok()) step->status = status;
    for (std::size_t p = 0; p < step->replied.size(); ++p)
      if (!step->replied[p]) tasks.push_back(step->handle->tasks[p]);
    all = tasks.empty();
    if (!all)
      step->grace_timer = host_->after(options_.heartbeat, [weak = weak_from_this(), id = session.id, step] {
        const auto self = weak.lock();
        const auto late = self ? self->find(id) : nullptr;
        if (late) self->finish(*late, step);
      });
  }
  if (all) return finish(session, step);
  for (const std::uint32_t task : tasks) outbox_->post(task, AbortStep{session.id, step->id, status});
}

DGRAPH_DECL void Master::finish(Session& session, const std::shared_ptr<Step>& step) {
  RunDone answer;
  {
    std::lock_guard lock(session.mutex);
    const auto at = session.open.find(step->id);
    if (at == session.open.end() || at->second != step) return;
    session.open.erase(at);
  }
  if (step->deadline_timer) host_->cancel(step->deadline_timer);
  if (step->grace_timer) host_->cancel(step->grace_timer);
  const StepPlan& plan = step->handle->plan;
  answer.request = step->request;
  answer.step = step->id + step->repeat - 1;
  StepId least = step->last.empty() ? answer.step : *std::min_element(step->last.begin(), step->last.end());
  answer.completed = least + 1 > step->id ? least + 1 - step->id : 0;
  answer.status = std::move(step->status);
  if (step->parts) {
    finish_partial(session, *step, answer.status);
  } else if (answer.status.ok()) {
    answer.step = least;
    for (const StepPlan::Fetch& fetch : plan.fetches)
      answer.fetches.push_back(fetch.is_feed ? step->feeds[fetch.feed]
                                             : step->fetches[fetch.port.partition][fetch.port.number]);
  } else {
    std::string message = answer.status.message() + step->waiting;
    if (step->repeat > 1) {
      message += errors::text("; in step ", answer.completed + 1, " of ", step->repeat, ", completed:");
      for (std::size_t p = 0; p < step->last.size(); ++p)
        message += errors::text(p ? ", " : " ", step->last[p] + 1 > step->id ? step->last[p] + 1 - step->id : 0, " by ",
                                peers_->tasks()[step->handle->tasks[p]].name());
    }
    answer.status = Status(answer.status.code(), std::move(message), answer.status.place());
  }
  if (step->trace) {
    for (const std::uint32_t task : step->handle->tasks)
      answer.metadata.partitions.push_back(peers_->tasks()[task].name());
    answer.metadata.placements = plan.placements;
    answer.metadata.nodes = std::move(step->timings);
    // The request, its answer, and a start and a reply of each remote partition, beside what tasks sent each other.
    answer.metadata.messages = step->messages + 2 + 2 * step->handle->remote.size();
  }
  step->done(std::move(answer));
}

DGRAPH_DECL void Master::cancel(Session& session, std::uint64_t request) {
  std::shared_ptr<Step> running;
  {
    std::lock_guard lock(session.mutex);
    for (const auto& [id, step] : session.open)
      if (step->request == request) running = step;
    for (const auto& [definition, handle] : session.handles)
      for (const auto& start : handle->waiting)
        if (start->request.request == request) start->cancelled = true;
  }
  if (running) fail_step(session, running, errors::Cancelled("the run was cancelled"));
}

DGRAPH_DECL void Master::stop_repeat(Session& session, std::uint64_t request) {
  std::shared_ptr<Step> running;
  {
    std::lock_guard lock(session.mutex);
    for (const auto& [id, step] : session.open)
      if (step->request == request && !step->stopping) running = step;
    if (!running) return;
    running->stopping = true;
    running->stop_at.assign(running->handle->tasks.size(), 0);
  }
  for (const std::uint32_t task : running->handle->tasks)
    outbox_->post(task, StopRepeat{session.id, running->id, 0});
}

DGRAPH_DECL void Master::on_repeat_progress(std::uint32_t from, const RepeatProgress& message) {
  if (!message.stopping) return;
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Step> step;
  StepId last = 0;
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->open.find(message.step);
    if (at == session->open.end() || !at->second->stopping || !at->second->handle->involves(from)) return;
    step = at->second;
    step->stop_at[step->handle->partition_of(from)] = message.last;
    for (const StepId task_at : step->stop_at) {
      if (task_at == 0) return;
      last = std::max(last, task_at);
    }
  }
  for (const std::uint32_t task : step->handle->tasks) outbox_->post(task, StopRepeat{session->id, step->id, last});
}

DGRAPH_DECL void Master::reset_sessions(const std::vector<SessionId>& but) {
  for (const auto& session : all_sessions())
    if (std::find(but.begin(), but.end(), session->id) == but.end())
      close_session(session->id, errors::Aborted("the server was reset: all variables are gone, and the session has ended; "
                                                 "open it again"));
}

DGRAPH_DECL void Master::close_session(SessionId id, const Status& why) {
  std::shared_ptr<Session> session;
  {
    std::lock_guard lock(mutex_);
    const auto at = sessions_.find(id);
    if (at == sessions_.end()) return;
    session = std::move(at->second);
    sessions_.erase(at);
  }
  std::vector<std::shared_ptr<Step>> running;
  std::vector<std::shared_ptr<Start>> waiting;
  std::map<std::uint32_t, std::shared_ptr<void>> keep_alives;
  std::vector<std::uint32_t> tasks;
  std::vector<TimerId> leases;
  {
    std::lock_guard lock(session->mutex);
    session->closed = true;
    if (why.code() == Code::Aborted) session->ended = why;
    for (const auto& [step_id, step] : session->open) running.push_back(step);
    for (const auto& [definition, handle] : session->handles) {
      for (auto& start : handle->waiting) waiting.push_back(std::move(start));
      handle->waiting.clear();
      for (const std::uint32_t task : handle->tasks)
        if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) tasks.push_back(task);
    }
    keep_alives.swap(session->keep_alives);
    for (const auto& [step_id, step] : session->partial) leases.push_back(std::exchange(step->parts->lease_timer, 0));
    session->partial.clear();
  }
  for (const TimerId lease : leases)
    if (lease) host_->cancel(lease);
  for (const std::uint32_t task : tasks) outbox_->post(task, EndWorkerSession{id});
  for (const auto& step : running) {
    {
      std::lock_guard lock(session->mutex);
      if (step->status.ok()) step->status = why;
    }
    finish(*session, step);
  }
  for (const auto& start : waiting) {
    RunDone answer;
    answer.request = start->request.request;
    answer.status = why;
    start->done(std::move(answer));
  }
}

DGRAPH_DECL void Master::on_peer_lost(std::uint32_t task, const Status& why) {
  for (const auto& session : all_sessions()) {
    std::vector<std::shared_ptr<Step>> failed;
    std::vector<std::shared_ptr<Handle>> preparing;
    {
      std::lock_guard lock(session->mutex);
      for (const auto& [definition, handle] : session->handles) {
        if (!handle->involves(task)) continue;
        if (handle->state == Handle::State::Ready) handle->state = Handle::State::New;
        if (handle->state == Handle::State::Preparing) preparing.push_back(handle);
      }
      for (const auto& [id, step] : session->open)
        if (step->handle->involves(task)) failed.push_back(step);
    }
    for (const auto& step : failed) lose(*session, step, task, why);
    for (const auto& handle : preparing) acknowledge(session, handle, task, why);
  }
}

DGRAPH_DECL void Master::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  for (const auto& session : all_sessions()) close_session(session->id);
}

}  // namespace dgraph
