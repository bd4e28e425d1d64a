#include <dgraph/cluster/stop_signals.hpp>

#include "support/catch.hpp"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace {

using namespace dgraph;
using namespace std::chrono_literals;

// The code that `body` ends a process of its own with, 128 + n for signal n. What hangs is caught
// by the test's time limit.
int code_of(const std::function<int()>& body) {
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    // Not the test library's handler.
    ::signal(SIGTERM, SIG_DFL);
    ::_exit(body());
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_CASE("a signal that came before is not lost") {
  for (const int number : {SIGTERM, SIGINT}) {
    CHECK(code_of([number] {
            StopSignals signals;
            ::kill(::getpid(), number);
            return signals.wait() == number ? 7 : 1;
          }) == 7);
  }
}

TEST_CASE("a signal that a thread of a library takes is passed on") {
  CHECK(code_of([] {
          // Made before and with nothing blocked, as a library's own are.
          std::promise<void> end;
          std::thread other([&end] { end.get_future().wait(); });
          StopSignals signals;
          ::kill(::getpid(), SIGTERM);
          const int number = signals.wait();
          end.set_value();
          other.join();
          return number == SIGTERM ? 7 : 1;
        }) == 7);
}

TEST_CASE("an end that takes too long is cut short, with code 0") {
  CHECK(code_of([] {
          StopSignals signals;
          signals.end_process_after(20ms);
          for (;;) ::pause();
          return 1;
        }) == 0);
}

TEST_CASE("an end in time is not cut short, and the signals are what they were") {
  CHECK(code_of([] {
          {
            StopSignals signals;
            signals.end_process_after(10s);
          }
          itimerval timer{};
          ::getitimer(ITIMER_REAL, &timer);
          if (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) return 3;
          sigset_t mask;
          ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
          if (sigismember(&mask, SIGTERM)) return 1;
          ::kill(::getpid(), SIGTERM);
          return 2;
        }) == 128 + SIGTERM);
}

TEST_CASE("a broken pipe does not end the process") {
  CHECK(code_of([] {
          StopSignals signals;
          int ends[2];
          if (::pipe(ends) != 0) return 1;
          ::close(ends[0]);
          return ::write(ends[1], "x", 1) == -1 && errno == EPIPE ? 5 : 2;
        }) == 5);
}

}  // namespace
