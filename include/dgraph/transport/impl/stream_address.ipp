#pragma once
#include <dgraph/transport/stream_address.hpp>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

namespace dgraph::detail {

template <class Address>
SocketAddress as_socket_address(const Address& address, std::size_t bytes = sizeof(Address)) {
  SocketAddress out(bytes);
  std::memcpy(out.data(), &address, bytes);
  return out;
}

DGRAPH_DECL std::string StreamAddress::to_string() const {
  if (is_unix()) return "unix://" + path;
  const bool bracket = host.find(':') != std::string::npos;
  return errors::text("tcp://", bracket ? "[" : "", host, bracket ? "]" : "", ':', port);
}

DGRAPH_DECL Status parse_stream_address(std::string_view text, StreamAddress& address) {
  const auto bad = [&](const auto&... why) {
    return errors::InvalidArgument("'", text, "' is no address: ", why...);
  };
  address = StreamAddress();
  std::string_view rest = text;
  if (const std::size_t at = rest.find("://"); at != std::string_view::npos) {
    const std::string_view scheme = rest.substr(0, at);
    rest.remove_prefix(at + 3);
    if (scheme == "unix") {
      if (rest.empty() || rest.front() != '/') return bad("the path of a unix socket is absolute, as in unix:///run/x.sock");
      if (rest.size() >= sizeof(sockaddr_un::sun_path)) {
        return bad("the path of a unix socket has at most ", sizeof(sockaddr_un::sun_path) - 1, " characters");
      }
      if (rest.find('\0') != std::string_view::npos) return bad("it contains a zero byte");
      address.path = rest;
      return {};
    }
    if (scheme != "tcp") return bad("the scheme is neither tcp nor unix");
  }
  if (!rest.empty() && rest.front() == '[') {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return bad("a ']' is missing");
    address.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    in6_addr number;
    const std::string host = address.host.substr(0, address.host.find('%'));
    if (inet_pton(AF_INET6, host.c_str(), &number) != 1) return bad("'", address.host, "' is no IPv6 address");
  } else {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    address.host = rest.substr(0, end);
    rest.remove_prefix(end);
    if (rest.find(':', 1) != std::string_view::npos) return bad("an IPv6 address stands in brackets, as in [::1]:2222");
  }
  if (address.host.empty()) return bad("it has no host, as in 127.0.0.1:2222");
  if (address.host.find_first_of("/ \t\r\n@?#") != std::string::npos || address.host.find('\0') != std::string::npos) {
    return bad("'", address.host, "' is no host");
  }
  if (rest.size() < 2 || rest.front() != ':') return bad("it has no port, as in 127.0.0.1:2222");
  rest.remove_prefix(1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), port);
  if (error != std::errc() || end != rest.data() + rest.size() || port > 65535) {
    return bad("'", rest, "' is no port (0 to 65535)");
  }
  address.port = static_cast<std::uint16_t>(port);
  return {};
}

DGRAPH_DECL std::vector<SocketAddress> known_socket_addresses(const StreamAddress& address) {
  if (address.is_unix()) {
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    address.path.copy(un.sun_path, sizeof un.sun_path - 1);
    return {as_socket_address(un, offsetof(sockaddr_un, sun_path) + address.path.size() + 1)};
  }
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(address.port);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(address.port);
  if (address.host == "localhost") {
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    six.sin6_addr = in6addr_loopback;
    return {as_socket_address(four), as_socket_address(six)};
  }
  if (inet_pton(AF_INET, address.host.c_str(), &four.sin_addr) == 1) return {as_socket_address(four)};
  if (inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr) == 1) return {as_socket_address(six)};
  return {};
}

DGRAPH_DECL Status resolve_socket_addresses(const StreamAddress& address, std::vector<SocketAddress>& found) {
  found = known_socket_addresses(address);
  if (!found.empty()) return {};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (error != 0) return errors::Unavailable(gai_strerror(error));
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    SocketAddress bytes(entry->ai_addrlen);
    std::memcpy(bytes.data(), entry->ai_addr, entry->ai_addrlen);
    found.push_back(std::move(bytes));
  }
  freeaddrinfo(list);
  return {};
}

DGRAPH_DECL std::string socket_address_text(const SocketAddress& address) {
  sockaddr_storage storage{};
  std::memcpy(&storage, address.data(), std::min(address.size(), sizeof storage));
  StreamAddress out;
  char text[INET6_ADDRSTRLEN] = "";
  if (storage.ss_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, &storage, sizeof four);
    inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
    out.port = ntohs(four.sin_port);
  } else if (storage.ss_family == AF_INET6) {
    sockaddr_in6 six;
    std::memcpy(&six, &storage, sizeof six);
    inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
    out.port = ntohs(six.sin6_port);
  } else {
    sockaddr_un un{};
    std::memcpy(&un, &storage, sizeof un);
    un.sun_path[sizeof un.sun_path - 1] = '\0';
    return std::string("unix://") + un.sun_path;
  }
  out.host = text;
  return out.to_string();
}

}  // namespace dgraph::detail
