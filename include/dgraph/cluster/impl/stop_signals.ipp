#pragma once
#include <dgraph/cluster/stop_signals.hpp>

#include <sys/time.h>
#include <unistd.h>

#include <chrono>

namespace dgraph {
namespace detail {

// Only what is allowed in a signal handler.
DGRAPH_DECL void end_process_now(int) {
  constexpr char line[] = "W still busy: the process ends without waiting for what is running\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, sizeof line - 1);
  ::_exit(0);
}

DGRAPH_DECL void set_alarm_timer(Duration delay) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(delay).count();
  itimerval timer{};
  timer.it_value.tv_sec = us / 1'000'000;
  timer.it_value.tv_usec = us % 1'000'000;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace detail

DGRAPH_DECL StopSignals::StopSignals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &old_pipe_);
  struct sigaction end {};
  end.sa_handler = &detail::end_process_now;
  ::sigaction(SIGALRM, &end, &old_alarm_);
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals_, &old_mask_);
}

DGRAPH_DECL StopSignals::~StopSignals() {
  detail::set_alarm_timer(Duration::zero());
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  ::sigaction(SIGALRM, &old_alarm_, nullptr);
  ::sigaction(SIGPIPE, &old_pipe_, nullptr);
}

DGRAPH_DECL int StopSignals::wait() {
  int signal = 0;
  while (::sigwait(&signals_, &signal) != 0) {
  }
  return signal;
}

DGRAPH_DECL void StopSignals::end_process_after(Duration delay) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  detail::set_alarm_timer(delay);
}

}  // namespace dgraph
