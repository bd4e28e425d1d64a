// An op of one's own, on client and server: my_ops.hpp has the op, CMakeLists.txt makes a server
// that knows it, and this client finds the lowest point of swish, -0.2785 at x = -1.2785.
//
//   06_own_op TARGET           the target that 06_own_op_server printed
#include <cmath>
#include <iostream>

#include <dgraph/dgraph.hpp>

#include "my_ops.hpp"

namespace dg = dgraph;

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("give the target that the server printed");

  dg::BasicGraph<my::Ops> graph;
  auto building = graph.as_default();
  auto x = dg::variable("x", 0.f);
  auto y = my::swish(x);
  auto train = dg::GradientDescentOptimizer(0.5).minimize(y);
  auto init = dg::global_variables_initializer();

  dg::Session<dg::transport::Tcp> session(argv[1]);
  session.run(init);
  session.run({.repeat = 200}, train);
  auto [at, lowest] = session.run(x, y);
  std::cout << "swish is lowest at " << at() << ": " << lowest() << '\n';
  return std::abs(at() + 1.2785f) < 1e-3f && std::abs(lowest() + 0.2785f) < 1e-3f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
