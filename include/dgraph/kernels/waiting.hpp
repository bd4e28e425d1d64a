#pragma once
// WaitingOp: an execution of an asynchronous kernel that waits for others: a record, no thread (D8).

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <dgraph/kernels/kernel.hpp>

namespace dgraph::detail {

/// Kept by a resource until it can go on. `finished`, `status` and `cancel_id` are guarded by the resource's lock; once it is
/// finished, they are those of whoever finished it, who hands it to `call_finished`.
struct WaitingOp {
  explicit WaitingOp(KernelContext& c) : context(&c), done(c.take_done()) {}
  virtual ~WaitingOp() = default;

  KernelContext* context;  ///< valid until `done` was called
  KernelDone done;
  Status status;
  bool finished = false;
  std::uint64_t cancel_id = 0;  ///< 0: nothing to forget
};

using WaitingOps = std::vector<std::shared_ptr<WaitingOp>>;

/// Tells the steps of these how they ended; to be called without a lock. Some go on in this thread, the rest in the pool's: a
/// step that goes on may finish others, and those again.
void call_finished(WaitingOps finished);

/// After `op` was left to wait: has `cancel` called once its step is cancelled. `services` are those of its context, which is
/// gone where it has finished meanwhile.
void watch_cancel(KernelServices& services, std::mutex& mutex, WaitingOp& op, Task cancel);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/waiting.ipp>
#endif
