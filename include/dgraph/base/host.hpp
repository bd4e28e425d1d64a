#pragma once
// Host: time and threads, as everything below the transports sees them. A real host has a clock, a driver
// and a pool; the simulated one has virtual time and runs everything in one thread (D1, D2, D29).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <dgraph/base/function.hpp>

namespace dgraph {

using Duration = std::chrono::nanoseconds;
/// Monotonic time since an origin of the host's own; never compared between hosts.
using Time = std::chrono::nanoseconds;

/// No deadline.
inline constexpr Time kNever = Time::max();

/// Names a timer of `Host::after`; 0 names none.
using TimerId = std::uint64_t;

/// Every call is safe from any thread unless it says otherwise. Tasks must not throw.
class Host {
 public:
  virtual ~Host() = default;

  virtual Time now() const = 0;

  /// Runs `task` on the driver once `delay` has passed.
  virtual TimerId after(Duration delay, Task task) = 0;
  /// A cancelled task does not start any more; one that runs already is not waited for.
  virtual void cancel(TimerId timer) = 0;

  /// Runs `task` on the driver soon, in the order of the calls; wakes whoever drives.
  virtual void post(Task task) = 0;

  /// Runs `task` on the pool (which has at least one thread, or is `drive` itself where time is virtual).
  virtual void compute(Task task) = 0;
  /// Threads of the pool; at least 1.
  virtual std::size_t compute_threads() const = 0;

  /// Makes this thread the driver (or waits while another is) until `until()` holds or `deadline` passes.
  /// `until` is called by this thread after each message, timer and posted task, and must be cheap.
  /// Returns what `until()` last gave. Must not be called from inside a task of the driver.
  virtual bool drive(FunctionRef<bool()> until, Time deadline) = 0;

  /// While the returned token lives, the host drives itself with a thread of its own (a server does so); calls of
  /// `drive` then sleep until `until()` holds. Without a token whoever is inside `drive` is the driver, and a real
  /// host takes over by itself when nobody has driven for 2 ms. Nothing to do where time is virtual: an empty token.
  virtual std::shared_ptr<void> hold_driver() = 0;

  /// True in a thread that is running a task of the driver or is inside `drive`.
  virtual bool on_driver() const = 0;

  /// 64 bits that nobody can guess (in a simulation: drawn from its seed), never 0.
  virtual std::uint64_t random_id() = 0;
};

}  // namespace dgraph
