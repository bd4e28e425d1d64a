#pragma once
// Master: plans the steps that clients ask for, registers their partitions with workers and leads each step (D5, D9, D16, D17).

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <dgraph/base/host.hpp>
#include <dgraph/cluster/outbox.hpp>
#include <dgraph/cluster/peers.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/runtime/step_plan.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

struct MasterOptions {
  Duration heartbeat = std::chrono::seconds(2);     ///< how long replies to an abort, and tasks that were there, are waited for
  Duration connect = std::chrono::seconds(10);      ///< how long a task that a step needs may be absent
  std::function<void(std::string_view)> log;        ///< for log_device_placement
};

/// Every call is safe from any thread; answers may come inside the call. Never calls out under a lock.
class Master : public std::enable_shared_from_this<Master> {
 public:
  class Session;
  using OnRunDone = Function<void(RunDone)>;

  Master(std::shared_ptr<Host> host, std::shared_ptr<Peers> peers, KernelLookup kernels, OpLookup ops,
         std::shared_ptr<Outbox> outbox, MasterOptions options);
  ~Master();

  /// A session over a graph that the client shares with this process: it grows by itself.
  /// Throws InvalidArgument for a device filter that is no device name.
  std::shared_ptr<Session> create_session(SessionConfig config, std::shared_ptr<GraphCore> graph);
  /// A session over a graph that comes encoded; throws what decoding throws.
  std::shared_ptr<Session> create_session(SessionConfig config, const GraphDelta& graph);
  std::shared_ptr<Session> find(SessionId id) const;
  static SessionId id_of(const Session& session);

  /// Adds nodes; an error comes with the next run.
  void extend(Session& session, const GraphDelta& graph);
  /// The first definition of a number is the one that counts.
  void define(Session& session, DefineStep definition);
  /// Runs one step, or `repeat` of them. `done` is called exactly once, maybe inside this call. InvalidArgument for feeds that
  /// are not of their outputs' dtypes and static shapes.
  void run(const std::shared_ptr<Session>& session, RunStep request, OnRunDone done);
  /// Begins a step whose feeds and fetches come in parts; `done` gets its number once it has begun.
  void start_partial(const std::shared_ptr<Session>& session, const StartPartial& request, OnRunDone done);
  /// A part of it. InvalidArgument for feeds and fetches that have been or are none, and for fetches that need a feed to come.
  void continue_partial(const std::shared_ptr<Session>& session, ContinuePartial request, OnRunDone done);
  /// Fails the run with Cancelled.
  void cancel(Session& session, std::uint64_t request);
  /// Ends a repeated run after the highest step that any task has begun; it then is a success with `completed` steps.
  void stop_repeat(Session& session, std::uint64_t request);
  /// Fails what runs with `why` and forgets the session, here and on the workers.
  void close_session(SessionId id, const Status& why = errors::Cancelled("the session was closed"));
  /// Ends all sessions but those for a reset of the server: what runs and what is run later fails with Aborted.
  void reset_sessions(const std::vector<SessionId>& but);

  // From workers.
  void on_registered(std::uint32_t from, const Registered& message);
  void on_step_done(std::uint32_t from, StepDone message);
  void on_step_fetched(std::uint32_t from, StepFetched message);
  void on_repeat_progress(std::uint32_t from, const RepeatProgress& message);
  /// Fails the steps that need the task; what is registered there is registered anew when next used.
  void on_peer_lost(std::uint32_t task, const Status& why);
  void stop();

  const TaskList& tasks() const noexcept { return peers_->tasks(); }

 private:
  struct Handle;
  struct Step;
  struct Start;
  struct Parts;

  void begin_run(const std::shared_ptr<Session>& session, RunStep request, OnRunDone done, std::optional<Duration> lease);
  void prepare(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, std::shared_ptr<Start> start);
  void plan(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, const StepSignature& signature,
            Time deadline);
  void connect(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, Time deadline);
  void register_all(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle);
  void acknowledge(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, std::uint32_t task,
                   const Status& status);
  void prepared(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, const Status& failed);
  void begin(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle, Start& start);
  /// The deadline of a start passed before its step began.
  void give_up(const std::shared_ptr<Session>& session, const std::shared_ptr<Handle>& handle,
               const std::shared_ptr<Start>& start);
  /// The task will not reply to this step.
  void lose(Session& session, const std::shared_ptr<Step>& step, std::uint32_t task, const Status& why);
  Status lost(std::uint32_t task) const;
  void fail_step(Session& session, const std::shared_ptr<Step>& step, Status status);
  void finish(Session& session, const std::shared_ptr<Step>& step);
  std::vector<std::shared_ptr<Session>> all_sessions() const;

  // Partial steps.
  void make_partial(const std::shared_ptr<Session>& session, const std::shared_ptr<Step>& step, Duration lease);
  void renew_lease(const std::shared_ptr<Session>& session, const std::shared_ptr<Step>& step);
  void end_partial(Session& session, StepId id, const Status& why);
  static Status check_computable(Session& session, const Step& step, const std::vector<std::uint32_t>& fresh,
                                 const std::vector<std::uint32_t>& fetches);
  static Status take_feeds(Session& session, Step& step, const ContinuePartial& request);
  void feed_parts(const std::shared_ptr<Session>& session, const std::shared_ptr<Step>& step, const ContinuePartial& request);
  void expire_ask(Session& session, Step& step, std::uint64_t request);
  void answer_asks(Session& session, Step& step);
  void finish_partial(Session& session, Step& step, const Status& status);

  const std::shared_ptr<Host> host_;
  const std::shared_ptr<Peers> peers_;
  const KernelLookup kernels_;
  const OpLookup ops_;
  const std::shared_ptr<Outbox> outbox_;
  const MasterOptions options_;
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::unordered_map<SessionId, std::shared_ptr<Session>> sessions_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/master_session.hpp>
#endif
