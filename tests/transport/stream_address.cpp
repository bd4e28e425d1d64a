#include <dgraph/transport/stream_address.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using detail::StreamAddress;

namespace {

std::string parsed(const std::string& text) {
  StreamAddress address;
  const Status status = detail::parse_stream_address(text, address);
  if (!status.ok()) {
    CHECK(status.code() == Code::InvalidArgument);
    CHECK_THAT(status.message(), test::contains("'" + text + "'"));
    return "refused";
  }
  return address.to_string();
}

}  // namespace

TEST_CASE("stream addresses in all forms") {
  CHECK(parsed("tcp://127.0.0.1:2222") == "tcp://127.0.0.1:2222");
  CHECK(parsed("127.0.0.1:0") == "tcp://127.0.0.1:0");
  CHECK(parsed("ps0.example.org:65535") == "tcp://ps0.example.org:65535");
  CHECK(parsed("tcp://[::1]:2222") == "tcp://[::1]:2222");
  CHECK(parsed("[fe80::1%lo]:1") == "tcp://[fe80::1%lo]:1");
  CHECK(parsed("unix:///run/dgraph.sock") == "unix:///run/dgraph.sock");
}

TEST_CASE("what is no stream address") {
  for (const std::string& text :
       {std::string(), std::string("127.0.0.1"), std::string("127.0.0.1:"), std::string(":2222"), std::string("host:port"),
        std::string("host:-1"), std::string("host:65536"), std::string("host:99999999999999999999"), std::string("host:1x"),
        std::string("::1:2222"), std::string("[::1]"), std::string("[::1"), std::string("[::1]2222"), std::string("[zz]:1"),
        std::string("http://host:80"), std::string("tcp://"), std::string("tcp://host:1/path"), std::string("ho st:1"),
        std::string("user@host:1"), std::string("unix://"), std::string("unix://relative"),
        "unix:///" + std::string(200, 'x'), std::string("host\0:1", 7)}) {
    CHECK(parsed(text) == "refused");
  }
}

TEST_CASE("socket addresses and back") {
  for (const std::string text : {"tcp://127.0.0.1:2222", "tcp://[::1]:2222", "tcp://10.1.2.3:1", "unix:///run/x.sock"}) {
    StreamAddress address;
    REQUIRE(detail::parse_stream_address(text, address).ok());
    const auto known = detail::known_socket_addresses(address);
    REQUIRE(known.size() == 1);
    CHECK(detail::socket_address_text(known[0]) == text);
    std::vector<detail::SocketAddress> resolved;
    REQUIRE(detail::resolve_socket_addresses(address, resolved).ok());
    CHECK(resolved == known);
  }
  StreamAddress address;
  REQUIRE(detail::parse_stream_address("localhost:5", address).ok());
  CHECK(detail::known_socket_addresses(address).size() == 2);
  REQUIRE(detail::parse_stream_address("name.invalid:5", address).ok());
  CHECK(detail::known_socket_addresses(address).empty());
  std::vector<detail::SocketAddress> resolved;
  CHECK(detail::resolve_socket_addresses(address, resolved).code() == Code::Unavailable);
}
