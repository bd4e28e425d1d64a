#pragma once
// StopSignals: waits for SIGTERM and SIGINT in the thread that made it, and bounds how long the end
// may take.

#include <csignal>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph {

/// One at a time in a process. Threads made after it do not get the signals; those made before (by
/// libraries) may, and then pass them on. Also keeps SIGPIPE from ending the process. Going, it
/// restores what it changed.
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
  sigset_t old_mask_;
  struct sigaction old_term_, old_int_, old_pipe_, old_alarm_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/stop_signals.ipp>
#endif
