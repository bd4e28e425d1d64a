#pragma once
// Server<Transport, Ops>: a task of a cluster: master for the clients that connect to it, worker for all masters.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <dgraph/base/link.hpp>
#include <dgraph/cluster/address.hpp>
#include <dgraph/cluster/cluster_spec.hpp>
#include <dgraph/cluster/server_core.hpp>
#include <dgraph/kernels/standard.hpp>
#include <dgraph/kernels/standard_table.hpp>

namespace dgraph {

namespace detail {

/// A transport whose host has as many threads as the server was told, where the transport's options know of threads.
template <Transport T>
T server_transport(const ServerOptions& options) {
  if constexpr (requires { typename T::Options; }) {
    typename T::Options mine;
    if constexpr (requires { mine.host.compute_threads; })
      mine.host.compute_threads = options.threads;
    else if constexpr (requires { mine.compute_threads; })
      mine.compute_threads = options.threads;
    return T(mine);
  } else {
    return T();
  }
}

}  // namespace detail

/// Serves from construction until `stop` or destruction. Every call is safe from any thread.
template <Transport T, class Ops = StandardOps>
class Server {
 public:
  /// Task `task` of job `job`. Throws InvalidArgument where the cluster has no such task (lists the jobs or tasks there are) and
  /// for port 0 in a cluster of several tasks, Unavailable where its address is in use, PermissionDenied for an address beyond
  /// loopback unless `options.allow_open`.
  Server(const ClusterSpec& cluster, const std::string& job, std::int32_t task, ServerOptions options = {})
      : Server(cluster, job, task, options, detail::server_transport<T>(options)) {}
  /// The same over a transport that exists: servers of one process may share its host.
  Server(const ClusterSpec& cluster, const std::string& job, std::int32_t task, ServerOptions options, T transport) {
    TaskList tasks = cluster.tasks(T::scheme);
    const std::uint32_t self = static_cast<std::uint32_t>(cluster.server_position(job, task));
    if (tasks.size() > 1)
      for (const TaskEntry& entry : tasks)
        if (has_open_port(entry.address))
          fail(Code::InvalidArgument, "task ", entry.name(), " of a cluster of ", tasks.size(),
               " tasks needs a port that the others know, not ", entry.address);
    auto erased = erase_transport(std::move(transport));
    auto host = erased->host();
    core_ = ServerCore::make(std::move(erased), std::move(host), std::move(tasks), self, cluster.fingerprint(),
                             {OpTables<Ops>::kernels, OpTables<Ops>::ops}, std::move(options));
    core_->listen();
  }
  ~Server() {
    if (core_) core_->stop();
  }
  Server(Server&&) noexcept = default;
  Server& operator=(Server&&) noexcept = default;

  /// A cluster of this server alone, "/job:local/task:0", at a loopback address that the system chooses.
  static Server create_local_server(ServerOptions options = {}) {
    return create_local_server(options, detail::server_transport<T>(options));
  }
  static Server create_local_server(ServerOptions options, T transport) {
    std::string address = T::scheme == std::string_view("tcp") ? "127.0.0.1:0" : std::string(T::scheme) + "://";
    return Server(ClusterSpec({{"local", {std::move(address)}}}), "local", 0, std::move(options), std::move(transport));
  }

  /// What clients connect to: "tcp://127.0.0.1:2222".
  std::string target() const { return core_->target(); }
  /// Returns once the server was stopped, by any thread.
  void join() { core_->join(); }
  /// Ends sessions (Cancelled) and connections; returns when nothing is served any more.
  void stop() { core_->stop(); }
  ServerCore& core() noexcept { return *core_; }

 private:
  std::shared_ptr<ServerCore> core_;
};

}  // namespace dgraph
