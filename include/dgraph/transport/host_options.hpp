#pragma once
// HostOptions: what a real host can be told; HostCounters: what it tells.

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <dgraph/base/host.hpp>

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

}  // namespace dgraph::transport
