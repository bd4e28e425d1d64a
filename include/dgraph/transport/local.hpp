#pragma once
// Local: links between servers and sessions of one process; no socket, bodies by reference.

#include <memory>
#include <string>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/real_host.hpp>

namespace dgraph::transport {

/// A model of Transport; a handle, copies share one host and one network.
///
/// Addresses are `local://name`, or `name` alone; a name is any text without '/'. An empty one lets the network choose when
/// listening. A name that is taken is Unavailable. `connect` waits until somebody listens there or the deadline passes.
/// Bodies arrive as the very buffers that were sent (`body_buffer` is not asked), so neither side may write to them after.
class Local {
 public:
  using Options = HostOptions;
  static constexpr std::string_view scheme = "local";

  /// Holds the names. Locals find each other if they were made from one network.
  class Network;
  static std::shared_ptr<Network> make_network();

  /// A network and a host of its own; starts no thread and opens nothing.
  explicit Local(HostOptions options = {});
  /// A host of its own on a shared network.
  explicit Local(std::shared_ptr<Network> network, HostOptions options = {});
  /// A shared network and a shared host.
  Local(std::shared_ptr<Network> network, std::shared_ptr<RealHost> host);

  std::shared_ptr<Host> host() const { return host_; }
  const std::shared_ptr<RealHost>& real_host() const noexcept { return host_; }
  const std::shared_ptr<Network>& network() const noexcept { return network_; }

  std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link);
  void connect(const std::string& address, Time deadline, OnConnect on_connect);

 private:
  std::shared_ptr<Network> network_;
  std::shared_ptr<RealHost> host_;
};

static_assert(Transport<Local>);

}  // namespace dgraph::transport

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/local.ipp>
#endif
