#pragma once
#include <dgraph/transport/sim_world.hpp>

#include <algorithm>

#include <dgraph/base/error.hpp>
#include <dgraph/transport/name_address.hpp>
#include <dgraph/transport/sim_link.hpp>

namespace dgraph::detail {

/// The thread that runs events, for the length of a drive.
struct SimWorld::Driving {
  Driving(SimWorld& of, Lock& held, TaskId task) : world(of), lock(held) {
    const std::thread::id self = std::this_thread::get_id();
    if (world.driver_ == self) fail(Code::FailedPrecondition, "a simulation cannot be driven from inside one of its events");
    world.turns_.wait(lock, [&] { return world.driver_ == std::thread::id(); });
    world.driver_ = self;
    world.drives_for_ = task;
  }
  ~Driving() {
    if (!lock.owns_lock()) lock.lock();
    world.driver_ = {};
    world.drives_for_ = 0;
    world.turns_.notify_one();
  }
  Driving(const Driving&) = delete;
  Driving& operator=(const Driving&) = delete;

  SimWorld& world;
  Lock& lock;
};

DGRAPH_DECL SimWorld::SimWorld(std::uint64_t seed, const transport::SimOptions& options)
    : options_(options), random_(SimRandom::mix(seed + 1)), hash_(seed) {}

DGRAPH_DECL SimWorld::TaskId SimWorld::begin_task(const std::string& name) {
  const Lock lock(mutex_);
  if (names_.contains(name)) fail(Code::AlreadyExists, "the simulated task '", name, "' is alive");
  const TaskId task = ++last_task_;
  TaskState& state = tasks_[task];
  state.name = name;
  state.random = SimRandom(SimRandom::hash(name, random_.next()));
  // Hosts never agree on what time it is, so that nobody compares.
  state.origin = Duration(static_cast<std::int64_t>(state.random.up_to(1'000'000'000'000)));
  state.last_post = now_;
  names_[name] = task;
  return task;
}

DGRAPH_DECL void SimWorld::end_task(TaskId task, transport::SimDeath death) {
  std::vector<Task> dropped_events;
  std::vector<std::shared_ptr<SimConnector>> dropped_connectors;
  std::vector<std::shared_ptr<SimListening>> dropped_listening;
  std::vector<std::shared_ptr<OnLink>> dropped_on_link;
  std::vector<std::shared_ptr<LinkHandler>> dropped_handlers;
  TaskState dropped;
  const Lock lock(mutex_);
  TaskState* const ending = state(task);
  if (ending == nullptr) return;
  for (auto at = queue_.begin(); at != queue_.end();) {
    if (at->second.task != task) {
      ++at;
      continue;
    }
    dropped_events.push_back(std::move(at->second.run));
    at = queue_.erase(at);
  }
  for (auto at = listening_.begin(); at != listening_.end();) {
    if (at->second->owner != task) {
      ++at;
      continue;
    }
    dropped_on_link.push_back(std::move(at->second->on_link));
    dropped_listening.push_back(std::move(at->second));
    at = listening_.erase(at);
  }
  const auto theirs = std::stable_partition(waiting_.begin(), waiting_.end(),
                                            [task](const auto& connector) { return connector->owner != task; });
  std::move(theirs, waiting_.end(), std::back_inserter(dropped_connectors));
  waiting_.erase(theirs, waiting_.end());
  for (const auto& [number, link] : ending->links) {
    if (death == transport::SimDeath::Noticed && !link->closed_) link->tell_other();
    link->closed_ = true;
    dropped_handlers.push_back(std::move(link->handler_));
  }
  dropped = std::move(*ending);
  names_.erase(dropped.name);
  tasks_.erase(task);
}

DGRAPH_DECL SimWorld::TaskId SimWorld::find_task(std::string_view name) const {
  const Lock lock(mutex_);
  const auto found = names_.find(name);
  return found == names_.end() ? 0 : found->second;
}

DGRAPH_DECL Time SimWorld::origin(TaskId task) const {
  const Lock lock(mutex_);
  return tasks_.at(task).origin;
}

DGRAPH_DECL std::uint64_t SimWorld::random_id(TaskId task) {
  const Lock lock(mutex_);
  TaskState* const of = state(task);
  std::uint64_t id = 0;
  while (id == 0) id = of != nullptr ? of->random.next() : random_.next();
  return id;
}

DGRAPH_DECL Time SimWorld::now() const {
  const Lock lock(mutex_);
  return now_;
}

DGRAPH_DECL SimWorld::TaskState* SimWorld::state(TaskId task) {
  const auto found = tasks_.find(task);
  return found == tasks_.end() ? nullptr : &found->second;
}

DGRAPH_DECL SimWorld::Key SimWorld::schedule(TaskId task, Time at, Kind kind, std::uint64_t digest, Task run) {
  const Key key{std::max(at, now_), ++order_};
  queue_.emplace(key, Event{task, kind, digest, std::move(run)});
  return key;
}

DGRAPH_DECL Time SimWorld::post_time(TaskState& state) {
  // The order of the calls is kept, so none overtakes the one before.
  state.last_post = std::max(state.last_post, now_ + random_.between(Duration::zero(), options_.max_post_delay));
  return state.last_post;
}

DGRAPH_DECL void SimWorld::post(TaskId task, Task run) {
  const Lock lock(mutex_);
  if (TaskState* const of = state(task)) schedule(task, post_time(*of), Kind::Post, 0, std::move(run));
}

DGRAPH_DECL void SimWorld::compute(TaskId task, Task run) {
  const Lock lock(mutex_);
  if (state(task) == nullptr) return;
  schedule(task, now_ + random_.between(Duration::zero(), options_.max_compute_delay), Kind::Compute, 0, std::move(run));
}

DGRAPH_DECL TimerId SimWorld::after(TaskId task, Duration delay, Task run) {
  const Lock lock(mutex_);
  delay = std::max(delay, Duration::zero());
  if (task == 0) {
    schedule(0, now_ + delay, Kind::World, 0, std::move(run));
    return 0;
  }
  TaskState* const of = state(task);
  if (of == nullptr) return 0;
  // A timer that never comes has a name, and nothing to wait for.
  if (delay > kNever - now_ - options_.max_post_delay) return ++order_;
  const TimerId timer = order_ + 1;
  const Time at = now_ + delay + random_.between(Duration::zero(), options_.max_post_delay);
  of->timers[timer] = schedule(task, at, Kind::Timer, 0, [this, task, timer, run = std::move(run)]() mutable {
    {
      const Lock again(mutex_);
      if (TaskState* const still = state(task)) still->timers.erase(timer);
    }
    run();
  });
  return timer;
}

DGRAPH_DECL void SimWorld::cancel(TaskId task, TimerId timer) {
  Task dropped;
  const Lock lock(mutex_);
  TaskState* const of = state(task);
  if (of == nullptr) return;
  const auto found = of->timers.find(timer);
  if (found == of->timers.end()) return;
  const auto event = queue_.find(found->second);
  dropped = std::move(event->second.run);
  queue_.erase(event);
  of->timers.erase(found);
}

DGRAPH_DECL void SimWorld::run_next(Lock& lock) {
  if (events_ >= options_.max_events) {
    fail(Code::ResourceExhausted, "the simulation has run ", events_, " events, its limit: does it go round in circles?");
  }
  auto node = queue_.extract(queue_.begin());
  Event& event = node.mapped();
  now_ = node.key().at;
  ++events_;
  hash_ = SimRandom::mix(hash_ ^ static_cast<std::uint64_t>(now_.count())) + event.task * 31 +
          static_cast<std::uint64_t>(event.kind);
  hash_ = SimRandom::mix(hash_ ^ event.digest);
  running_ = event.task;
  running_kind_ = event.kind;
  in_event_ = true;
  lock.unlock();
  const auto end = [&] {
    event.run = nullptr;
    lock.lock();
    in_event_ = false;
    running_ = 0;
  };
  try {
    event.run();
  } catch (...) {
    end();
    throw;
  }
  end();
}

DGRAPH_DECL bool SimWorld::drive(TaskId task, FunctionRef<bool()> until, Time deadline) {
  Lock lock(mutex_);
  const Driving driving(*this, lock, task);
  for (;;) {
    lock.unlock();
    if (until()) return true;
    lock.lock();
    if (state(task) == nullptr || now_ >= deadline) return false;
    if (queue_.empty() && deadline == kNever) {
      fail(Code::Internal, "nothing is left to happen in the simulation, and what is waited for has not");
    }
    if (queue_.empty() || queue_.begin()->first.at > deadline) {
      now_ = deadline;
      lock.unlock();
      return until();
    }
    run_next(lock);
  }
}

DGRAPH_DECL std::uint64_t SimWorld::run(Time until) {
  Lock lock(mutex_);
  const Driving driving(*this, lock, 0);
  const std::uint64_t before = events_;
  while (!queue_.empty() && queue_.begin()->first.at <= until) run_next(lock);
  if (until != kNever) now_ = std::max(now_, until);
  return events_ - before;
}

DGRAPH_DECL bool SimWorld::on_driver(TaskId task) const {
  const Lock lock(mutex_);
  if (driver_ != std::this_thread::get_id()) return false;
  return in_event_ ? running_ == task && running_kind_ != Kind::Compute : drives_for_ == task;
}

DGRAPH_DECL std::unique_ptr<Listener> SimWorld::listen(TaskId task, const std::string& address, OnLink on_link) {
  std::string name;
  parse_name_address(address, "sim", name).throw_if_error();
  const Lock lock(mutex_);
  TaskState* const of = state(task);
  if (of == nullptr) fail(Code::Cancelled, "cannot listen at sim://", name, ": the task has ended");
  if (name.empty()) name = of->name;
  auto listening = std::make_shared<SimListening>(task, of->name, std::move(on_link));
  if (!listening_.emplace(name, listening).second) {
    fail(Code::Unavailable, "cannot listen at sim://", name, ": somebody does already");
  }
  wake_connectors();
  return std::make_unique<SimListener>(shared_from_this(), std::move(listening), std::move(name));
}

DGRAPH_DECL void SimWorld::connect(TaskId task, const std::string& address, Time deadline, OnConnect on_connect) {
  const Lock lock(mutex_);
  TaskState* const of = state(task);
  if (of == nullptr) return;
  auto connector =
      std::make_shared<SimConnector>(shared_from_this(), task, of->name, now_, deadline, std::move(on_connect));
  schedule(task, post_time(*of), Kind::Connect, 0, [connector, address] { connector->start(address); });
}

DGRAPH_DECL void SimWorld::wake_connectors() {
  for (auto& connector : std::exchange(waiting_, {})) {
    schedule(connector->owner, now_ + link_delay(), Kind::Connect, 1, [connector] { connector->look(); });
  }
}

DGRAPH_DECL bool SimWorld::is_cut(const std::string& a, const std::string& b) const {
  return cuts_.contains(std::minmax(a, b));
}

DGRAPH_DECL std::vector<std::shared_ptr<SimLink>> SimWorld::links_between(std::string_view a, std::string_view b) {
  std::vector<std::shared_ptr<SimLink>> between;
  for (const auto& [task, of] : tasks_) {
    if (of.name != a && of.name != b) continue;
    for (const auto& [number, link] : of.links) {
      if (link->other_name_ == (of.name == a ? b : a)) between.push_back(link);
    }
  }
  return between;
}

DGRAPH_DECL void SimWorld::cut(std::string_view a, std::string_view b) {
  const Lock lock(mutex_);
  cuts_.insert(std::minmax(std::string(a), std::string(b)));
}

DGRAPH_DECL void SimWorld::heal(std::string_view a, std::string_view b) {
  const Lock lock(mutex_);
  cuts_.erase(std::minmax(std::string(a), std::string(b)));
  for (const auto& link : links_between(a, b)) {
    if (link->stalled_.empty()) continue;
    schedule(link->owner_, now_ + link_delay(), Kind::Arrival, link->number_, [link] { link->resume(); });
  }
  wake_connectors();
}

DGRAPH_DECL void SimWorld::break_links(std::string_view a, std::string_view b) {
  std::vector<std::shared_ptr<SimLink>> broken;
  const Lock lock(mutex_);
  broken = links_between(a, b);
  for (const auto& link : broken) {
    if (!link->closed_) link->end_with(errors::Unavailable("lost the connection to ", link->peer_), now_ + link_delay());
  }
}

DGRAPH_DECL void SimWorld::drop_world_events() {
  std::vector<Task> dropped;
  const Lock lock(mutex_);
  for (auto at = queue_.begin(); at != queue_.end();) {
    if (at->second.task != 0) {
      ++at;
      continue;
    }
    dropped.push_back(std::move(at->second.run));
    at = queue_.erase(at);
  }
}

DGRAPH_DECL std::uint64_t SimWorld::events() const {
  const Lock lock(mutex_);
  return events_;
}

DGRAPH_DECL std::uint64_t SimWorld::trace_hash() const {
  const Lock lock(mutex_);
  return hash_;
}

DGRAPH_DECL std::size_t SimWorld::pending() const {
  const Lock lock(mutex_);
  return queue_.size();
}

DGRAPH_DECL SimTask::SimTask(std::shared_ptr<SimWorld> world, std::string name)
    : world_(std::move(world)), name_(std::move(name)), id_(world_->begin_task(name_)), origin_(world_->origin(id_)) {}

DGRAPH_DECL SimTask::~SimTask() { world_->end_task(id_, transport::SimDeath::Noticed); }

DGRAPH_DECL Time SimTask::now() const { return world_->now() + origin_; }
DGRAPH_DECL TimerId SimTask::after(Duration delay, Task task) { return world_->after(id_, delay, std::move(task)); }
DGRAPH_DECL void SimTask::cancel(TimerId timer) { world_->cancel(id_, timer); }
DGRAPH_DECL void SimTask::post(Task task) { world_->post(id_, std::move(task)); }
DGRAPH_DECL void SimTask::compute(Task task) { world_->compute(id_, std::move(task)); }
DGRAPH_DECL std::size_t SimTask::compute_threads() const {
  return std::max<std::size_t>(1, world_->options().compute_threads);
}
DGRAPH_DECL bool SimTask::drive(FunctionRef<bool()> until, Time deadline) {
  // An event may destroy this object while it drives.
  const std::shared_ptr<SimWorld> world = world_;
  return world->drive(id_, until, to_world(deadline));
}
DGRAPH_DECL bool SimTask::on_driver() const { return world_->on_driver(id_); }
DGRAPH_DECL std::uint64_t SimTask::random_id() { return world_->random_id(id_); }

}  // namespace dgraph::detail
