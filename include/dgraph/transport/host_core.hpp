#pragma once
// HostCore: the works of RealHost, also reached by the transports' links. See D2 for who drives when.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/transport/host_options.hpp>
#include <dgraph/transport/poll_window.hpp>
#include <dgraph/transport/reactor.hpp>
#include <dgraph/transport/thread_pool.hpp>
#include <dgraph/transport/timer_queue.hpp>

namespace dgraph::detail {

/// What must let go of its host when that ends: a link between hosts of one process, say.
class HostDependent {
 public:
  virtual ~HostDependent() = default;
  /// The host goes, and its driver does not call any more.
  virtual void on_abandoned() = 0;
};

/// One thread at a time is the driver: a caller of `drive`, or the host's own thread. The own thread drives for good while
/// somebody holds the driver; otherwise it is the keeper, which drives when nobody has for kKeeperDelay although something
/// is outstanding, and leaves as soon as a caller wants to drive. Kept alive by its threads and by links.
class HostCore : public std::enable_shared_from_this<HostCore> {
 public:
  static constexpr Duration kKeeperDelay = std::chrono::milliseconds(2);
  /// A caller that was woken this often in vain while another thread drives looks only every kNap while things happen.
  static constexpr int kPatience = 256;
  static constexpr Duration kNap = std::chrono::milliseconds(1);

  explicit HostCore(const transport::HostOptions& options);

  Time now() const noexcept;
  TimerId after(Duration delay, Task task);
  void cancel(TimerId timer);
  void post(Task task);
  void compute(Task task) { pool_->add(std::move(task)); }
  std::size_t compute_threads() const noexcept { return pool_->most_threads(); }
  bool drive(FunctionRef<bool()> until, Time deadline);
  std::shared_ptr<void> hold_driver();
  bool on_driver() const noexcept;
  transport::HostCounters counters() const;

  /// The reactor, made by `make` at the first call. Throws Error Cancelled once the host is gone.
  Reactor& reactor(std::unique_ptr<Reactor> (*make)(HostCore&));
  /// Keeps an object until `release`, or the end of the host, which calls its on_abandoned (at once if it has ended).
  void keep(std::shared_ptr<HostDependent> dependent);
  void release(HostDependent* dependent);
  /// To be called after something became outstanding that the host does not see by itself.
  void outstanding_changed();

  /// Ends everything; called by the destructor of RealHost.
  void shutdown();

 private:
  enum class Role { Caller, Keeper, Dedicated };
  enum class Sleep { Awake, InReactor, OnCondition };

  struct Scope;
  struct Turn;
  struct Token;

  bool run(FunctionRef<bool()> until, Time deadline, Role role);
  bool turn(FunctionRef<bool()> after_event);
  bool sleep(FunctionRef<bool()> after_event, Time deadline, Role role);
  bool must_leave(Role role) const noexcept;
  void note_event();
  void leave_driver();
  void serve();
  void drop_everything();
  void release_hold();

  // With the lock held:
  bool outstanding() const;
  void wake_driver();
  void call_keeper();
  void drive_here(std::unique_lock<std::mutex>& lock, Role role);
  void wait_for_turn(std::unique_lock<std::mutex>& lock, std::uint64_t seen, Time deadline, bool nap);

  const Time origin_;
  const std::shared_ptr<ThreadPool> pool_;

  mutable std::mutex mutex_;
  std::condition_variable sleep_;   ///< where a driver without a reactor sleeps
  std::condition_variable turns_;   ///< where threads wait that would drive if another did not
  std::condition_variable keeper_;  ///< where the own thread waits while it is not to drive
  std::deque<Task> posted_;
  TimerQueue timers_;
  std::unique_ptr<Reactor> reactor_;
  std::unordered_map<HostDependent*, std::shared_ptr<HostDependent>> dependents_;
  std::thread thread_;
  Sleep sleeping_ = Sleep::Awake;
  Time sleeping_until_{};
  Time last_left_;
  std::uint64_t drives_ = 0;
  std::size_t holds_ = 0;
  std::size_t napping_ = 0;
  bool keeper_drives_ = false;
  bool parked_ = false;
  bool dropped_ = false;
  PollWindow waiters_window_;

  // Changed with the lock held, also read without.
  std::atomic<bool> driving_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> wanted_{false};
  std::atomic<bool> held_{false};
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::size_t> posted_count_{0};
  std::atomic<std::int64_t> next_timer_{kNever.count()};
  std::atomic<Reactor*> reactor_seen_{nullptr};

  // The driver's own; the counts are read by others.
  PollWindow window_;
  std::atomic<std::uint64_t> events_{0};
  std::atomic<std::uint64_t> sleeps_{0};
  std::atomic<std::uint64_t> wakeups_{0};
  std::atomic<std::uint64_t> keeper_turns_{0};
  std::atomic<std::uint64_t> keeper_checks_{0};
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/host_core.ipp>
#endif
