#pragma once
// SimOptions: how a simulated network behaves; SimDeath: how a task of it dies.

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <dgraph/base/host.hpp>

namespace dgraph::transport {

struct SimOptions {
  /// A frame is under way for a time between these, drawn for each; order on a link is kept all the same.
  Duration min_delay = std::chrono::microseconds(5);
  Duration max_delay = std::chrono::microseconds(200);
  /// Posted tasks and tasks of the pool start after up to these.
  Duration max_post_delay = std::chrono::microseconds(2);
  Duration max_compute_delay = std::chrono::microseconds(50);
  /// Bytes a second on each direction of a link, on top of the delay; 0 = without bound.
  double bandwidth = 1e9;
  /// What `Host::compute_threads` says.
  std::size_t compute_threads = 2;
  /// Events after which `drive` throws ResourceExhausted: something goes round in circles.
  std::uint64_t max_events = 50'000'000;
};

enum class SimDeath {
  Noticed,  ///< its links close: the other sides see Unavailable after the usual delay
  Silent,   ///< the machine vanished: the others see nothing until a new incarnation answers their frames with a reset
};

}  // namespace dgraph::transport
