#pragma once
// What can be said of a task's address without connecting to it.

#include <string>
#include <string_view>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph {

/// "tcp" and "127.0.0.1:2222" give "tcp://127.0.0.1:2222"; an address that names its scheme stays
/// as it is.
std::string full_address(std::string_view scheme, std::string_view address);

/// Ok for "host:port", "[::1]:2222", "unix:///path" and "scheme://anything"; InvalidArgument,
/// naming the address and what is wrong with it, otherwise. Port 0 is let through.
Status check_address(std::string_view address);

/// True where nobody beyond this machine can reach the address: 127.0.0.0/8, [::1], localhost, a
/// unix socket, and the schemes that never leave the process (local, sim). Names are not resolved:
/// any but localhost is taken to be reachable.
bool is_loopback_address(std::string_view address);

/// True for "host:0", where the system chooses the port.
bool has_open_port(std::string_view address);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/address.ipp>
#endif
