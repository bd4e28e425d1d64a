// dgraph_bench [case ...]: one JSON line a case, with the names and keys of the peers' scripts; all cases without arguments, but
// for "soak", which takes many minutes.
#include <cstring>
#include <exception>
#include <fstream>

#include <dgraph/server_main.hpp>

#include "bench.hpp"

namespace bench {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"ingraph", step_in_graph}, {"local", step_local},       {"small", chains},     {"graph", graphs},
      {"transfer", transfers},    {"fetch", feed_and_fetch},   {"null", null_steps},  {"startup", startup},
      {"between", between},       {"train", training},         {"kernels", kernels},
      {"loops", loops},        {"soak", soak},
  };
  return all;
}

double rss_mib(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

double cpu_seconds(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  // Fields 14 and 15, counted after the name, which may hold blanks.
  std::size_t at = text.rfind(')');
  for (int i = 0; i < 12; ++i) at = text.find(' ', at + 1);
  char* end = nullptr;
  const double user = std::strtod(text.c_str() + at, &end), system = std::strtod(end, nullptr);
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace bench

int main(int argc, char** argv) try {
  if (argc > 1 && std::strcmp(argv[1], "--job") == 0) return dgraph::server_main<dgraph::transport::Tcp>(argc, argv);
  if (argc > 3 && std::strcmp(argv[1], "--client") == 0)
    return bench::between_client(argv[2], std::atoi(argv[3]));
  for (const bench::Case& one : bench::cases()) {
    bool wanted = argc == 1 && std::strcmp(one.name, "soak") != 0;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::strcmp(argv[i], one.name) == 0;
    if (wanted) one.run();
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "dgraph_bench: %s\n", error.what());
  return 1;
}
