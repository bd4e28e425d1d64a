#pragma once
// WorkerSession: what a worker keeps of one session: its partitions, open steps, early data, held bodies. Used by Worker alone.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dgraph/cluster/step_ranges.hpp>
#include <dgraph/runtime/compiled_partition.hpp>
#include <dgraph/runtime/step_execution.hpp>
#include <dgraph/runtime/task_functions.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

class Worker;

namespace detail {

class WorkerRun;
class WorkerSession;

/// A registered partition and the executions that wait to be used again.
struct WorkerRegistration {
  HandleId handle = 0;
  std::shared_ptr<const CompiledPartition> partition;
  std::vector<PeerTask> peers;
  std::vector<std::uint32_t> paced_sends;                          // edges
  std::vector<std::pair<std::uint32_t, std::uint32_t>> paced_recvs;  // (edge, producing task)
  std::vector<std::shared_ptr<StepExecution>> idle;                // guarded by the session's mutex

  bool involves(std::uint32_t task) const;
};

/// Bytes of bodies to give back to the tasks that sent them, once no lock is held.
using Consumed = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// One start: a step, or `repeat` steps in a row (D9). Guarded by the session's mutex, but for the batch, which is the
/// executing thread's.
class WorkerRun final : public StepListener, public std::enable_shared_from_this<WorkerRun> {
 public:
  static constexpr StepId kRunAhead = 8;
  static constexpr StepId kAckEvery = 4;

  WorkerRun(std::shared_ptr<Worker> worker, std::shared_ptr<WorkerSession> session,
            std::shared_ptr<WorkerRegistration> registration, std::uint32_t master, const StartStep& start);

  DGRAPH_DECL void send(StepExecution& step, const PartitionEdge& edge, std::span<const std::uint64_t> iterations, bool dead,
                        Tensor value) override;
  DGRAPH_DECL void turn_ended(StepExecution& step) override;
  DGRAPH_DECL void fetched(StepExecution& step, std::uint32_t number, Tensor value) override;
  DGRAPH_DECL bool finished(StepExecution& step, const Status& status) override;

  bool contains(StepId step) const noexcept { return step >= base && step - base < repeat; }
  StepId end() const noexcept { return base + repeat; }
  /// Runs the first step, after `advance`. Takes no lock.
  void start();
  /// Makes `step` the current one and gives it what came early. Under the lock.
  void advance(StepId step, Consumed& consumed);
  /// True where step `step` may begin: not too far ahead of consumers, not paused. Under the lock.
  bool may_begin(StepId step) const;
  /// Ends the run as soon as may be, with that status. Takes the lock.
  void abort(const Status& status);
  /// Tries to go on after a stall. Takes the lock.
  void resume_if_possible();

  const std::shared_ptr<Worker> worker;
  const std::shared_ptr<WorkerSession> session;
  const std::shared_ptr<WorkerRegistration> registration;
  const std::uint32_t master;
  const StepId base;
  const std::uint64_t repeat;
  const bool trace;
  std::shared_ptr<StepExecution> execution;
  StepId current = 0;
  StepId last_done = 0;
  StepId stop_after = ~StepId{0};
  bool stop_asked = false;  // paused after `stop_after` until the master says where all tasks end
  bool stalled = false;     // between two steps; `current` is the one that is done
  Status aborted;
  TimerId deadline_timer = 0;
  Time progress_due{};
  std::vector<std::pair<std::uint32_t, StepId>> acked;  // by paced edge that leaves: last step consumed

 private:
  void complete(Status status, std::unique_lock<std::mutex> lock);
  std::vector<std::pair<std::uint32_t, Data>> batch_;  // by peer
  std::uint64_t messages_ = 0;
};

class WorkerSession {
 public:
  struct Early {
    HandleId handle;
    std::uint32_t from;
    DataEntry entry;
  };
  struct Held {
    HandleId handle;
    std::uint32_t to;
    DataEntry entry;
  };
  struct Announced {
    std::uint32_t from;
    Announce announce;
  };
  using BodyKey = std::tuple<StepId, std::uint32_t, std::vector<std::uint64_t>>;  // (step, edge, iterations)

  WorkerSession(SessionId id_, std::uint32_t master_, SessionConfig config_, const TaskEnvironment& shared,
                KernelLookup kernels);
  ~WorkerSession();

  /// The run that a step belongs to; null where it has not started. Under the lock.
  std::shared_ptr<WorkerRun> run_of(StepId step) const;
  /// Forgets what belongs to steps below the floor. Under the lock.
  void raise_floor(StepId floor, Consumed& consumed);
  void forget_early(StepId begin, StepId end, Consumed& consumed);

  const SessionId id;
  const std::uint32_t master;
  const SessionConfig config;
  NodeStates states;
  std::unique_ptr<ResourceManager> own_resources;  // of an isolated session
  TaskEnvironment environment;
  Ref<TaskFunctions> own_functions;                    // of an isolated session

  mutable std::mutex mutex;
  bool ended = false;
  TimerId lease = 0;
  std::unordered_map<HandleId, std::shared_ptr<WorkerRegistration>> handles;
  std::map<StepId, std::shared_ptr<WorkerRun>> runs;  // by first step
  StepRanges over;
  std::map<StepId, std::vector<Early>> early;
  std::map<BodyKey, Held> held;
  std::deque<Announced> announced;
  std::map<std::uint32_t, std::shared_ptr<void>> keep_alives;  // by task
};

}  // namespace detail
}  // namespace dgraph

// Its bodies need Worker: worker.hpp brings both.
#include <dgraph/cluster/worker.hpp>
