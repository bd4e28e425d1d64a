// A server of one task, by hand: it prints its target and serves until it is ended.
//
//   01_local_server            prints e.g. tcp://127.0.0.1:40123
//   01_local_client TARGET     trains there
#include <iostream>

#include <dgraph/server.hpp>

namespace dg = dgraph;

int main() {
  auto server = dg::Server<dg::transport::Tcp>::create_local_server();
  std::cout << server.target() << std::endl;
  server.join();
}
