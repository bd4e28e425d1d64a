#pragma once
// Tcp: frames over TCP and unix sockets. What waits for the sockets (Asio) is hidden in impl/.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/real_host.hpp>

namespace dgraph::detail {
class StreamScratch;
}

namespace dgraph::transport {

struct TcpOptions {
  HostOptions host;
  /// Connections that may wait to be accepted.
  int backlog = 256;
  /// Permissions of a unix socket's file.
  unsigned unix_mode = 0600;
};

/// A model of Transport; a handle, copies share one host.
///
/// Addresses:
///   tcp://127.0.0.1:2222   127.0.0.1:2222   tcp://[::1]:2222   tcp://name:2222   unix:///run/dgraph.sock
/// Port 0 lets the system choose when listening; `Listener::address()` says which it chose.
/// Refused: no port, a port above 65535, port 0 or no host when connecting, a relative or overlong unix path, another scheme
/// (InvalidArgument, naming the address).
///
/// `listen` binds exactly what it is told. An address in use, of another machine or not allowed is Unavailable. The file of
/// a unix socket whose server is gone is replaced; the listener removes its own.
///
/// `connect` tries every address of the name; while nobody listens there (refused, unreachable, no such name, no such file)
/// it tries again after 5 ms, then twice as long each time up to 250 ms, until the deadline, because peers may still be
/// starting. Then, or at once after any other failure: Unavailable, with the address and the last reason.
///
/// A link is closed with DataLoss by bytes that are no record, with InvalidArgument by a length above its FrameLimits, and
/// with Unavailable when the other side closes it or is lost.
class Tcp {
 public:
  using Options = TcpOptions;
  static constexpr std::string_view scheme = "tcp";

  /// Makes a host of its own.
  explicit Tcp(TcpOptions options = {});
  /// Shares a host with other transports; `options.host` is not used.
  explicit Tcp(std::shared_ptr<RealHost> host, TcpOptions options = {});

  std::shared_ptr<Host> host() const { return host_; }
  const std::shared_ptr<RealHost>& real_host() const noexcept { return host_; }

  std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link);
  void connect(const std::string& address, Time deadline, OnConnect on_connect);

 private:
  TcpOptions options_;
  std::shared_ptr<RealHost> host_;
  std::shared_ptr<detail::StreamScratch> scratch_;
};

static_assert(Transport<Tcp>);

}  // namespace dgraph::transport

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/tcp.ipp>
#endif
