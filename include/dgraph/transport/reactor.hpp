#pragma once
// Reactor: what a driver polls and sleeps in; Watch: one file descriptor in it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph::detail {

/// Told on the driver what can be done with a descriptor.
class WatchHandler {
 public:
  virtual ~WatchHandler() = default;
  /// Returns whether anything came of it. May be called although nothing is ready.
  virtual bool on_readable() = 0;
  virtual void on_writable() {}
  /// The host goes, and nothing else will be called. Once this returns the descriptor is closed: no thread may use it.
  virtual void on_abandoned() {}
};

/// A non-blocking descriptor that a reactor watches for reading, and owns. From any thread.
class Watch {
 public:
  virtual ~Watch() = default;
  /// Calls on_writable once when the descriptor takes more.
  virtual void want_write() = 0;
  /// Ends the watch, releases the handler and closes the descriptor, which must not be used by another thread any more.
  virtual void close() = 0;
  /// The same, but leaves the descriptor open and gives it back; -1 if the watch has ended already.
  virtual int release() = 0;
};

/// The bytes of a sockaddr.
using SocketAddress = std::vector<std::byte>;

class Reactor {
 public:
  /// Called after each event; true ends the call that it was given to.
  using AfterEvent = FunctionRef<bool()>;

  virtual ~Reactor() = default;

  /// Driver only: handles what is ready. Returns whether anything was.
  virtual bool poll(AfterEvent after_event) = 0;
  /// Driver only: sleeps until something is ready, `wake` is called or `until` comes, and handles the first of it. Calls
  /// `awake` after the sleep and before anything is handled. Returns whether anything was.
  virtual bool wait(Time until, FunctionRef<void()> awake, AfterEvent after_event) = 0;
  /// From any thread: ends the current or the next `wait`.
  virtual void wake() = 0;

  /// From any thread. Takes the descriptor over, also if it throws. One that is `busy` is polled by itself after it had
  /// something.
  virtual std::shared_ptr<Watch> watch(int descriptor, bool busy, std::shared_ptr<WatchHandler> handler) = 0;
  /// From any thread: resolves a name without blocking; `done` is called on the driver.
  virtual void resolve(const std::string& host, std::uint16_t port,
                       Function<void(const Status&, std::vector<SocketAddress>)> done) = 0;
  /// Watches and resolutions there are: reasons to keep a driver.
  virtual std::size_t busy() const = 0;
};

}  // namespace dgraph::detail
