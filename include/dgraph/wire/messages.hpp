#pragma once
// The messages of the protocol between client, master and workers, as plain data (D5, D9, D16, D17).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/base/error.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/base/tensor.hpp>
#include <dgraph/graph/core.hpp>
#include <dgraph/wire/partition_def.hpp>

namespace dgraph {

/// 64 random bits: many masters share a worker and nothing orders them.
using SessionId = std::uint64_t;
/// Numbered by a session's master, rising from 1.
using StepId = std::uint64_t;
/// A registered (feeds, fetches, targets) signature of a session.
using HandleId = std::uint64_t;

/// No deadline, for durations that cross as time left.
inline constexpr Duration kNoDeadline = Duration::max();

/// First byte of a head.
enum class MessageType : std::uint8_t {
  // The link itself (D18). 3 to 9 are kept for authentication.
  Hello = 1,
  Welcome = 2,
  Heartbeat = 10,
  Credit = 11,
  // Client and master.
  CreateSession = 20,
  SessionCreated = 21,
  ExtendSession = 22,
  DefineStep = 23,
  RunStep = 24,
  RunDone = 25,
  CancelRun = 26,
  CloseSession = 27,
  SessionClosed = 28,
  Reset = 29,
  ResetDone = 30,
  ListDevices = 31,
  DeviceList = 32,
  StartPartial = 33,
  ContinuePartial = 34,
  // Master and worker.
  RegisterPartition = 40,
  Registered = 41,
  Deregister = 42,
  StartStep = 43,
  StepDone = 44,
  AbortStep = 45,
  StopRepeat = 46,
  RepeatProgress = 47,
  EndWorkerSession = 48,
  FeedStep = 49,
  StepFetched = 50,
  // Worker and worker.
  Data = 60,
  Refused = 61,
  EdgeAck = 62,
  Announce = 63,
  RequestBody = 64,
};

/// Rewritings of a step's graph before it runs. None changes a result, nor the names in errors and traces.
struct GraphPasses {
  bool fold_constants = true;        ///< what depends on constants and static shapes alone is computed once
  bool merge_common = true;          ///< equal expressions are computed once
  bool remove_identities = true;     ///< Identities and NoOps go
  bool remove_dead_branches = true;  ///< branches that a constant predicate never takes go
};

struct SessionConfig {
  bool isolate_state = false;           ///< variables of this session are its own
  std::uint8_t optimizer_level = 1;     ///< 0: no graph passes
  GraphPasses passes = {};              ///< those that are on, above level 0
  Duration default_deadline = kNoDeadline;
  std::vector<std::string> device_filters;  ///< partial device names; empty: all tasks
  bool allow_soft_placement = false;
  bool log_device_placement = false;
};

/// A graph's nodes from one version to another, encoded (see wire/graph_codec.hpp).
struct GraphDelta {
  std::uint64_t from = 0, to = 0;
  std::vector<std::byte> bytes;
  std::vector<Body> bodies;  ///< large constants, shared with the graph
};

struct CreateSession {
  std::uint64_t request = 0;
  SessionConfig config;
  GraphDelta graph;
};
struct SessionCreated {
  std::uint64_t request = 0;
  SessionId session = 0;
  Status status;
};
/// Not answered: what is wrong with it comes with the next RunDone.
struct ExtendSession {
  SessionId session = 0;
  GraphDelta graph;
};
/// Not answered, likewise. The number is the client's choice.
struct DefineStep {
  SessionId session = 0;
  std::uint64_t definition = 0;
  std::vector<Endpoint> feeds, fetches;
  std::vector<NodeId> targets;
};
struct RunStep {
  SessionId session = 0;
  std::uint64_t request = 0;
  std::uint64_t definition = 0;
  Duration deadline = kNoDeadline;  ///< time left
  std::uint64_t repeat = 1;
  std::uint8_t trace = 0;           ///< 0 none, 1 partitions and placement, 2 also each node's times
  std::vector<Tensor> feeds;        ///< in the order of the definition
};

/// Where a node was put and why.
struct Placement {
  std::string node, op_type, device, reason;
};
struct NodeTiming {
  std::string node, op_type, device;
  std::int64_t start_ns = 0, end_ns = 0;  ///< since the step's start on that task
  std::uint64_t output_bytes = 0;
};
struct RunMetadata {
  std::vector<std::string> partitions;  ///< the tasks that took part
  std::vector<Placement> placements;
  std::vector<NodeTiming> nodes;
  std::uint64_t messages = 0;           ///< that this step sent between tasks and client (2 + 2P + E)
};
struct RunDone {
  std::uint64_t request = 0;
  Status status;
  StepId step = 0;                      ///< the (last) step's number; 0: none, and where Aborted the session is to be opened anew
  std::uint64_t completed = 0;          ///< steps completed by all tasks (repeat)
  std::vector<Tensor> fetches;
  RunMetadata metadata;
};
struct CancelRun {
  SessionId session = 0;
  std::uint64_t request = 0;
  bool clean = false;  ///< of a repeated run: end after the highest step that any task has begun, as a success
};
/// Begins a step whose feeds and fetches come in parts (D30); RunDone tells its number once it has begun.
struct StartPartial {
  SessionId session = 0;
  std::uint64_t request = 0;
  std::uint64_t definition = 0;
  Duration lease = kNoDeadline;  ///< the step ends where no part came for as long
};
/// A part of it: feeds and fetches by their number in the definition; RunDone brings the fetches. `end`: there is no other part.
struct ContinuePartial {
  SessionId session = 0;
  std::uint64_t request = 0;
  StepId step = 0;
  Duration deadline = kNoDeadline;
  bool end = false;
  std::vector<std::uint32_t> feed_numbers;
  std::vector<Tensor> feeds;
  std::vector<std::uint32_t> fetches;
};
struct CloseSession {
  std::uint64_t request = 0;
  SessionId session = 0;
};
struct SessionClosed {
  std::uint64_t request = 0;
  Status status;
};
/// Empties containers (all where the list is empty) on every task; `forward` asks the receiving task to tell the others.
struct Reset {
  std::uint64_t request = 0;
  bool forward = false;
  std::vector<std::string> containers;
};
struct ResetDone {
  std::uint64_t request = 0;
  Status status;
};
struct ListDevices {
  std::uint64_t request = 0;
};
struct DeviceList {
  std::uint64_t request = 0;
  Status status;
  std::vector<std::string> devices;
};

/// A task that a partition exchanges data with.
struct PeerTask {
  std::uint32_t task = 0;
  std::string address;
  std::uint64_t incarnation = 0;
};
struct RegisterPartition {
  SessionId session = 0;
  HandleId handle = 0;
  SessionConfig config;
  std::uint32_t master = 0;  ///< task of the master
  std::vector<PeerTask> peers;
  PartitionDef partition;
};
struct Registered {
  SessionId session = 0;
  HandleId handle = 0;
  Status status;
};
struct Deregister {
  SessionId session = 0;
  HandleId handle = 0;
};
struct EndWorkerSession {
  SessionId session = 0;
};
struct StartStep {
  SessionId session = 0;
  HandleId handle = 0;
  StepId step = 0;    ///< the first of `repeat` numbers
  StepId floor = 0;   ///< the oldest step of the session that is still open
  std::uint64_t repeat = 1;
  Duration deadline = kNoDeadline;  ///< time left
  std::uint8_t trace = 0;
  bool partial = false;  ///< feeds not given come later, by FeedStep, and fetches go as they are there, by StepFetched
  std::vector<std::pair<std::uint32_t, Tensor>> feeds;  ///< (number, value)
};
/// Feeds of a partial step, by their numbers in the partition.
struct FeedStep {
  SessionId session = 0;
  StepId step = 0;
  std::vector<std::uint32_t> numbers;
  std::vector<Tensor> feeds;
};
/// A fetch of a partial step, by its number in the partition.
struct StepFetched {
  SessionId session = 0;
  StepId step = 0;
  std::uint32_t number = 0;
  Tensor value;
};
struct StepDone {
  SessionId session = 0;
  StepId step = 0;      ///< of the start
  StepId last = 0;      ///< last step that this task completed; step - 1 for none
  Status status;
  std::vector<Tensor> fetches;
  std::vector<NodeTiming> timings;
  std::uint64_t messages = 0;
};
struct AbortStep {
  SessionId session = 0;
  StepId step = 0;
  Status status;
};
/// Asks a repeating task to end after step `last`; 0: to tell where it is, by RepeatProgress with `stopping`.
struct StopRepeat {
  SessionId session = 0;
  StepId step = 0;
  StepId last = 0;
};
struct RepeatProgress {
  SessionId session = 0;
  StepId step = 0;
  StepId last = 0;
  bool stopping = false;
};

/// One value or dead mark for one edge.
struct DataEntry {
  StepId step = 0;
  std::uint32_t edge = 0;
  std::vector<std::uint64_t> iterations;  ///< of the frames around the edge, outermost first; empty at the root
  bool dead = false;
  Tensor value;                           ///< none for a dead mark or an edge of control only
  std::uint64_t body_bytes = 0;           ///< set by decoding: bytes of its body, for Channel::consumed
  bool refused = false;                   ///< set by decoding: `body_buffer` gave no memory, so there is no value
};
/// What a task sends one peer in one turn.
struct Data {
  SessionId session = 0;
  HandleId handle = 0;
  std::vector<DataEntry> entries;
};
/// The data's session or handle is not known here: fails the sender's step with Aborted.
struct Refused {
  SessionId session = 0;
  HandleId handle = 0;
  StepId step = 0;
  std::string why;
};
/// Repeat: steps up to `step` of a paced edge were consumed.
struct EdgeAck {
  SessionId session = 0;
  HandleId handle = 0;
  std::uint32_t edge = 0;
  StepId step = 0;
};
/// A body that does not fit the receiver's window waits at the sender (D6).
struct Announce {
  SessionId session = 0;
  HandleId handle = 0;
  StepId step = 0;
  std::uint32_t edge = 0;
  std::vector<std::uint64_t> iterations;
  std::uint64_t bytes = 0;
};
struct RequestBody {
  SessionId session = 0;
  HandleId handle = 0;
  StepId step = 0;
  std::uint32_t edge = 0;
  std::vector<std::uint64_t> iterations;
};

}  // namespace dgraph
