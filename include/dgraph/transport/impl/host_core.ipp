#pragma once
#include <dgraph/transport/host_core.hpp>

#include <algorithm>
#include <vector>

#include <dgraph/base/error.hpp>

namespace dgraph::detail {

DGRAPH_DECL Time steady_time() noexcept { return std::chrono::steady_clock::now().time_since_epoch(); }

DGRAPH_DECL std::chrono::steady_clock::time_point steady_point(Time since_epoch) noexcept {
  return std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(since_epoch));
}

DGRAPH_DECL std::size_t default_compute_threads(std::size_t asked) noexcept {
  return asked != 0 ? asked : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

/// Marks this thread as the driver of a host, or as waiting to be, for `on_driver`.
struct HostCore::Scope {
  explicit Scope(const HostCore* of) noexcept : host(of), outer(std::exchange(innermost(), this)) {}
  ~Scope() { innermost() = outer; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  static Scope*& innermost() noexcept {
    static thread_local Scope* scope = nullptr;
    return scope;
  }

  const HostCore* host;
  Scope* outer;
};

/// Gives the driver's place up, whatever happens in between.
struct HostCore::Turn {
  explicit Turn(HostCore& of) noexcept : host(of) {}
  ~Turn() { host.leave_driver(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  HostCore& host;
};

struct HostCore::Token {
  explicit Token(std::shared_ptr<HostCore> of) noexcept : core(std::move(of)) {}
  ~Token() { core->release_hold(); }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;

  std::shared_ptr<HostCore> core;
};

DGRAPH_DECL HostCore::HostCore(const transport::HostOptions& options)
    : origin_(steady_time()),
      pool_(std::make_shared<ThreadPool>(default_compute_threads(options.compute_threads))),
      last_left_(Time::zero()),
      waiters_window_(options.poll_window),
      window_(options.poll_window) {}

DGRAPH_DECL Time HostCore::now() const noexcept { return steady_time() - origin_; }

DGRAPH_DECL TimerId HostCore::after(Duration delay, Task task) {
  const std::lock_guard lock(mutex_);
  // The task of a host that is gone dies with the caller's argument, after the lock.
  if (stopped_) return 0;
  const Time start = now();
  const Time at = delay > kNever - start ? kNever : start + std::max(delay, Duration::zero());
  const TimerId id = timers_.add(at, std::move(task));
  next_timer_ = timers_.next().count();
  if (!driving_) {
    call_keeper();
  } else if (at < sleeping_until_) {
    wake_driver();
  }
  return id;
}

DGRAPH_DECL void HostCore::cancel(TimerId timer) {
  Task cancelled;
  const std::lock_guard lock(mutex_);
  cancelled = timers_.remove(timer);
  next_timer_ = timers_.next().count();
}

DGRAPH_DECL void HostCore::post(Task task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  posted_.push_back(std::move(task));
  posted_count_ = posted_.size();
  if (driving_) {
    wake_driver();
  } else {
    call_keeper();
  }
}

DGRAPH_DECL bool HostCore::on_driver() const noexcept {
  for (const Scope* scope = Scope::innermost(); scope != nullptr; scope = scope->outer) {
    if (scope->host == this) return true;
  }
  return false;
}

DGRAPH_DECL transport::HostCounters HostCore::counters() const {
  transport::HostCounters counters;
  counters.events = events_;
  counters.sleeps = sleeps_;
  counters.wakeups = wakeups_;
  counters.keeper_turns = keeper_turns_;
  counters.keeper_checks = keeper_checks_;
  counters.threads = pool_->threads();
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) ++counters.threads;
  return counters;
}

DGRAPH_DECL Reactor& HostCore::reactor(std::unique_ptr<Reactor> (*make)(HostCore&)) {
  const std::lock_guard lock(mutex_);
  if (stopped_) fail(Code::Cancelled, "the host is gone");
  if (!reactor_) {
    reactor_ = make(*this);
    reactor_seen_ = reactor_.get();
    wake_driver();
  }
  return *reactor_;
}

DGRAPH_DECL void HostCore::keep(std::shared_ptr<HostDependent> dependent) {
  {
    const std::lock_guard lock(mutex_);
    HostDependent* const key = dependent.get();
    if (!dropped_) {
      dependents_.emplace(key, std::move(dependent));
      return;
    }
  }
  dependent->on_abandoned();
}

DGRAPH_DECL void HostCore::release(HostDependent* dependent) {
  std::shared_ptr<HostDependent> released;
  const std::lock_guard lock(mutex_);
  if (const auto found = dependents_.find(dependent); found != dependents_.end()) {
    released = std::move(found->second);
    dependents_.erase(found);
  }
}

DGRAPH_DECL void HostCore::outstanding_changed() {
  const std::lock_guard lock(mutex_);
  if (!driving_ && !stopped_) call_keeper();
}

DGRAPH_DECL bool HostCore::outstanding() const {
  return !posted_.empty() || timers_.size() > 0 || (reactor_ && reactor_->busy() > 0);
}

DGRAPH_DECL void HostCore::wake_driver() {
  switch (std::exchange(sleeping_, Sleep::Awake)) {
    case Sleep::Awake: break;
    case Sleep::InReactor:
      if (reactor_) reactor_->wake();
      break;
    case Sleep::OnCondition: sleep_.notify_one(); break;
  }
}

DGRAPH_DECL void HostCore::call_keeper() {
  if (!thread_.joinable()) {
    thread_ = std::thread([self = shared_from_this()] { self->serve(); });
  } else if (parked_) {
    parked_ = false;
    keeper_.notify_one();
  }
}

DGRAPH_DECL bool HostCore::drive(FunctionRef<bool()> until, Time deadline) {
  if (on_driver()) fail(Code::FailedPrecondition, "drive was called from inside a task of the driver");
  const Scope scope(this);
  for (int vain = 0;; ++vain) {
    // Noted before `until` is asked: an event after that makes the wait below end at once.
    const std::uint64_t seen = events_;
    if (until()) return true;
    if (now() >= deadline) return false;
    std::unique_lock lock(mutex_);
    if (stopped_) return false;
    if (!driving_ && !held_) {
      driving_ = true;
      ++drives_;
      lock.unlock();
      const Turn turn(*this);
      if (run(until, deadline, Role::Caller)) return true;
      continue;
    }
    if (keeper_drives_ && !wanted_) {
      wanted_ = true;
      wake_driver();
    }
    wait_for_turn(lock, seen, deadline, vain >= kPatience);
  }
}

DGRAPH_DECL void HostCore::wait_for_turn(std::unique_lock<std::mutex>& lock, std::uint64_t seen, Time deadline,
                                         bool nap) {
  const auto my_turn = [this] { return (!driving_ && !held_) || stopped_; };
  const auto over = [&] { return events_ != seen || my_turn(); };
  const auto sleep_until = [&](Time until, const auto& condition) {
    if (until == kNever) {
      turns_.wait(lock, condition);
    } else {
      turns_.wait_until(lock, steady_point(origin_ + until), condition);
    }
  };
  const Time began = now();
  if (nap) {
    // Nothing that happened was for this caller, many times over: it need not be woken each time.
    ++napping_;
    sleep_until(std::min(deadline, began + kNap), my_turn);
    --napping_;
    if (over()) return;
  }
  ++waiting_;
  const Duration window = nap ? Duration::zero() : waiters_window_.next();
  if (window > Duration::zero()) {
    lock.unlock();
    for (Time time = began; !over() && time - began < window && time < deadline; time = now()) std::this_thread::yield();
    lock.lock();
  }
  sleep_until(deadline, over);
  if (!nap) waiters_window_.ended(now() - began);
  --waiting_;
}

DGRAPH_DECL bool HostCore::must_leave(Role role) const noexcept {
  if (stopped_.load(std::memory_order_relaxed)) return true;
  switch (role) {
    case Role::Caller: return held_;
    case Role::Keeper: return wanted_ || held_;
    case Role::Dedicated: return !held_;
  }
  return false;
}

DGRAPH_DECL void HostCore::note_event() {
  ++events_;
  if (waiting_ == 0) return;
  const std::lock_guard lock(mutex_);
  turns_.notify_all();
}

DGRAPH_DECL bool HostCore::run(FunctionRef<bool()> until, Time deadline, Role role) {
  // Another driver may have made it true since the caller looked.
  bool holds = until();
  if (holds) return true;
  const auto after_event = [&] {
    note_event();
    holds = until();
    return holds || must_leave(role);
  };
  Time wait_began = now();
  Duration window = window_.next();
  bool waited = false;
  for (;;) {
    bool handled = turn(after_event);
    Time time = now();
    if (!handled && !holds && time - wait_began >= window) {
      handled = sleep(after_event, deadline, role);
      waited = true;
      time = now();
    }
    if (holds) return true;
    if (must_leave(role)) return until();
    if (time >= deadline) return until();
    if (handled) {
      if (waited) window_.ended(time - wait_began);
      wait_began = time;
      window = window_.next();
      waited = false;
    } else {
      if (window > Duration::zero()) std::this_thread::yield();
      waited = true;
    }
  }
}

DGRAPH_DECL bool HostCore::turn(FunctionRef<bool()> after_event) {
  bool handled = false;
  const auto finish = [&](Task task) {
    task();
    task = nullptr;
    handled = true;
    return after_event();
  };
  // What these tasks post in turn waits for the next turn, so that sockets and timers get theirs.
  for (std::size_t left = posted_count_; left > 0; --left) {
    Task task;
    {
      const std::lock_guard lock(mutex_);
      if (posted_.empty()) break;
      task = std::move(posted_.front());
      posted_.pop_front();
      posted_count_ = posted_.size();
    }
    if (finish(std::move(task))) return true;
  }
  if (next_timer_ != kNever.count()) {
    const Time time = now();
    while (next_timer_ <= time.count()) {
      Task task;
      {
        const std::lock_guard lock(mutex_);
        task = timers_.pop(time);
        next_timer_ = timers_.next().count();
      }
      if (task && finish(std::move(task))) return true;
    }
  }
  if (Reactor* const reactor = reactor_seen_) {
    if (reactor->poll(after_event)) handled = true;
  }
  return handled;
}

DGRAPH_DECL bool HostCore::sleep(FunctionRef<bool()> after_event, Time deadline, Role role) {
  std::unique_lock lock(mutex_);
  const Time until = std::min(deadline, timers_.next());
  if (!posted_.empty() || must_leave(role) || until <= now()) return false;
  ++sleeps_;
  sleeping_until_ = until;
  bool handled = false;
  if (reactor_) {
    Reactor& reactor = *reactor_;
    sleeping_ = Sleep::InReactor;
    lock.unlock();
    const auto awake = [this] {
      const std::lock_guard again(mutex_);
      sleeping_ = Sleep::Awake;
    };
    handled = reactor.wait(until, awake, after_event);
  } else {
    sleeping_ = Sleep::OnCondition;
    const auto woken = [this] { return sleeping_ == Sleep::Awake; };
    if (until == kNever) {
      sleep_.wait(lock, woken);
    } else {
      sleep_.wait_until(lock, steady_point(origin_ + until), woken);
    }
    sleeping_ = Sleep::Awake;
  }
  ++wakeups_;
  return handled;
}

DGRAPH_DECL void HostCore::leave_driver() {
  {
    const std::lock_guard lock(mutex_);
    driving_ = false;
    keeper_drives_ = false;
    last_left_ = now();
    if (waiting_ + napping_ > 0) turns_.notify_all();
    if (!stopped_) {
      if (outstanding()) call_keeper();
      return;
    }
  }
  drop_everything();
}

DGRAPH_DECL void HostCore::drive_here(std::unique_lock<std::mutex>& lock, Role role) {
  driving_ = true;
  keeper_drives_ = role == Role::Keeper;
  wanted_ = false;
  lock.unlock();
  {
    const Turn turn(*this);
    run([] { return false; }, kNever, role);
  }
  lock.lock();
}

DGRAPH_DECL void HostCore::serve() {
  const Scope scope(this);
  std::unique_lock lock(mutex_);
  std::uint64_t drives_seen = drives_ - 1;
  const auto called = [this] { return stopped_ || holds_ > 0; };
  while (!stopped_) {
    if (holds_ > 0) {
      if (driving_) {
        ++waiting_;
        turns_.wait(lock, [this] { return !driving_ || stopped_ || holds_ == 0; });
        --waiting_;
      } else {
        drive_here(lock, Role::Dedicated);
      }
    } else if (driving_ || !outstanding()) {
      if (drives_ == drives_seen) {
        // Nobody came or went for a while: sleep until called, so that an idle process does not wake up.
        parked_ = true;
        keeper_.wait(lock, [&] { return called() || !parked_; });
        parked_ = false;
      } else {
        // Callers come and go: to be notified by each of them would cost them more than this look.
        drives_seen = drives_;
        keeper_.wait_for(lock, kKeeperDelay, called);
      }
      ++keeper_checks_;
    } else if (now() < last_left_ + kKeeperDelay) {
      keeper_.wait_until(lock, steady_point(origin_ + last_left_ + kKeeperDelay), called);
      ++keeper_checks_;
    } else {
      ++keeper_turns_;
      drive_here(lock, Role::Keeper);
    }
  }
}

DGRAPH_DECL std::shared_ptr<void> HostCore::hold_driver() {
  auto token = std::make_shared<Token>(shared_from_this());
  const std::lock_guard lock(mutex_);
  ++holds_;
  held_ = true;
  if (stopped_) return token;
  call_keeper();
  keeper_.notify_one();
  // Whoever drives now makes way for the own thread.
  if (holds_ == 1) wake_driver();
  return token;
}

DGRAPH_DECL void HostCore::release_hold() {
  const std::lock_guard lock(mutex_);
  if (--holds_ > 0) return;
  held_ = false;
  wake_driver();
  if (waiting_ + napping_ > 0) turns_.notify_all();
}

DGRAPH_DECL void HostCore::shutdown() {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    stopped_ = true;
    thread.swap(thread_);
    wake_driver();
    turns_.notify_all();
    keeper_.notify_all();
  }
  pool_->stop();
  if (thread.joinable()) {
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
  {
    std::unique_lock lock(mutex_);
    // From inside one of the driver's tasks: the driver drops the rest when it leaves.
    if (driving_ && on_driver()) return;
    ++waiting_;
    turns_.wait(lock, [this] { return !driving_; });
    --waiting_;
  }
  drop_everything();
}

DGRAPH_DECL void HostCore::drop_everything() {
  std::unique_ptr<Reactor> reactor;
  std::deque<Task> posted;
  std::vector<Task> timers;
  std::unordered_map<HostDependent*, std::shared_ptr<HostDependent>> dependents;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(dropped_, true)) return;
    dependents.swap(dependents_);
    reactor_seen_ = nullptr;
    reactor.swap(reactor_);
    posted.swap(posted_);
    posted_count_ = 0;
    timers = timers_.clear();
    next_timer_ = kNever.count();
  }
  for (const auto& dependent : dependents) dependent.second->on_abandoned();
  reactor.reset();
}

}  // namespace dgraph::detail
