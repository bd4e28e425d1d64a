#include <dgraph/wire/hello.hpp>

#include "support/catch.hpp"

using namespace dgraph;

TEST_CASE("a peer has a name") {
  PeerIdentity peer;
  CHECK(peer.to_string() == "client");
  peer.role = PeerRole::Server;
  peer.job = "ps";
  peer.task = 3;
  CHECK(peer.to_string() == "/job:ps/replica:0/task:3");
}

TEST_CASE("the version of the library is in its identity") {
  CHECK(PeerIdentity().library == wire::kLibraryVersion);
  CHECK(wire::kLibraryVersion ==
        DGRAPH_VERSION_MAJOR * 10000 + DGRAPH_VERSION_MINOR * 100 + DGRAPH_VERSION_PATCH);
}
