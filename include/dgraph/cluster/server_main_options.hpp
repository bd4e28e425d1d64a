#pragma once
// The command line of a server program, read with CLI11 in server_main_options.ipp alone.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <dgraph/base/config.hpp>
#include <dgraph/cluster/cluster_spec.hpp>
#include <dgraph/cluster/log.hpp>

namespace dgraph {

/// What `server_main` was told.
struct ServerMainOptions {
  ClusterSpec cluster;
  std::string job;
  std::int32_t task = 0;
  std::string bind;       ///< empty: the task's own address in the cluster
  std::string advertise;  ///< empty: the task's own address in the cluster
  bool insecure_open = false;
  std::size_t threads = 0;  ///< 0: one a core
  LogLevel log_level = LogLevel::Info;
};

/// A command line that was read: options, or text to print and the code to end with.
struct ServerMainCommand {
  ServerMainOptions options;
  std::optional<int> exit_code;  ///< 0 after --help and --version, 2 for a mistake
  std::string out;               ///< for standard output
  std::string error;             ///< for standard error, one line
};

/// `tf_config` is the text of TF_CONFIG, or null; --cluster, --cluster-file, --job and --task come
/// before it. Never throws for what a user can write.
ServerMainCommand read_server_command(int argc, const char* const* argv, const char* tf_config);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/server_main_options.ipp>
#endif
