#pragma once
#include <dgraph/cluster/stop_signals.hpp>

#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <initializer_list>

namespace dgraph {
namespace detail {

// A handler has nothing but globals.
inline std::atomic<int> stop_signal{0};
inline sem_t stop_semaphore;

DGRAPH_DECL void note_stop_signal(int number) {
  const int error = errno;
  stop_signal.store(number);
  ::sem_post(&stop_semaphore);
  errno = error;
}

// Only what is allowed in a signal handler.
DGRAPH_DECL void end_process_now(int) {
  constexpr char line[] = "W still busy: the process ends without waiting for what is running\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, sizeof line - 1);
  ::_exit(0);
}

DGRAPH_DECL sigset_t signal_set(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
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
  detail::stop_signal.store(0);
  ::sem_init(&detail::stop_semaphore, 0, 0);
  const auto handle = [](int number, void (*handler)(int), struct sigaction& old) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, &old);
  };
  handle(SIGTERM, &detail::note_stop_signal, old_term_);
  handle(SIGINT, &detail::note_stop_signal, old_int_);
  handle(SIGALRM, &detail::end_process_now, old_alarm_);
  handle(SIGPIPE, SIG_IGN, old_pipe_);
  const sigset_t signals = detail::signal_set({SIGTERM, SIGINT});
  ::pthread_sigmask(SIG_BLOCK, &signals, &old_mask_);
}

DGRAPH_DECL StopSignals::~StopSignals() {
  detail::set_alarm_timer(Duration::zero());
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  ::sigaction(SIGTERM, &old_term_, nullptr);
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGALRM, &old_alarm_, nullptr);
  ::sigaction(SIGPIPE, &old_pipe_, nullptr);
  ::sem_destroy(&detail::stop_semaphore);
}

DGRAPH_DECL int StopSignals::wait() {
  const sigset_t signals = detail::signal_set({SIGTERM, SIGINT});
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  while (::sem_wait(&detail::stop_semaphore) != 0) {
  }
  return detail::stop_signal.load();
}

DGRAPH_DECL void StopSignals::end_process_after(Duration delay) {
  const sigset_t alarm = detail::signal_set({SIGALRM});
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  detail::set_alarm_timer(delay);
}

}  // namespace dgraph
