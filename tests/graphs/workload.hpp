#pragma once
// A workload: a graph that TensorFlow made, what to run of it and what TensorFlow computed.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/graph/graph_def.hpp>
#include <nlohmann/json.hpp>

namespace graphs {

struct Workload {
  std::filesystem::path folder;
  std::string name;
  nlohmann::json spec;  ///< case.json
  dgraph::GraphDef graph;
};

/// The workloads of these folders: each holds graph.pb and case.json, or folders that do; a path to one of these files stands
/// for its folder. Throws where there is none.
std::vector<std::filesystem::path> find_workloads(const std::vector<std::string>& paths);

/// Throws dgraph::Error or std::exception for files that are none.
Workload read_workload(const std::filesystem::path& folder);

/// The jobs of its cluster and how many tasks each has; {"worker", 1} where it has none.
std::vector<std::pair<std::string, int>> jobs_of(const Workload& workload);
/// The task whose server the session talks to: job and number.
std::pair<std::string, int> master_of(const Workload& workload);

}  // namespace graphs
