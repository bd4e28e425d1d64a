#pragma once
#include <dgraph/cluster/address.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <dgraph/transport/stream_address.hpp>

namespace dgraph {
namespace detail {

// The scheme that an address names; empty where it names none.
DGRAPH_DECL std::string_view scheme_of(std::string_view address) {
  const std::size_t end = address.find("://");
  return end == address.npos ? std::string_view() : address.substr(0, end);
}

DGRAPH_DECL bool is_stream_scheme(std::string_view scheme) {
  return scheme.empty() || scheme == "tcp" || scheme == "tls" || scheme == "unix";
}

// Tls addresses look like those of tcp.
DGRAPH_DECL Status parse_task_address(std::string_view address, StreamAddress& parsed) {
  if (scheme_of(address) == "tls") address.remove_prefix(std::string_view("tls://").size());
  return parse_stream_address(address, parsed);
}

}  // namespace detail

DGRAPH_DECL std::string full_address(std::string_view scheme, std::string_view address) {
  if (!detail::scheme_of(address).empty()) return std::string(address);
  return errors::text(scheme, "://", address);
}

DGRAPH_DECL Status check_address(std::string_view address) {
  const std::string_view scheme = detail::scheme_of(address);
  if (detail::is_stream_scheme(scheme)) {
    detail::StreamAddress parsed;
    return detail::parse_task_address(address, parsed);
  }
  if (address.size() == scheme.size() + 3)
    return errors::InvalidArgument("'", address, "' is no address: nothing follows the scheme");
  return {};
}

DGRAPH_DECL bool is_loopback_address(std::string_view address) {
  const std::string_view scheme = detail::scheme_of(address);
  if (!detail::is_stream_scheme(scheme)) return scheme == "local" || scheme == "sim";
  detail::StreamAddress parsed;
  if (!detail::parse_task_address(address, parsed).ok()) return false;
  if (parsed.is_unix() || parsed.host == "localhost") return true;
  in_addr four{};
  if (inet_pton(AF_INET, parsed.host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six{};
  if (inet_pton(AF_INET6, parsed.host.c_str(), &six) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

DGRAPH_DECL bool has_open_port(std::string_view address) {
  detail::StreamAddress parsed;
  return detail::is_stream_scheme(detail::scheme_of(address)) &&
         detail::parse_task_address(address, parsed).ok() && !parsed.is_unix() && parsed.port == 0;
}

}  // namespace dgraph
