#pragma once
// TaskFunctions: the functions that kernels of a task call, each run as a small step of its own.

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <dgraph/graph/function_body.hpp>
#include <dgraph/kernels/task_services.hpp>
#include <dgraph/runtime/compiled_partition.hpp>
#include <dgraph/runtime/plan_types.hpp>
#include <dgraph/runtime/step_execution.hpp>

namespace dgraph {

class TaskFunctions final : public TaskServices {
 public:
  /// The host and the resources outlive it.
  TaskFunctions(TaskEnvironment environment, KernelLookup kernels);
  DGRAPH_DECL void compute(Task work) override;
  DGRAPH_DECL Ref<CalledFunction> bind(const Tensor& function) override;
  DGRAPH_DECL std::uint64_t random_id() override;
  bool stopped() const noexcept override { return stopped_.load(std::memory_order_relaxed); }
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  const TaskEnvironment& environment() const noexcept { return environment_; }

 private:
  TaskEnvironment environment_;
  KernelLookup kernels_;
  std::atomic<bool> stopped_{false};
};

namespace detail {

/// A bound function: one partition, and executions of it that are used again and again.
class BoundFunction final : public CalledFunction {
 public:
  BoundFunction(Ref<TaskFunctions> task, StepPlan plan, KernelLookup kernels, std::string name,
                std::vector<DType> arguments);
  DGRAPH_DECL void call(std::vector<Tensor> arguments, Done done) override;

 private:
  // One call: its execution, and who waits for it. Kept for the next call.
  struct Run final : StepListener {
    BoundFunction* function = nullptr;
    Ref<BoundFunction> hold;  // while it runs
    std::shared_ptr<StepExecution> execution;
    std::vector<Tensor> arguments;
    Done done;
    StepId steps = 0;
    void send(StepExecution&, const PartitionEdge&, std::span<const std::uint64_t>, bool, Tensor) override {}
    void turn_ended(StepExecution&) override {}
    DGRAPH_DECL bool finished(StepExecution& step, const Status& status) override;
  };
  std::vector<Tensor> results(Run& run, const Status& status) const;

  Ref<TaskFunctions> task_;
  StepPlan plan_;
  std::string name_;
  std::vector<DType> argument_dtypes_;
  NodeStates states_;
  std::shared_ptr<const CompiledPartition> partition_;  // null where nothing is computed
  std::mutex mutex_;
  std::vector<std::unique_ptr<Run>> spare_;
};

}  // namespace detail
}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/task_functions.ipp>
#endif
