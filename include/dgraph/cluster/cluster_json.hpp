#pragma once
// Cluster files and TF_CONFIG: a ClusterSpec out of JSON. Reading needs nlohmann-json, in
// cluster_json.ipp alone.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/cluster/cluster_spec.hpp>

namespace dgraph {

/// Reads {"ps": ["host:port", ...], "worker": {"0": "host:port", "37": "host:port"}}, or the same
/// under the key "cluster". Throws InvalidArgument for text that is no JSON or no cluster (says
/// where), what ClusterSpec throws, and Unimplemented where the library was built without
/// nlohmann-json.
ClusterSpec cluster_from_json(std::string_view text);

/// What TF_CONFIG says.
struct TfConfig {
  ClusterSpec cluster;
  std::string job;  ///< empty where it names no task
  std::int32_t task = 0;
};

/// Reads {"cluster": {...}, "task": {"type": "ps", "index": 1}}, the format of TensorFlow's
/// TF_CONFIG; "task" may be missing, an index may be a number or its text, and other keys are
/// ignored. Throws as `cluster_from_json`, and NotFound for a task that the cluster does not have.
TfConfig read_tf_config(std::string_view text);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/cluster_json.ipp>
#endif
