#pragma once
// RealHost: the Host with a clock, a driver and a pool of threads, shared by the transports of real processes.

#include <cstddef>
#include <cstdint>
#include <memory>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/transport/host_options.hpp>

namespace dgraph::detail {
class HostCore;
}

namespace dgraph::transport {

/// Costs nothing until it is used: threads, and what waits for sockets, are made at first need. Destroying it joins its
/// threads, closes every link and listener made with it and drops, unrun, what is queued; handlers are released without a
/// call. May be destroyed from inside one of its own tasks. It must outlive calls on it, not its links.
class RealHost final : public Host {
 public:
  explicit RealHost(HostOptions options = {});
  DGRAPH_DECL ~RealHost() override;
  RealHost(const RealHost&) = delete;
  RealHost& operator=(const RealHost&) = delete;

  DGRAPH_DECL Time now() const override;
  DGRAPH_DECL TimerId after(Duration delay, Task task) override;
  DGRAPH_DECL void cancel(TimerId timer) override;
  DGRAPH_DECL void post(Task task) override;
  DGRAPH_DECL void compute(Task task) override;
  DGRAPH_DECL std::size_t compute_threads() const override;
  /// `until` may be called while another thread runs tasks of the driver: what it reads needs an atomic or a lock.
  DGRAPH_DECL bool drive(FunctionRef<bool()> until, Time deadline) override;
  DGRAPH_DECL std::shared_ptr<void> hold_driver() override;
  DGRAPH_DECL bool on_driver() const override;
  DGRAPH_DECL std::uint64_t random_id() override;

  HostCounters counters() const;
  const std::shared_ptr<detail::HostCore>& core() const noexcept { return core_; }

 private:
  std::shared_ptr<detail::HostCore> core_;
};

}  // namespace dgraph::transport

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/real_host.ipp>
#endif
