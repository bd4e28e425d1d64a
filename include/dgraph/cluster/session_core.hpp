#pragma once
// SessionCore: a client's session without types: definitions, waiting, errors with the user's lines.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/cluster/master_link.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

/// How one run goes; give it first: `session.run({.deadline = 1s}, loss)`.
struct RunOptions {
  Duration deadline = kNoDeadline;     ///< from the call on; then DeadlineExceeded. Not given: the session's default
  std::uint64_t repeat = 1;            ///< steps in a row: feeds are sent once, the last step's values return (D9)
  bool trace = false;                  ///< record each node's times in the metadata
  RunMetadata* metadata = nullptr;     ///< filled where given: partitions, placements, messages, times
  std::uint64_t* completed = nullptr;  ///< filled where given: steps completed by all tasks, also after an error
};

/// How a step goes whose feeds and fetches come in parts.
struct PartialOptions {
  Duration lease = std::chrono::minutes(1);  ///< it ends where no part came for as long
};

struct SessionOptions {
  SessionConfig config;
  Duration connect_deadline = std::chrono::seconds(10);  ///< for reaching the master; the default deadline where that is shorter
  Duration close_deadline = std::chrono::seconds(2);     ///< for its farewell
  std::size_t threads = 0;                               ///< of an embedded session, for costly kernels; 0: one a core
};

/// A signature that was checked and given a number.
class StepDefinition {
 public:
  StepDefinition(DefineStep d) : definition(std::move(d)) {}
  const DefineStep definition;
};

/// A step whose feeds and fetches come in parts.
struct PartialStep {
  std::shared_ptr<const StepDefinition> definition;
  SessionId session = 0;  ///< the session at the master, as the link knows it
  StepId step = 0;
};

/// Every call is safe from any thread.
class SessionCore {
 public:
  /// Opens the session: throws Unavailable where nobody is at the target by the connect deadline.
  SessionCore(std::shared_ptr<GraphCore> graph, std::shared_ptr<Host> host, std::shared_ptr<MasterLink> link,
              SessionOptions options);
  /// Closes, if need be.
  ~SessionCore();
  SessionCore(const SessionCore&) = delete;
  SessionCore& operator=(const SessionCore&) = delete;

  GraphCore& graph() noexcept { return *graph_; }
  /// The number of a signature; throws InvalidArgument for nodes of another graph and for feeds given twice.
  std::shared_ptr<const StepDefinition> define(std::span<const Output> feeds, std::span<const Output> fetches,
                                               std::span<const Output> targets);
  /// Runs it and waits. Throws Error; feeds must fit their placeholders' dtypes and shapes (InvalidArgument).
  std::vector<Tensor> run(const StepDefinition& definition, std::vector<Tensor> feeds, const RunOptions& options);
  /// A number for `start`, by which the run can be cancelled.
  std::uint64_t next_request() noexcept { return next_request_.fetch_add(1, std::memory_order_relaxed); }
  using OnRun = Function<void(const Status&, std::vector<Tensor>)>;
  /// Begins a run; `done` is called once, maybe inside this call or on the driver. What options point to must stay until then.
  void start(std::uint64_t request, const StepDefinition& definition, std::vector<Tensor> feeds, const RunOptions& options,
             OnRun done);
  /// That run ends with Cancelled, if it goes on.
  void cancel(std::uint64_t request) { link_->cancel(request); }
  /// Begins a step in parts, gives some of its feeds and takes some of its fetches, ends it. See Session.
  std::shared_ptr<PartialStep> begin_partial(std::shared_ptr<const StepDefinition> definition, const PartialOptions& options);
  std::vector<Tensor> run_partial(const PartialStep& step, const std::vector<std::pair<Output, Tensor>>& feeds,
                                  const std::vector<Output>& fetches, const RunOptions& options);
  void end_partial(const PartialStep& step) noexcept;
  /// Asks the repeated runs that go on now to end early; they return as if they had been shorter.
  void stop_repeat();
  /// Full names of the devices of the cluster.
  std::vector<std::string> list_devices();
  /// Empties these containers, or all, on all tasks of the cluster.
  void reset(const std::vector<std::string>& containers);
  /// Cancels what runs and ends the session; waits no longer than the close deadline. Later runs throw FailedPrecondition.
  void close();

 private:
  struct Waiting;
  void await(const std::shared_ptr<Waiting>& waiting, Time deadline, const char* what);
  RunStep make_request(std::uint64_t number, const StepDefinition& definition, std::vector<Tensor> feeds,
                       const RunOptions& options) const;
  Duration deadline_of(const RunOptions& options) const;

  const std::shared_ptr<GraphCore> graph_;
  const std::shared_ptr<Host> host_;
  const std::shared_ptr<MasterLink> link_;
  const SessionOptions options_;
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> next_request_{1};
  std::mutex mutex_;
  std::uint64_t next_definition_ = 1;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const StepDefinition>> definitions_;  // by hash
  std::vector<std::uint64_t> repeating_;  // requests
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/session_core.ipp>
#endif
