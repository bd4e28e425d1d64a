#pragma once
// StepExecution: one step of a partition being run: token counting over frames, dead marks, inline and pooled kernels (D8).

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <dgraph/base/host.hpp>
#include <dgraph/kernels/kernel.hpp>
#include <dgraph/kernels/task_services.hpp>
#include <dgraph/runtime/compiled_partition.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

class StepExecution;

/// What the executions of a task share. Outlives them.
struct TaskEnvironment {
  Host* host = nullptr;
  ResourceManager* resources = nullptr;
  std::string task_name;                                ///< "/job:ps/replica:0/task:0"
  std::string default_container;
  std::function<std::string(std::uint32_t)> name_of_task;  ///< of the cluster's n-th task, for messages; may be empty
  std::function<void(std::string_view)> log;            ///< for the Print op
  OpLookup ops = nullptr;                               ///< what functions that come over the wire are made of
  TaskServices* task = nullptr;                         ///< for kernels that call functions; may be null
};

/// Who a step reports to. Calls come from whichever thread runs the step, one at a time.
class StepListener {
 public:
  virtual ~StepListener() = default;
  /// A value, or a dead mark, for an edge that leaves the task, in those iterations of the loops around it, outermost first.
  /// Batched until `turn_ended`.
  virtual void send(StepExecution& step, const PartitionEdge& edge, std::span<const std::uint64_t> iterations, bool dead,
                    Tensor value) = 0;
  /// A value that is fetched from a partial step.
  virtual void fetched(StepExecution&, std::uint32_t, Tensor) {}
  /// The step pauses or ends: what was sent is to leave now.
  virtual void turn_ended(StepExecution& step) = 0;
  /// All is done, or the first error was met and nothing runs any more. True: the listener called `restart` for another
  /// step. False: it has taken the step over and the caller will not touch it again.
  virtual bool finished(StepExecution& step, const Status& status) = 0;
};

/// Reusable: `prepare`, `run`, then `finished`, then `reset` and `prepare` again. Held by shared_ptr.
class StepExecution final : public KernelServices, public std::enable_shared_from_this<StepExecution> {
 public:
  StepExecution(std::shared_ptr<const CompiledPartition> partition, const TaskEnvironment& environment);
  DGRAPH_DECL ~StepExecution() override;

  /// Makes the next step ready to receive; it does not run before `run`. Feeds by number; those not given stay without a value
  /// and fail who needs them. `trace`: record times. `partial`: feeds not given are waited for, and fetches go one by one.
  void prepare(StepId step, StepListener& listener, std::span<const std::pair<std::uint32_t, Tensor>> feeds,
               bool trace = false, bool partial = false);
  /// A feed of partial step `step`; nothing where that step is over, and for a feed that was given.
  void feed(StepId step, std::uint32_t number, Tensor value);
  /// Runs step `step` until it has to wait or is done, in this thread: on the driver within its budget (D2). Nothing where
  /// that step has ended already.
  void run(StepId step);
  /// From inside `finished`, or after it returned false and before `resume`: the next step with the same feeds.
  void restart(StepId step);
  /// Goes on with a step given to `restart` after `finished` returned false.
  void resume() { run_owned(); }
  /// What came over edge `edge` for step `step` and those iterations of the loops around it; each once. False where that step
  /// is not the one being run, where the edge does not come in here, or has come before.
  bool receive(StepId step, std::uint32_t edge, std::span<const std::uint64_t> iterations, bool dead, Tensor value);
  /// Ends step `step` with this status unless it has failed or ended already.
  void cancel(StepId step, Status status);
  /// Makes it ready for another `prepare`; only after `finished` returned false, by whoever took it over.
  void reset();

  StepId step() const noexcept { return step_; }
  const CompiledPartition& partition() const noexcept { return *partition_; }
  /// The fetched values by number; valid from `finished` until `reset` or `restart`.
  std::vector<Tensor>& fetches() noexcept { return fetches_; }
  std::vector<NodeTiming>& timings() noexcept { return timings_; }

  ResourceManager& resources() override { return *environment_.resources; }
  const std::string& default_container() const override { return environment_.default_container; }
  bool cancelled() const override { return stop_.load(std::memory_order_relaxed); }
  DGRAPH_DECL void parallel(std::size_t shards, FunctionRef<void(std::size_t)> run) override;
  std::size_t threads() const override { return environment_.host->compute_threads(); }
  DGRAPH_DECL void log(std::string_view line) override;
  DGRAPH_DECL std::uint64_t on_cancel(Task cancel) override;
  DGRAPH_DECL bool forget_cancel(std::uint64_t id) override;
  void post(Task task) override { environment_.host->compute(std::move(task)); }
  DGRAPH_DECL TaskServices& task() override;

 private:
  struct Block;
  struct FrameRun;
  struct NodeState {
    std::uint32_t pending = 0;
    std::uint32_t dead_data = 0;  // of a Merge: dead data inputs so far
    std::uint16_t merged = 0;     // of a Merge: 1 + the input that came alive
    bool dead = false;            // some input is dead
    bool fired = false;           // of a Merge
  };
  struct Ready {
    Block* block;
    std::uint32_t node;
  };
  struct Pending {  // a kernel that runs elsewhere
    Block* block = nullptr;
    std::uint32_t node = 0;
    std::vector<Tensor> inputs, outputs;
    std::unique_ptr<KernelContext> context;
    Time began{};
    Status status;
  };
  using Iterations = std::vector<std::uint64_t>;
  struct Received {
    std::uint32_t node;
    bool dead;
    Tensor value;
    Iterations iterations = {};
  };
  using LoopKey = std::pair<std::uint32_t, Iterations>;  // a Recv in a loop, and which iterations

  // Whoever sets owned_ runs the step; others leave what they bring in the inbox. Under the inbox's lock, and only for a step that is
  // open: true where the caller is to run it.
  bool claim();
  void open(StepId step, bool running);
  void run_owned();
  void take_inbox();
  void take_fed(std::vector<std::pair<std::uint32_t, Tensor>> fed);
  bool run_ready();
  bool turn_is_long(int steps, Time& began) const;
  void begin();
  bool conclude();

  void run_node(Ready ready);
  void run_alive(Ready ready, const detail::ExecNode& node, Tensor* inputs);
  void run_kernel(Ready ready, const detail::ExecNode& node, std::span<Tensor> inputs);
  std::shared_ptr<Pending> make_pending(Ready ready, const detail::ExecNode& node, std::span<Tensor> inputs);
  void run_async(Ready ready, const detail::ExecNode& node, std::span<Tensor> inputs);
  void offload(Ready ready, const detail::ExecNode& node, std::span<Tensor> inputs);
  void bring_back(const std::shared_ptr<Pending>& pending, Status status);
  void finish_pending(Pending& pending);
  bool worth_offloading(const detail::ExecNode& node, const KernelContext& context) const;
  void pass_on(Ready ready, Tensor value);
  Iterations iterations_of(const Block* block) const;
  void send(Ready ready, const detail::ExecNode& node, bool dead, Tensor value);
  void await(Ready ready);
  void take_received(Received& received);
  void end_turn();
  void deliver_outputs(Block* block, std::uint32_t node, std::span<Tensor> outputs, std::uint32_t dead_outputs,
                       bool dead);
  void deliver_to_merge(Block* block, const detail::ExecEdge& edge, bool dead, Tensor* value);
  void leave(Block* block);
  void fail_step(Status status);
  void fail_step(Status status, std::uint32_t node);
  void call_cancels(StepId step);
  void note_timing(std::uint32_t node, Time began, std::span<const Tensor> outputs);
  std::string waiting() const;

  Block* new_block(std::uint32_t frame, FrameRun* run, std::uint64_t index);
  void free_block(Block* block);
  FrameRun& child_frame(Block* block, std::uint32_t frame);
  void keep_run(std::unique_ptr<FrameRun> run);
  void enter(Block* block, std::uint32_t node, Tensor value, bool dead);
  void exit(Block* block, std::uint32_t node, Tensor value, bool dead);
  void next_iteration(Block* block, std::uint32_t node, Tensor value, bool dead);
  Block* add_iteration(FrameRun& run);
  void iterations_done(FrameRun& run);

  std::shared_ptr<const CompiledPartition> partition_;
  const TaskEnvironment& environment_;
  StepListener* listener_ = nullptr;
  StepId step_ = 0;
  bool trace_ = false, partial_ = false;
  Time began_{};

  std::atomic<bool> owned_{false};
  std::atomic<bool> stop_{false};  // failed or cancelled
  // Guarded by inbox_mutex_.
  std::mutex inbox_mutex_;
  bool open_ = false;     // between prepare and finished: what comes belongs to a step
  bool running_ok_ = false;  // `run` was called
  std::vector<bool> came_;   // by position among the partition's recvs
  std::vector<Received> inbox_received_;
  std::vector<std::shared_ptr<Pending>> inbox_done_;
  std::vector<std::pair<std::uint32_t, Tensor>> inbox_fed_;
  Status inbox_cancel_;
  // The owner's.
  bool begun_ = false;
  bool turn_open_ = false;  // something was sent since the last turn_ended
  std::vector<Received> taken_received_;
  std::vector<std::shared_ptr<Pending>> taken_done_;
  Block* root_ = nullptr;
  std::vector<std::vector<Block*>> spare_blocks_;  // by frame
  std::vector<std::unique_ptr<FrameRun>> spare_runs_;
  std::vector<Ready> ready_;
  std::vector<Ready> unfed_;  // of a partial step: feeds that are waited for
  std::vector<Tensor> feeds_, fetches_, scratch_;
  std::vector<NodeTiming> timings_;
  std::vector<Pending*> elsewhere_;  // kernels that run on the pool or wait
  // Of Recvs in loops: iterations that wait for a value, and values that came before their iteration.
  std::map<LoopKey, Block*> awaited_;
  std::map<LoopKey, Received> early_;
  Status error_;

  std::mutex cancel_mutex_;
  std::uint64_t next_cancel_ = 1;
  std::map<std::uint64_t, std::pair<StepId, Task>> cancels_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/step_frames.hpp>
#endif
