#pragma once
#include <dgraph/cluster/cluster_json.hpp>

#include <charconv>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define DGRAPH_DETAIL_HAS_JSON 1
#endif

namespace dgraph {

#if defined(DGRAPH_DETAIL_HAS_JSON)
namespace detail {

DGRAPH_DECL nlohmann::json parse_cluster_json(std::string_view text) {
  // Keys that come twice are an error here, where the library would take the last.
  std::vector<std::vector<std::string>> open;
  const auto check = [&open](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    if (event == nlohmann::json::parse_event_t::object_start) open.emplace_back();
    if (event == nlohmann::json::parse_event_t::object_end) open.pop_back();
    if (event == nlohmann::json::parse_event_t::key) {
      auto key = parsed.get<std::string>();
      for (const std::string& seen : open.back()) {
        if (seen == key) fail(Code::InvalidArgument, "the key \"", key, "\" is there twice");
      }
      open.back().push_back(std::move(key));
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text.begin(), text.end(), check);
  } catch (const nlohmann::json::exception& error) {
    fail(Code::InvalidArgument, "this is no JSON: ", error.what());
  }
}

// A whole number, or the text of one.
DGRAPH_DECL std::int32_t json_index(const nlohmann::json& value, std::string_view where) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= 0 && number <= std::numeric_limits<std::int32_t>::max())
      return static_cast<std::int32_t>(number);
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= 0) return number;
  }
  fail(Code::InvalidArgument, where, " is no task index: ", value.dump(-1, ' ', true));
}

DGRAPH_DECL std::string json_address(const nlohmann::json& value, std::string_view job) {
  if (!value.is_string()) {
    fail(Code::InvalidArgument, "an address in job ", job,
         " is no string: ", value.dump(-1, ' ', true));
  }
  return value.get<std::string>();
}

DGRAPH_DECL ClusterSpec cluster_of_json(const nlohmann::json& root) {
  if (!root.is_object()) {
    fail(Code::InvalidArgument,
         "a cluster is a JSON object of jobs, as in {\"ps\": [\"host:port\"]}");
  }
  std::map<std::string, JobTasks> jobs;
  for (const auto& [job, tasks] : root.items()) {
    std::map<std::int32_t, std::string> by_index;
    if (tasks.is_array()) {
      for (const auto& address : tasks)
        by_index.emplace(static_cast<std::int32_t>(by_index.size()), json_address(address, job));
    } else if (tasks.is_object()) {
      for (const auto& [index, address] : tasks.items())
        if (!by_index.emplace(json_index(index, "a key of job " + job), json_address(address, job))
                 .second)
          fail(Code::InvalidArgument, "task ", index, " of job ", job, " is there twice");
    } else {
      fail(Code::InvalidArgument, "job ", job,
           " is neither a list of addresses nor an object of them by task index");
    }
    jobs.emplace(job, std::move(by_index));
  }
  return ClusterSpec(jobs);
}

// The object under "cluster" unless that is a job.
DGRAPH_DECL const nlohmann::json& cluster_part(const nlohmann::json& root) {
  if (!root.is_object()) return root;
  const auto cluster = root.find("cluster");
  if (cluster == root.end() || !cluster->is_object()) return root;
  // A job named cluster has addresses where the other has jobs.
  for (const auto& job : *cluster) {
    if (job.is_string()) return root;
  }
  return *cluster;
}

}  // namespace detail

DGRAPH_DECL ClusterSpec cluster_from_json(std::string_view text) {
  const nlohmann::json root = detail::parse_cluster_json(text);
  return detail::cluster_of_json(detail::cluster_part(root));
}

DGRAPH_DECL TfConfig read_tf_config(std::string_view text) {
  const nlohmann::json root = detail::parse_cluster_json(text);
  if (!root.is_object() || !root.contains("cluster"))
    fail(Code::InvalidArgument, "TF_CONFIG has no \"cluster\"");
  TfConfig config;
  config.cluster = detail::cluster_of_json(root["cluster"]);
  if (const auto task = root.find("task"); task != root.end()) {
    if (!task->is_object() || !task->contains("type") || !(*task)["type"].is_string()) {
      fail(Code::InvalidArgument, "\"task\" of TF_CONFIG is no object with \"type\" and \"index\"");
    }
    config.job = (*task)["type"].get<std::string>();
    if (task->contains("index"))
      config.task = detail::json_index((*task)["index"], "\"index\" of TF_CONFIG");
    config.cluster.position(config.job, config.task);
  }
  return config;
}

#else

DGRAPH_DECL ClusterSpec cluster_from_json(std::string_view) {
  fail(Code::Unimplemented, "dgraph was built without nlohmann-json, which reads JSON");
}

DGRAPH_DECL TfConfig read_tf_config(std::string_view) {
  fail(Code::Unimplemented, "dgraph was built without nlohmann-json, which reads TF_CONFIG");
}

#endif

}  // namespace dgraph
