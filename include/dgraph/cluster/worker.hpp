#pragma once
// Worker: runs the partitions that masters register with a task, and exchanges data with other workers (D5, D6, D9).

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <dgraph/base/host.hpp>
#include <dgraph/cluster/outbox.hpp>
#include <dgraph/cluster/peers.hpp>
#include <dgraph/cluster/worker_session.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/runtime/compiled_partition.hpp>
#include <dgraph/runtime/step_execution.hpp>
#include <dgraph/runtime/task_functions.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

struct WorkerOptions {
  Duration heartbeat = std::chrono::seconds(2);           ///< what a task's own copy of a deadline adds (D17)
  Duration lease = std::chrono::seconds(10);              ///< a session whose master is lost is kept that long
  std::uint64_t body_memory = std::uint64_t{16} << 30;    ///< bytes of bodies not yet consumed, all sessions together
};

/// Every call is safe from any thread; replies may come inside the call.
class Worker : public std::enable_shared_from_this<Worker> {
 public:
  /// Of the environment, host and resources are the worker's own.
  Worker(std::shared_ptr<Host> host, std::shared_ptr<Peers> peers, TaskEnvironment environment, KernelLookup kernels,
         std::shared_ptr<Outbox> outbox, WorkerOptions options);
  ~Worker();

  // From masters; `from` is the task that sent it.
  void register_partition(std::uint32_t from, RegisterPartition message);
  void deregister(const Deregister& message);
  void start_step(std::uint32_t from, StartStep message);
  void feed_step(FeedStep message);
  void abort_step(const AbortStep& message);
  void stop_repeat(const StopRepeat& message);
  void end_session(const EndWorkerSession& message);

  // From workers.
  void on_data(std::uint32_t from, Data message);
  void on_refused(std::uint32_t from, const Refused& message);
  void on_edge_ack(const EdgeAck& message);
  void on_announce(std::uint32_t from, const Announce& message);
  void on_request_body(std::uint32_t from, const RequestBody& message);

  /// Fails the steps that need that task; begins the lease of sessions whose master it was.
  void on_peer_lost(std::uint32_t task, const Status& why);
  /// Memory for a body of a Data message: only for a registered edge of a known session and within the memory limit.
  Body body_buffer(SessionId session, HandleId handle, std::uint32_t edge, std::uint64_t bytes);
  /// Fails all steps and forgets all sessions.
  void stop();

  /// Counts for tests: nothing of a finished step may stay.
  struct Counts {
    std::size_t sessions = 0, handles = 0, open_steps = 0, early_values = 0, held_bodies = 0;
    std::uint64_t body_bytes = 0;
  };
  Counts counts() const;
  /// The task's own resources; those of isolated sessions are apart.
  ResourceManager& resources() noexcept { return resources_; }

 private:
  friend class detail::WorkerRun;
  using Session = detail::WorkerSession;
  using Run = detail::WorkerRun;
  using Registration = detail::WorkerRegistration;

  std::shared_ptr<Session> find(SessionId id) const;
  /// Null where the session has ended meanwhile.
  std::shared_ptr<Session> find_or_make(const RegisterPartition& message, std::uint32_t from);
  void compile(std::uint32_t from, const std::shared_ptr<Session>& session, RegisterPartition message);
  void open_links(std::uint32_t from, const std::shared_ptr<Session>& session,
                  const std::shared_ptr<Registration>& registration);
  void drop(SessionId id, const Status& why);
  std::vector<std::shared_ptr<Session>> all_sessions() const;
  void touch(Session& session);

  // For runs.
  void send_data(Session& session, std::uint32_t peer, Data& data);
  void acknowledge(const Run& run, StepId done);
  /// Bodies were consumed: gives window and memory back and asks for what had no room.
  void give_back(const detail::Consumed& consumed);
  /// Asks for the bodies that step `step`, which has begun, waits for.
  void grant_for(Session& session, StepId step);
  bool has_room(std::uint32_t from, std::uint64_t bytes) const;

  const std::shared_ptr<Host> host_;
  const std::shared_ptr<Peers> peers_;
  ResourceManager resources_;
  TaskEnvironment environment_;
  Ref<TaskFunctions> functions_;
  const KernelLookup kernels_;
  const std::shared_ptr<Outbox> outbox_;
  const WorkerOptions options_;
  std::atomic<std::uint64_t> body_bytes_{0};
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::unordered_map<SessionId, std::shared_ptr<Session>> sessions_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/worker_session.ipp>
#include <dgraph/cluster/impl/worker.ipp>
#endif
