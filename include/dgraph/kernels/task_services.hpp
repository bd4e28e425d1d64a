#pragma once
// TaskServices: what kernels use beyond the end of a step: the pool, and functions of the graph that they call.

#include <cstdint>
#include <memory>
#include <vector>

#include <dgraph/base/buffer.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/tensor.hpp>

namespace dgraph {

/// A function of the graph, planned and bound in this task.
class CalledFunction : public Counted {
 public:
  using Done = Function<void(Status, std::vector<Tensor>)>;
  /// Runs it once, in this thread as far as it does not wait; `done` is called exactly once, from any thread, maybe before this
  /// returns. Calls may overlap.
  virtual void call(std::vector<Tensor> arguments, Done done) = 0;
};

/// Outlives steps and sessions; every call is safe from any thread.
class TaskServices : public Counted {
 public:
  /// Runs `work` on the pool.
  virtual void compute(Task work) = 0;
  /// Binds the function in an attribute's value. Throws InvalidArgument where it holds none, and what planning throws.
  virtual Ref<CalledFunction> bind(const Tensor& function) = 0;
  virtual std::uint64_t random_id() = 0;
  /// The task ends: what has no end of its own is to end.
  virtual bool stopped() const noexcept = 0;
};

}  // namespace dgraph
