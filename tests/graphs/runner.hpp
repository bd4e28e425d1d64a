#pragma once
// Runs one workload: imports the graph, runs its steps and compares values, errors and placements.

#include <string>
#include <vector>

#include "graphs/workload.hpp"

namespace graphs {

struct RunnerOptions {
  /// The server program: each task of the workload's cluster is a process, and nodes are where their device fields say. Empty:
  /// everything in an embedded session, without device fields.
  std::string server;
};

/// What was expected of a step and what came instead.
struct Failure {
  std::string what, expected, got;
};

/// Nothing where all is as TensorFlow had it. Throws nothing that comes of the workload.
std::vector<Failure> run_workload(const Workload& workload, const RunnerOptions& options);

}  // namespace graphs
