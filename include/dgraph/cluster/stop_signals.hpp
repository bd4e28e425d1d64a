#pragma once
// StopSignals: waits for SIGTERM and SIGINT in the thread that made it, and bounds how long the end may take.

#include <csignal>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph {

/// To be made in the main thread before any other thread: new threads inherit that the signals wait. One at a time. Also keeps
/// SIGPIPE from ending the process. Going, it restores what it changed.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Returns the number of the signal that came, also of one that came before the call.
  int wait();
  /// Ends the process with code 0 and a line on standard error unless this object goes before.
  void end_process_after(Duration delay);

 private:
  sigset_t signals_;
  sigset_t old_mask_;
  struct sigaction old_pipe_;
  struct sigaction old_alarm_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/stop_signals.ipp>
#endif
