#pragma once
// ServerCore: a server without types: listens, serves clients, is master and worker. The embedded session is one that does
// not listen.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <dgraph/base/link.hpp>
#include <dgraph/cluster/log.hpp>
#include <dgraph/cluster/master.hpp>
#include <dgraph/cluster/peers.hpp>
#include <dgraph/cluster/router.hpp>
#include <dgraph/cluster/worker.hpp>
#include <dgraph/wire/acceptor.hpp>

namespace dgraph {

struct ServerOptions {
  std::string bind;             ///< address to listen on; empty: the task's own, which must then be loopback or `allow_open`
  std::string advertise;        ///< what `target()` says; empty: what is listened on
  bool allow_open = false;      ///< listen beyond loopback without TLS or a secret (D18)
  std::size_t threads = 0;      ///< of the pool; 0: one a core
  LogLevel log_level = LogLevel::Warn;
  LogSink log_sink;             ///< empty: standard error
  Duration heartbeat = std::chrono::milliseconds(500);  ///< between signs of life while a session is open
  Duration dead_after = std::chrono::seconds(2);        ///< without a sign of life a peer is lost
  Duration connect = std::chrono::seconds(10);          ///< how long a task that a step needs may be absent
  std::uint64_t window = std::uint64_t{64} << 20;       ///< bytes of bodies that a peer may send ahead (D6)
  std::uint64_t body_memory = std::uint64_t{16} << 30;  ///< bytes of bodies not yet consumed, in all
};

class ServerCore : public std::enable_shared_from_this<ServerCore> {
 public:
  struct Kind {
    KernelLookup kernels = nullptr;
    OpLookup ops = nullptr;
  };

  /// `tasks[self]` is this server. Without a transport it has no peers and cannot listen: `host` is then its own.
  static std::shared_ptr<ServerCore> make(std::shared_ptr<AnyTransport> transport, std::shared_ptr<Host> host,
                                          TaskList tasks, std::uint32_t self, std::uint64_t cluster, Kind kind,
                                          ServerOptions options);
  ~ServerCore();

  /// Begins to serve. Throws Unavailable where the address is in use, PermissionDenied for one beyond loopback unless
  /// `allow_open`.
  void listen();
  /// Where clients reach it; empty before `listen`.
  std::string target() const;
  /// Returns once the server is stopped, from anywhere.
  void join();
  /// Ends sessions, fails what runs with Cancelled, closes all connections. Safe to repeat.
  void stop();

  Host& host() noexcept { return *host_; }
  Master& master() noexcept { return *master_; }
  Worker& worker() noexcept { return *worker_; }
  const Logger& logger() const noexcept { return logger_; }
  std::vector<std::string> devices() const;
  using OnStatus = Function<void(const Status&)>;
  /// Empties containers here and, where `forward`, on all other tasks. Without containers: all, and sessions but `keep` end.
  void reset(std::vector<std::string> containers, bool forward, const std::vector<SessionId>& keep, OnStatus done);

 private:
  class Client;
  ServerCore(std::shared_ptr<AnyTransport> transport, std::shared_ptr<Host> host, TaskList tasks, std::uint32_t self,
             std::uint64_t cluster, Kind kind, ServerOptions options);
  std::shared_ptr<ChannelHandler> accept(const std::shared_ptr<Channel>& channel, const PeerIdentity& peer);

  const std::shared_ptr<AnyTransport> transport_;
  const std::shared_ptr<Host> host_;
  const TaskList tasks_;
  const std::uint32_t self_;
  const ServerOptions options_;
  const Logger logger_;
  ChannelOptions channel_options_;
  std::shared_ptr<Router> router_;
  std::shared_ptr<Peers> peers_;
  std::shared_ptr<Worker> worker_;
  std::shared_ptr<Master> master_;
  std::shared_ptr<Acceptor> acceptor_;

  mutable std::mutex mutex_;
  std::condition_variable stopped_signal_;
  bool stopped_ = false, stop_done_ = false;
  std::unique_ptr<Listener> listener_;
  std::string target_;
  std::shared_ptr<void> driver_;
  std::vector<std::weak_ptr<Channel>> clients_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/server_core.ipp>
#endif
