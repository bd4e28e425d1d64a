#include <dgraph/cluster/address.hpp>

#include "support/catch.hpp"

namespace {

using namespace dgraph;
using test::contains;

TEST_CASE("an address without a scheme gets that of the transport") {
  CHECK(full_address("tcp", "127.0.0.1:2222") == "tcp://127.0.0.1:2222");
  CHECK(full_address("tls", "unix:///run/x.sock") == "unix:///run/x.sock");
  CHECK(full_address("sim", "ps0") == "sim://ps0");
}

TEST_CASE("a malformed address is named together with what is wrong") {
  CHECK(check_address("127.0.0.1:2222").ok());
  CHECK(check_address("ps0.cluster.local:0").ok());
  CHECK(check_address("[::1]:2222").ok());
  CHECK(check_address("tls://[::1]:2222").ok());
  CHECK(check_address("unix:///run/x.sock").ok());
  CHECK(check_address("local://ps0").ok());
  const auto message = [](std::string_view address) {
    const Status status = check_address(address);
    CHECK(status.code() == Code::InvalidArgument);
    return status.message();
  };
  CHECK_THAT(message("127.0.0.1"), contains("'127.0.0.1'") && contains("no port"));
  CHECK_THAT(message("127.0.0.1:"), contains("no port"));
  CHECK_THAT(message("127.0.0.1:70000"), contains("70000"));
  CHECK_THAT(message("::1:2222"), contains("brackets"));
  CHECK_THAT(message("unix://run/x.sock"), contains("absolute"));
  CHECK_THAT(message("tls://host"), contains("no port"));
  CHECK_THAT(message("local://"), contains("local://"));
  message("");
}

TEST_CASE("loopback is what only this machine reaches") {
  for (const char* address :
       {"127.0.0.1:1", "tcp://127.8.9.10:1", "localhost:1", "[::1]:1", "tls://127.0.0.1:1",
        "[::ffff:127.0.0.1]:1", "unix:///run/x.sock", "local://ps0", "sim://ps0"}) {
    INFO(address);
    CHECK(is_loopback_address(address));
  }
  for (const char* address :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "example.org:1", "127.example.org:1",
        "localhost.example.org:1", "mpi://0", "128.0.0.1:1", "nonsense"}) {
    INFO(address);
    CHECK_FALSE(is_loopback_address(address));
  }
}

TEST_CASE("port 0 is an open port") {
  CHECK(has_open_port("127.0.0.1:0"));
  CHECK(has_open_port("tcp://[::1]:0"));
  CHECK_FALSE(has_open_port("127.0.0.1:20"));
  CHECK_FALSE(has_open_port("unix:///run/x:0"));
  CHECK_FALSE(has_open_port("local://x:0"));
}

}  // namespace
