#pragma once
#include <dgraph/kernels/waiting.hpp>

#include <algorithm>

namespace dgraph::detail {

DGRAPH_DECL void finish(WaitingOp& op) {
  if (op.cancel_id != 0) op.context->services().forget_cancel(op.cancel_id);
  KernelDone done = std::move(op.done);
  done(std::move(op.status));
}

DGRAPH_DECL void call_finished(WaitingOps finished) {
  constexpr std::size_t kInline = 4;
  static thread_local bool inside = false;
  struct Inside {
    Inside() { inside = true; }
    ~Inside() { inside = false; }
  };
  for (std::size_t i = finished.size(); i-- > (inside ? 0 : std::min(kInline, finished.size()));) {
    KernelServices& services = finished[i]->context->services();
    services.post([op = std::move(finished[i])] { finish(*op); });
    finished.pop_back();
  }
  if (finished.empty()) return;
  const Inside here;
  for (const std::shared_ptr<WaitingOp>& op : finished) finish(*op);
}

DGRAPH_DECL void watch_cancel(KernelServices& services, std::mutex& mutex, WaitingOp& op,
                              Task cancel) {
  {
    std::lock_guard lock(mutex);
    if (op.finished) return;
  }
  const std::uint64_t id = services.on_cancel(std::move(cancel));
  if (id == 0) return;
  {
    std::lock_guard lock(mutex);
    if (!op.finished) {
      op.cancel_id = id;
      return;
    }
  }
  services.forget_cancel(id);
}

}  // namespace dgraph::detail
