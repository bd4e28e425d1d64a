// dgraph_graphs: runs graphs that TensorFlow made, step by step, and compares with what TensorFlow computed.

#include <chrono>
#include <cstdio>
#include <exception>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <dgraph/kernels/standard_table.hpp>

#include "graphs/runner.hpp"
#include "graphs/workload.hpp"

namespace {

using namespace graphs;

struct Options {
  std::vector<std::string> paths, only;
  std::string filter;
  bool cluster = false, list_ops = false, verbose = false;
};

bool wanted(const std::string& name, const Options& options) {
  if (!options.only.empty() &&
      std::find(options.only.begin(), options.only.end(), name) == options.only.end())
    return false;
  return options.filter.empty() || std::regex_search(name, std::regex(options.filter));
}

void list_ops(const Workload& workload) {
  std::set<std::string> unknown;
  for (const dgraph::NodeDef& node : workload.graph.nodes)
    if (!dgraph::find_standard_signature(node.op)) unknown.insert(node.op);
  std::printf("%-32s %zu nodes%s", workload.name.c_str(), workload.graph.nodes.size(),
              unknown.empty() ? "" : ", unknown:");
  for (const std::string& op : unknown) std::printf(" %s", op.c_str());
  std::printf("\n");
}

std::vector<Failure> run_folder(const std::filesystem::path& folder, const Options& options,
                                const RunnerOptions& runner) {
  try {
    const Workload workload = read_workload(folder);
    if (!options.list_ops) return run_workload(workload, runner);
    list_ops(workload);
    return {};
  } catch (const std::exception& error) {
    return {{"read", "a workload", error.what()}};
  }
}

int run(const Options& options) {
  RunnerOptions runner;
  if (options.cluster) runner.server = DGRAPH_TEST_SERVER;
  std::size_t passed = 0, failed = 0;
  for (const auto& folder : find_workloads(options.paths)) {
    const std::string name = folder.filename().string();
    if (!wanted(name, options)) continue;
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Failure> failures = run_folder(folder, options, runner);
    for (const Failure& failure : failures) {
      std::printf("%s: %s: expected %s\n", name.c_str(), failure.what.c_str(),
                  failure.expected.c_str());
      std::printf("%s: %s: got %s\n", name.c_str(), failure.what.c_str(), failure.got.c_str());
    }
    ++(failures.empty() ? passed : failed);
    if (options.verbose)
      std::printf("%s %s in %lld ms\n", name.c_str(), failures.empty() ? "passed" : "failed",
                  static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                             std::chrono::steady_clock::now() - begin)
                                             .count()));
    std::fflush(stdout);
  }
  std::printf("%zu passed, %zu failed\n", passed, failed);
  return failed != 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs graphs that TensorFlow made and compares with what TensorFlow computed.");
  app.add_option("path", options.paths,
                 "Folders with graph.pb and case.json, or folders of such folders")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--only", options.only, "The workload of that name; may be given more than once");
  app.add_option("--filter", options.filter,
                 "Only workloads in whose name this regular expression is found");
  app.add_flag("--cluster", options.cluster,
               "On server processes, nodes where their device fields say; else in one process");
  app.add_flag("--list-ops", options.list_ops, "Print the unknown op types; run nothing");
  app.add_flag("--verbose", options.verbose, "Name each workload, with the time it took");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
