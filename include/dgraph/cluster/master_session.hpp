#pragma once
// What a master keeps of a session: its definitions, their plans and registrations, its open steps. Used by Master alone.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <dgraph/cluster/master.hpp>

namespace dgraph {

// A run that waits for its partitions to be registered, then for its step.
struct Master::Start {
  RunStep request;
  OnRunDone done;
  Time deadline = kNever;
  Time limit = kNever;  // absent tasks are waited for until then
  TimerId timer = 0;    // of the deadline, while it waits
  bool cancelled = false;
  bool partial = false;
  Duration lease = kNoDeadline;  // of a partial one
};

// A (feeds, fetches, targets) signature and what was made of it.
struct Master::Handle {
  enum class State : std::uint8_t { New, Preparing, Ready };
  HandleId id = 0;
  State state = State::New;
  StepPlan plan;                          // set once
  bool planned = false;
  StepSignature signature;
  std::vector<std::uint32_t> tasks;       // by partition
  std::vector<PeerTask> remote;           // with the incarnations to register with
  std::vector<bool> acknowledged;         // by partition, while Preparing
  Status failed;
  Time limit{};                           // of the start that is being prepared for
  std::vector<std::shared_ptr<Start>> waiting;

  bool involves(std::uint32_t task) const { return std::find(tasks.begin(), tasks.end(), task) != tasks.end(); }
  std::size_t partition_of(std::uint32_t task) const {
    return static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), task) - tasks.begin());
  }
};

// What a partial step has beside a whole one. Guarded by the session's mutex.
struct Master::Parts {
  struct Ask {
    std::uint64_t request = 0;
    std::vector<std::uint32_t> fetches;
    OnRunDone done;
    TimerId timer = 0;
  };
  Duration lease = kNoDeadline;
  TimerId lease_timer = 0;
  std::vector<bool> fed, asked;  // by feed and fetch of the signature
  std::vector<Ask> asks;         // parts that wait for fetches
  bool over = false;
  Status status;
};

struct Master::Step {
  StepId id = 0;
  std::uint64_t repeat = 1, request = 0;
  std::shared_ptr<Handle> handle;
  OnRunDone done;
  std::vector<Tensor> feeds;
  std::vector<std::vector<Tensor>> fetches;  // by partition
  std::vector<StepId> last;                  // by partition: last step completed
  std::vector<bool> replied;
  std::vector<StepId> stop_at;               // answers to a stop request, by partition
  std::size_t left = 0;
  Status status;
  std::string waiting;                       // what tasks were waiting for when the deadline passed
  std::vector<NodeTiming> timings;
  std::uint64_t messages = 0;
  std::uint8_t trace = 0;
  TimerId deadline_timer = 0, grace_timer = 0;
  bool stopping = false;
  std::unique_ptr<Parts> parts;              // of a partial step
};

class Master::Session {
 public:
  explicit Session(SessionId number) : id(number) {}
  const SessionId id;
  SessionConfig config;
  std::shared_ptr<GraphCore> graph;
  std::mutex graph_mutex;  // of `extend`
  mutable std::mutex mutex;
  bool closed = false;
  Status ended;   // the server was reset: not to be opened anew by the client
  Status broken;  // an extension failed
  StepId next_step = 1;
  HandleId next_handle = 1;
  std::unordered_map<std::uint64_t, StepSignature> definitions;
  std::unordered_map<std::uint64_t, std::shared_ptr<Handle>> handles;  // by definition
  std::map<StepId, std::shared_ptr<Step>> open;
  std::map<StepId, std::shared_ptr<Step>> partial;  // until their clients or leases end them
  std::map<std::uint32_t, std::shared_ptr<void>> keep_alives;
  std::map<std::uint32_t, std::uint64_t> incarnations;  // of the tasks that were used
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/master.ipp>
#include <dgraph/cluster/impl/master_partial.ipp>
#include <dgraph/cluster/impl/master_session.ipp>
#endif
