#pragma once
// RealHost: the Host with a clock, a driver and a pool of threads, shared by the transports of real processes.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph::detail {
class HostCore;
}

namespace dgraph::transport {

struct HostOptions {
  /// Threads of the pool, started when they are first needed; 0 = one for each core.
  std::size_t compute_threads = 0;
  /// How long a waiting driver polls and yields before it sleeps; zero = it sleeps at once. Adapts downwards by itself.
  Duration poll_window = std::chrono::microseconds(100);
};

/// What a host has done so far, for tests and for logs.
struct HostCounters {
  std::uint64_t events = 0;         ///< messages, connections, timers and posted tasks handled by a driver
  std::uint64_t sleeps = 0;         ///< times that a driver went to sleep
  std::uint64_t wakeups = 0;        ///< times that a driver woke up from its sleep
  std::uint64_t keeper_turns = 0;   ///< times that the host took over because nobody drove
  std::uint64_t keeper_checks = 0;  ///< times that the host's own thread woke up to see whether it must take over
  std::size_t threads = 0;          ///< threads that the host has now: its own driver and the pool
};

/// Costs nothing until it is used: threads, and what waits for sockets, are made at first need. Destroying it joins its
/// threads, closes every link and listener made with it and drops, unrun, what is queued; handlers are released without a
/// call. May be destroyed from inside one of its own tasks. It must outlive calls on it, not its links.
class RealHost final : public Host {
 public:
  explicit RealHost(HostOptions options = {});
  ~RealHost() override;
  RealHost(const RealHost&) = delete;
  RealHost& operator=(const RealHost&) = delete;

  Time now() const override;
  TimerId after(Duration delay, Task task) override;
  void cancel(TimerId timer) override;
  void post(Task task) override;
  void compute(Task task) override;
  std::size_t compute_threads() const override;
  /// `until` may be called while another thread runs tasks of the driver: what it reads needs an atomic or a lock.
  bool drive(FunctionRef<bool()> until, Time deadline) override;
  std::shared_ptr<void> hold_driver() override;
  bool on_driver() const override;
  std::uint64_t random_id() override;

  HostCounters counters() const;
  const std::shared_ptr<detail::HostCore>& core() const noexcept { return core_; }

 private:
  std::shared_ptr<detail::HostCore> core_;
};

}  // namespace dgraph::transport

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/real_host.ipp>
#endif
