#include "graphs/workload.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <dgraph/base/device.hpp>
#include <dgraph/interop/tensorflow_graph.hpp>

namespace graphs {

namespace fs = std::filesystem;

std::vector<fs::path> find_workloads(const std::vector<std::string>& paths) {
  std::vector<fs::path> out;
  const auto is_workload = [](const fs::path& folder) {
    return fs::exists(folder / "case.json") && fs::exists(folder / "graph.pb");
  };
  for (const std::string& text : paths) {
    fs::path path = fs::absolute(text).lexically_normal();
    if (!fs::is_directory(path)) path = path.parent_path();
    if (is_workload(path)) {
      out.push_back(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path))
      if (is_workload(entry.path())) found.push_back(entry.path());
    if (found.empty()) throw std::runtime_error("no graph.pb with a case.json in " + text);
    std::sort(found.begin(), found.end());
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

Workload read_workload(const fs::path& folder) {
  Workload out;
  out.folder = folder;
  std::ifstream file(folder / "case.json");
  out.spec = nlohmann::json::parse(file);
  out.name = out.spec.value("name", folder.filename().string());
  out.graph = dgraph::load_tensorflow_graph((folder / "graph.pb").string());
  return out;
}

std::vector<std::pair<std::string, int>> jobs_of(const Workload& workload) {
  if (!workload.spec.contains("cluster")) return {{"worker", 1}};
  std::vector<std::pair<std::string, int>> out;
  for (const auto& [job, count] : workload.spec["cluster"].items())
    out.emplace_back(job, count.get<int>());
  return out;
}

std::pair<std::string, int> master_of(const Workload& workload) {
  const auto device =
      dgraph::DeviceSpec::parse(workload.spec.value("master", "/job:worker/task:0"));
  return {device.job.value_or("worker"), static_cast<int>(device.task.value_or(0))};
}

}  // namespace graphs
