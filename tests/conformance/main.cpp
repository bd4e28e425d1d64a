// dgraph_conformance: runs vectors of TensorFlow's results, op by op.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "conformance/cases.hpp"
#include "conformance/runner.hpp"

namespace {

using namespace conformance;

struct Options {
  std::vector<std::string> paths;
  std::string filter;
  bool list_ops = false, summary = false;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  RunnerOptions runner;
};

struct Tally {
  std::size_t cases = 0, failed = 0;
};

/// All of them, `jobs` at once; failures in the order of the cases.
std::vector<std::optional<Failure>> run_all(const std::vector<Case>& cases,
                                            const Options& options) {
  std::vector<std::optional<Failure>> out(cases.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < cases.size();) out[i] = run_case(cases[i], options.runner);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return out;
}

void list_ops(const std::vector<Case>& cases) {
  std::map<std::string, std::size_t> ops;
  for (const Case& one : cases)
    for (const std::string& op : one.ops) ++ops[op];
  for (const auto& [op, count] : ops)
    std::printf("%-40s %5zu cases  %s\n", op.c_str(), count, is_known(op) ? "known" : "unknown");
}

void print_summary(const std::vector<Case>& cases,
                   const std::vector<std::optional<Failure>>& failures) {
  std::map<std::string, Tally> ops;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const std::string& op : cases[i].ops) {
      ++ops[op].cases;
      ops[op].failed += failures[i].has_value();
    }
  for (const auto& [op, tally] : ops)
    std::printf("%-40s %5zu passed %5zu failed%s\n", op.c_str(), tally.cases - tally.failed,
                tally.failed, is_known(op) ? "" : "  unknown");
}

int run(const Options& options) {
  std::vector<Case> cases = read_cases(options.paths);
  if (!options.filter.empty()) {
    const std::regex filter(options.filter);
    std::erase_if(cases, [&](const Case& one) { return !std::regex_search(one.name, filter); });
  }
  if (options.list_ops) {
    list_ops(cases);
    return 0;
  }
  const auto failures = run_all(cases, options);
  std::size_t failed = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!failures[i]) continue;
    ++failed;
    std::printf("%s: expected %s\n", cases[i].name.c_str(), failures[i]->expected.c_str());
    std::printf("%s: got %s\n", cases[i].name.c_str(), failures[i]->got.c_str());
  }
  if (options.summary) print_summary(cases, failures);
  std::printf("%zu passed, %zu failed\n", cases.size() - failed, failed);
  return failed != 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Runs vectors of TensorFlow's results: builds each op by name, runs it and compares.");
  app.add_option("path", options.paths, "Files of JSON lines, or folders of *.jsonl")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--filter", options.filter,
                 "Only cases in whose name this regular expression is found");
  app.add_flag("--list-ops", options.list_ops,
               "Print the op types of the cases and whether they are known; run nothing");
  app.add_flag("--summary", options.summary, "Print what passed and failed of each op type");
  app.add_option("--jobs", options.jobs, "Cases at once")->check(CLI::Range(1u, 1024u));
  app.add_option("--target", options.runner.target,
                 "A server that runs them, tcp://host:port; else an embedded session");
  const std::map<std::string, InputKind> kinds = {
      {"fed", InputKind::Fed}, {"unknown", InputKind::Unknown}, {"constant", InputKind::Constant}};
  app.add_option("--inputs", options.runner.inputs,
                 "Inputs are fed, fed without a known shape, or constant")
      ->transform(CLI::CheckedTransformer(kinds));
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
