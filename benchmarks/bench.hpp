#pragma once
// What the cases share: timed loops, one JSON line a case, and real server processes (this program again).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "../tests/support/process.hpp"

namespace bench {

using Clock = std::chrono::steady_clock;

inline double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Rate and latencies of a repeated call, with the keys that the peers' scripts print.
struct Timing {
  double per_s = 0, p50_us = 0, p99_us = 0;
  std::size_t runs = 0;
};

/// Calls `run` for about `seconds`, after `warmup` calls that do not count.
template <class Run>
Timing timed(Run run, double seconds = 2.0, int warmup = 20, std::size_t most = 200'000) {
  for (int i = 0; i < warmup; ++i) run();
  std::vector<double> us;
  const auto begin = Clock::now();
  while (us.size() < most) {
    const auto one = Clock::now();
    run();
    us.push_back(microseconds_since(one));
    if (microseconds_since(begin) > seconds * 1e6 && us.size() >= 3) break;
  }
  const double total = microseconds_since(begin);
  std::sort(us.begin(), us.end());
  return {static_cast<double>(us.size()) / total * 1e6, us[us.size() / 2],
          us[std::min(us.size() - 1, us.size() * 99 / 100)], us.size()};
}

/// One line: {"peer": ..., "case": ..., ...}. Values are numbers or JSON text.
class Report {
 public:
  explicit Report(const std::string& name, const std::string& peer = "dgraph")
      : line_("{\"peer\": \"" + peer + "\", \"case\": \"" + name + "\"") {}
  Report& add(const char* key, double value) {
    char text[64];
    std::snprintf(text, sizeof text, ", \"%s\": %.6g", key, value);
    line_ += text;
    return *this;
  }
  Report& add(const Timing& timing) {
    add("per_s", timing.per_s).add("p50_us", timing.p50_us).add("p99_us", timing.p99_us);
    return add("runs", static_cast<double>(timing.runs));
  }
  ~Report() {
    std::printf("%s}\n", line_.c_str());
    std::fflush(stdout);
  }

 private:
  std::string line_;
};

/// Asking another process for that many bytes and getting them, over a bare loopback socket.
Timing bare_transfer(std::size_t bytes);
/// VmRSS of a process in MiB.
double rss_mib(pid_t pid = ::getpid());
/// CPU seconds that a process has used.
double cpu_seconds(pid_t pid);

/// Servers in processes of their own: this program with a server's command line.
class Cluster : public dgraph::test::ServerCluster {
 public:
  explicit Cluster(std::vector<std::pair<std::string, int>> jobs)
      : ServerCluster("/proc/self/exe", std::move(jobs), {"--log-level", "error"}) {}
};

/// A case by name; `run` prints its lines.
struct Case {
  const char* name;
  void (*run)();
};
/// In the order in which they run when none is named.
const std::vector<Case>& cases();

void step_in_graph();
void step_local();
void chains();
void graphs();
void transfers();
void feed_and_fetch();
void null_steps();
void startup();
void between();
void training();
void kernels();
void loops();
void soak();
/// The client process of `between`.
int between_client(const std::string& spec, int task);

}  // namespace bench
