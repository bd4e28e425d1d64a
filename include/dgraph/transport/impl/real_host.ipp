#pragma once
#include <dgraph/transport/real_host.hpp>

#include <random>
#include <utility>

#include <dgraph/transport/host_core.hpp>

namespace dgraph::transport {

DGRAPH_DECL RealHost::RealHost(HostOptions options) : core_(std::make_shared<detail::HostCore>(options)) {}
DGRAPH_DECL RealHost::~RealHost() { core_->shutdown(); }

DGRAPH_DECL Time RealHost::now() const { return core_->now(); }
DGRAPH_DECL TimerId RealHost::after(Duration delay, Task task) { return core_->after(delay, std::move(task)); }
DGRAPH_DECL void RealHost::cancel(TimerId timer) { core_->cancel(timer); }
DGRAPH_DECL void RealHost::post(Task task) { core_->post(std::move(task)); }
DGRAPH_DECL void RealHost::compute(Task task) { core_->compute(std::move(task)); }
DGRAPH_DECL std::size_t RealHost::compute_threads() const { return core_->compute_threads(); }

DGRAPH_DECL bool RealHost::drive(FunctionRef<bool()> until, Time deadline) {
  // A task may destroy this object while it drives.
  const std::shared_ptr<detail::HostCore> core = core_;
  return core->drive(until, deadline);
}

DGRAPH_DECL std::shared_ptr<void> RealHost::hold_driver() { return core_->hold_driver(); }
DGRAPH_DECL bool RealHost::on_driver() const { return core_->on_driver(); }
DGRAPH_DECL HostCounters RealHost::counters() const { return core_->counters(); }

DGRAPH_DECL std::uint64_t RealHost::random_id() {
  std::random_device device;
  std::uint64_t id = 0;
  while (id == 0) id = (std::uint64_t{device()} << 32) | device();
  return id;
}

}  // namespace dgraph::transport
