#include "graphs/runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <dgraph/cluster/session.hpp>
#include <dgraph/interop/tensorflow_graph.hpp>
#include <dgraph/kernels/standard_table.hpp>
#include <dgraph/runtime/step_plan.hpp>
#include <dgraph/transport/tcp.hpp>

#include "conformance/values.hpp"
#include "support/process.hpp"

namespace graphs {
namespace {

namespace fs = std::filesystem;
using conformance::Json;
using conformance::Tolerance;
using dgraph::Output;
using dgraph::Tensor;
using Graph = dgraph::BasicGraph<dgraph::StandardOps>;

constexpr std::chrono::seconds kStepLimit{60};

/// Names of files in feeds are relative to a workload's folder, and its steps may write there: a copy is the current folder
/// until this goes.
class FolderCopy {
 public:
  explicit FolderCopy(const fs::path& folder) : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "dgraph_graphs_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    copy_ = name;
    fs::copy(folder, copy_, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(copy_))
      fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
    fs::permissions(copy_, fs::perms::owner_all, fs::perm_options::add);
    fs::current_path(copy_);
  }
  ~FolderCopy() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
    fs::remove_all(copy_, ignored);
  }
  FolderCopy(const FolderCopy&) = delete;
  FolderCopy& operator=(const FolderCopy&) = delete;

 private:
  fs::path before_, copy_;
};

std::string error_text(const dgraph::Error& error) { return std::string("error ") + error.what(); }

class WorkloadRun {
 public:
  WorkloadRun(const Workload& workload, const RunnerOptions& options)
      : workload_(workload), options_(options) {}

  std::vector<Failure> run() {
    guarded("import", "the graph", [&] { import(); });
    if (!failures_.empty()) return std::move(failures_);
    if (workload_.spec.contains("entry_points"))
      place_only();
    else
      run_steps();
    return std::move(failures_);
  }

 private:
  void guarded(const std::string& what, const std::string& expected,
               const std::function<void()>& action) {
    try {
      action();
    } catch (const dgraph::Error& error) {
      failures_.push_back({what, expected, error_text(error)});
    } catch (const std::exception& error) {
      failures_.push_back({what, expected, std::string("exception: ") + error.what()});
    }
  }

  void import() {
    dgraph::GraphDef def = workload_.graph;
    if (options_.server.empty() && !workload_.spec.contains("entry_points"))
      for (dgraph::NodeDef& node : def.nodes) node.device.clear();
    dgraph::import_tensorflow_graph(graph_, std::move(def));
  }

  void run_steps() {
    const FolderCopy folder(workload_.folder);
    std::optional<dgraph::test::ServerCluster> servers;
    std::shared_ptr<void> owner;
    dgraph::SessionCore* core = nullptr;
    const auto keep = [&](auto session) {
      core = &session->core();
      owner = std::move(session);
    };
    guarded("session", "a session", [&] {
      if (options_.server.empty()) return keep(std::make_shared<dgraph::Session<>>(graph_));
      servers.emplace(options_.server, jobs_of(workload_));
      const auto [job, task] = master_of(workload_);
      keep(std::make_shared<dgraph::Session<dgraph::transport::Tcp>>(
          graph_, servers->target(servers->position(job, task))));
    });
    if (!core) return;
    session_ = core;

    const Json& spec = workload_.spec;
    guarded("init", "success", [&] { run_step({{"targets", spec.value("init", Json::array())}}); });
    std::size_t number = 0;
    for (const Json& step : spec["steps"]) check_step("step " + std::to_string(++number), step);
    if (const Json final = spec.value("final", Json::object()); !final.empty()) {
      Json last{{"fetches", Json::array()}, {"expect", final}};
      for (const auto& [name, value] : final.items()) last["fetches"].push_back(name);
      for (const char* key : {"rtol", "atol"})
        if (!spec["steps"].empty() && spec["steps"].back().contains(key))
          last[key] = spec["steps"].back()[key];
      check_step("final", last);
    }
    check_placements();
  }

  std::vector<Tensor> run_step(const Json& step) {
    dgraph::GraphCore& graph = graph_.core();
    std::vector<Output> fed, fetches, targets;
    std::vector<Tensor> values;
    const Json feeds = step.value("feeds", Json::object());
    for (const auto& [name, value] : feeds.items()) {
      fed.push_back(graph.output(name));
      values.push_back(conformance::read_tensor(value));
    }
    for (const Json& name : step.value("fetches", Json::array()))
      fetches.push_back(graph.output(name.get<std::string>()));
    for (const Json& name : step.value("targets", Json::array()))
      targets.push_back(graph.output(name.get<std::string>()));
    dgraph::RunMetadata metadata;
    const auto definition = session_->define(fed, fetches, targets);
    auto out = session_->run(*definition, std::move(values),
                             {.deadline = kStepLimit, .metadata = &metadata});
    for (const dgraph::Placement& placement : metadata.placements)
      placed_[placement.node].insert(placement.device);
    return out;
  }

  void check_step(const std::string& what, const Json& step) {
    const std::string error = step.value("error", "");
    const std::string expected = error.empty() ? "success" : "error " + error;
    std::vector<Tensor> got;
    try {
      got = run_step(step);
    } catch (const dgraph::Error& thrown) {
      if (error != dgraph::code_name(thrown.code()))
        failures_.push_back({what, expected, error_text(thrown)});
      return;
    } catch (const std::exception& thrown) {
      failures_.push_back({what, expected, std::string("exception: ") + thrown.what()});
      return;
    }
    if (!error.empty()) return failures_.push_back({what, expected, "success"});
    const Tolerance tolerance{step.value("rtol", 0.0), step.value("atol", 0.0)};
    std::size_t i = 0;
    for (const Json& fetch : step.value("fetches", Json::array())) {
      const auto name = fetch.get<std::string>();
      const Tensor& value = got.at(i++);
      if (!step["expect"].contains(name)) continue;
      const Tensor want = conformance::read_tensor(step["expect"][name]);
      if (const auto where = conformance::difference(want, value, tolerance)) {
        failures_.push_back({what + ", " + name, conformance::to_text(want),
                             *where + " differs: " + conformance::to_text(value)});
        return;
      }
    }
  }

  // Every node of TensorFlow's partitions that ran here ran on the same device; constants may have been copied to where they
  // are used.
  void check_placements() {
    if (options_.server.empty() || !workload_.spec.contains("placements")) return;
    std::map<std::string, std::set<std::string>> wanted, copies;
    for (const auto& [node, device] : workload_.spec["placements"].items())
      wanted[node].insert(device.get<std::string>());
    for (const dgraph::NodeDef& node : workload_.graph.nodes)
      for (const std::string& input : node.inputs)
        if (const auto source = wanted.find(input);
            source != wanted.end() && wanted.count(node.name))
          if (graph_.core().output(input).op_type() == "Const")
            copies[input].insert(wanted[node.name].begin(), wanted[node.name].end());
    const Json copied = workload_.spec.value("copied_constants", Json::object());
    for (const auto& [node, devices] : copied.items())
      for (const Json& device : devices) copies[node].insert(device.get<std::string>());
    for (const auto& [node, devices] : copies) wanted[node].insert(devices.begin(), devices.end());
    plan_all(wanted);
    for (const auto& [node, devices] : wanted) {
      const auto placed = placed_.find(node);
      if (placed == placed_.end()) {
        failures_.push_back({"placement of " + node, join(devices), "no placement"});
      } else if (!std::includes(devices.begin(), devices.end(), placed->second.begin(),
                                placed->second.end())) {
        failures_.push_back({"placement of " + node, join(devices), join(placed->second)});
      }
    }
  }

  // What no step ran, or a pass left out, is planned all the same.
  void plan_all(const std::map<std::string, std::set<std::string>>& nodes) {
    dgraph::PlanOptions options = cluster();
    options.config.optimizer_level = 0;
    dgraph::StepSignature signature;
    for (const auto& [node, devices] : nodes)
      signature.targets.push_back(graph_.core().output(node).node_id());
    const auto plan = dgraph::plan_step(graph_.shared_core(), graph_.size(), signature, options);
    for (const dgraph::Placement& placement : plan.placements)
      placed_[placement.node].insert(placement.device);
  }

  static std::string join(const std::set<std::string>& devices) {
    std::string out;
    for (const std::string& device : devices) out += (out.empty() ? "" : " or ") + device;
    return out;
  }

  // The workload's cluster, for planning without it.
  dgraph::PlanOptions cluster() const {
    dgraph::PlanOptions options;
    const auto master = master_of(workload_);
    for (const auto& [job, count] : jobs_of(workload_))
      for (int task = 0; task < count; ++task) {
        if (std::pair(job, task) == master)
          options.master = static_cast<std::uint32_t>(options.tasks.size());
        dgraph::TaskDevices devices;
        devices.task =
            dgraph::DeviceSpec::parse("/job:" + job + "/replica:0/task:" + std::to_string(task));
        devices.devices = {dgraph::DeviceSpec::parse(devices.task.to_string() + "/device:CPU:0")};
        options.tasks.push_back(std::move(devices));
      }
    options.kernels = &dgraph::find_standard_kernel;
    return options;
  }

  // Plans a step for each entry point; whatever names a task is to be there.
  void place_only() {
    const dgraph::PlanOptions options = cluster();
    for (const auto& [key, value] : workload_.spec["entry_points"].items())
      guarded("placing " + key, "a plan", [&] { place_entry(value, options); });
  }

  void place_entry(const Json& names, const dgraph::PlanOptions& options) {
    dgraph::StepSignature signature;
    for (const Json& name : names.is_array() ? names : Json::array({names})) {
      const Output output = graph_.core().output(name.get<std::string>());
      if (name.get<std::string>().find(':') == std::string::npos)
        signature.targets.push_back(output.node_id());
      else
        signature.fetches.push_back(output.endpoint());
    }
    const auto plan = dgraph::plan_step(graph_.shared_core(), graph_.size(), signature, options);
    for (const dgraph::Placement& placement : plan.placements) {
      const dgraph::NodeId id = graph_.core().find(placement.node);
      if (id == dgraph::kNoNode) continue;
      const dgraph::Node& node = graph_.core().node(id);
      // Constants are copied to where they are used.
      if (!node.device || node.colocation || node.is("Const") ||
          node.device->spec.matches(dgraph::DeviceSpec::parse(placement.device)))
        continue;
      failures_.push_back({"placement of " + placement.node, node.device->text, placement.device});
    }
  }

  const Workload& workload_;
  const RunnerOptions& options_;
  Graph graph_;
  dgraph::SessionCore* session_ = nullptr;
  std::map<std::string, std::set<std::string>> placed_;
  std::vector<Failure> failures_;
};

}  // namespace

std::vector<Failure> run_workload(const Workload& workload, const RunnerOptions& options) {
  try {
    return WorkloadRun(workload, options).run();
  } catch (const std::exception& error) {
    return {{"run", "a run", std::string("exception: ") + error.what()}};
  }
}

}  // namespace graphs
