#pragma once
// SimWorld: the events, tasks and links behind Sim; SimTask: the Host of one task there.

#include <compare>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/sim_options.hpp>
#include <dgraph/transport/sim_random.hpp>

namespace dgraph::detail {

class SimConnector;
class SimLink;
class SimListening;

/// Safe from several threads, one of which drives at a time; only one thread gives equal histories. Nothing of a user is
/// called or destroyed with the lock held.
class SimWorld : public std::enable_shared_from_this<SimWorld> {
 public:
  /// A task's incarnation; 0 is nobody.
  using TaskId = std::uint64_t;
  using Lock = std::unique_lock<std::mutex>;
  enum class Kind : std::uint8_t { World, Post, Compute, Timer, Arrival, Closed, Accept, Connect };

  SimWorld(std::uint64_t seed, const transport::SimOptions& options);

  // Tasks.
  TaskId begin_task(const std::string& name);
  void end_task(TaskId task, transport::SimDeath death);
  TaskId find_task(std::string_view name) const;
  Time origin(TaskId task) const;
  std::uint64_t random_id(TaskId task);

  // Host.
  Time now() const;
  void post(TaskId task, Task run);
  void compute(TaskId task, Task run);
  TimerId after(TaskId task, Duration delay, Task run);
  void cancel(TaskId task, TimerId timer);
  bool drive(TaskId task, FunctionRef<bool()> until, Time deadline);
  bool on_driver(TaskId task) const;
  const transport::SimOptions& options() const noexcept { return options_; }

  // Links.
  std::unique_ptr<Listener> listen(TaskId task, const std::string& address, OnLink on_link);
  void connect(TaskId task, const std::string& address, Time deadline, OnConnect on_connect);

  // Faults.
  void cut(std::string_view a, std::string_view b);
  void heal(std::string_view a, std::string_view b);
  void break_links(std::string_view a, std::string_view b);
  void drop_world_events();

  std::uint64_t run(Time until);
  std::uint64_t events() const;
  std::uint64_t trace_hash() const;
  std::size_t pending() const;

 private:
  friend class SimConnector;
  friend class SimLink;
  friend class SimListener;

  struct Key {
    Time at{};
    std::uint64_t order = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Event {
    TaskId task = 0;
    Kind kind = Kind::World;
    std::uint64_t digest = 0;
    Task run;
  };
  struct TaskState {
    std::string name;
    Time origin{};
    Time last_post{};
    SimRandom random{0};
    std::map<std::uint64_t, std::shared_ptr<SimLink>> links;
    std::unordered_map<TimerId, Key> timers;
  };
  struct Driving;

  // With the lock held:
  TaskState* state(TaskId task);
  Key schedule(TaskId task, Time at, Kind kind, std::uint64_t digest, Task run);
  Time post_time(TaskState& state);
  Duration link_delay() { return random_.between(options_.min_delay, options_.max_delay); }
  bool is_cut(const std::string& a, const std::string& b) const;
  void wake_connectors();
  std::vector<std::shared_ptr<SimLink>> links_between(std::string_view a, std::string_view b);
  void run_next(Lock& lock);

  const transport::SimOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable turns_;
  SimRandom random_;
  Time now_{};
  std::uint64_t order_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t hash_ = 0;
  std::uint64_t links_ = 0;
  TaskId last_task_ = 0;
  std::map<Key, Event> queue_;
  std::map<TaskId, TaskState> tasks_;
  std::map<std::string, TaskId, std::less<>> names_;
  std::map<std::string, std::shared_ptr<SimListening>> listening_;
  std::vector<std::shared_ptr<SimConnector>> waiting_;
  std::set<std::pair<std::string, std::string>> cuts_;

  std::thread::id driver_;  ///< the thread that runs events
  TaskId drives_for_ = 0;   ///< whose `drive` it is in
  TaskId running_ = 0;      ///< whose event it is in
  Kind running_kind_ = Kind::World;
  bool in_event_ = false;
};

class SimTask final : public Host {
 public:
  SimTask(std::shared_ptr<SimWorld> world, std::string name);
  DGRAPH_DECL ~SimTask() override;

  DGRAPH_DECL Time now() const override;
  DGRAPH_DECL TimerId after(Duration delay, Task task) override;
  DGRAPH_DECL void cancel(TimerId timer) override;
  DGRAPH_DECL void post(Task task) override;
  DGRAPH_DECL void compute(Task task) override;
  DGRAPH_DECL std::size_t compute_threads() const override;
  DGRAPH_DECL bool drive(FunctionRef<bool()> until, Time deadline) override;
  std::shared_ptr<void> hold_driver() override { return nullptr; }
  DGRAPH_DECL bool on_driver() const override;
  DGRAPH_DECL std::uint64_t random_id() override;

  const std::string& name() const noexcept { return name_; }
  SimWorld::TaskId id() const noexcept { return id_; }
  SimWorld& world() const noexcept { return *world_; }
  /// From this host's time to the world's.
  Time to_world(Time time) const noexcept { return time == kNever ? kNever : time - origin_; }

 private:
  const std::shared_ptr<SimWorld> world_;
  const std::string name_;
  const SimWorld::TaskId id_;
  const Time origin_;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
// Its bodies need links, and those need this header.
#include <dgraph/transport/sim_link.hpp>
#endif
