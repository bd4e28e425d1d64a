#pragma once
// StreamAddress: the addresses of Tcp taken apart, and the socket addresses that they become.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/transport/reactor.hpp>

namespace dgraph::detail {

struct StreamAddress {
  std::string host;        ///< name or number, without brackets; empty for a unix socket
  std::uint16_t port = 0;
  std::string path;        ///< absolute; of a unix socket only

  bool is_unix() const noexcept { return !path.empty(); }
  /// "tcp://[::1]:2222", "unix:///run/x.sock".
  std::string to_string() const;
};

/// InvalidArgument, naming the address, for anything that is none. Port 0 is let through.
Status parse_stream_address(std::string_view text, StreamAddress& address);

/// The socket addresses of what needs no resolver: a unix path, a number, "localhost"; none for another name.
std::vector<SocketAddress> known_socket_addresses(const StreamAddress& address);

/// Asks the system's resolver, and waits for it.
Status resolve_socket_addresses(const StreamAddress& address, std::vector<SocketAddress>& found);

/// As StreamAddress::to_string; for a nameless unix socket "unix://".
std::string socket_address_text(const SocketAddress& address);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/stream_address.ipp>
#endif
