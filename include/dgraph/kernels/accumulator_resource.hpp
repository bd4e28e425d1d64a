#pragma once
// AccumulatorResource: gradients added up, dense or of some rows, and the executions that wait to take them.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/kernels/accumulate.hpp>
#include <dgraph/kernels/resource.hpp>
#include <dgraph/kernels/waiting.hpp>

namespace dgraph {

/// What an accumulator is made with.
struct AccumulatorOptions {
  std::string op_type, name;
  DType dtype = DType::Float32;
  PartialShape shape;
  bool sparse = false;
  bool mean = true;  ///< else the sum
};

/// All calls are safe from any thread.
class AccumulatorResource final : public Resource {
 public:
  explicit AccumulatorResource(AccumulatorOptions options);

  std::string_view kind() const override { return "accumulator"; }
  /// Throws InvalidArgument naming what differs where the accumulator is not what these options say.
  void check_same(const AccumulatorOptions& wanted) const;
  /// Wakes all that wait, with Aborted.
  void abandon() override;

  std::int64_t accumulated() const;
  void set_step(std::int64_t step);
  /// Adds a gradient of that step, unless that is a step of the past. Throws InvalidArgument for other dtypes and shapes.
  void apply(std::int64_t step, Tensor gradient);
  /// The same of rows; `shape`: what is known of the whole.
  void apply_rows(std::int64_t step, const Tensor& indices, Tensor values,
                  const PartialShape& shape);
  /// Sets the outputs once `required` gradients are there: an asynchronous kernel's whole work.
  void take(KernelContext& c, std::int64_t required);

 private:
  struct Attempt final : detail::WaitingOp {
    Attempt(KernelContext& c, std::int64_t n) : WaitingOp(c), required(n) {}
    std::int64_t required;
  };

  void cancel(const std::shared_ptr<Attempt>& attempt);
  // Under the lock.
  void advance(detail::WaitingOps& finished);
  void give(KernelContext& c);
  void check_gradient(const Tensor& value, const PartialShape& shape) const;
  void add_rows(const Tensor& indices, Tensor values);
  // Calls `add` under the lock unless the step is past, and serves those who wait.
  void apply_if_fresh(std::int64_t step, FunctionRef<void()> add);

  const AccumulatorOptions options_;
  const detail::RowSum sum_;
  mutable std::mutex mutex_;
  std::int64_t step_ = 0, count_ = 0;
  Tensor total_;                          // or the rows
  std::vector<std::int64_t> rows_;        // whose they are
  std::vector<std::int64_t> row_counts_;  // how many gradients had each
  std::deque<std::shared_ptr<Attempt>> takes_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/accumulator_resource.ipp>
#endif
