// A client of 01_local_server: builds a graph that fits a line to points, and trains it on the
// server.
//
//   01_local_client TARGET
#include <cmath>
#include <iostream>

#include <dgraph/dgraph.hpp>

namespace dg = dgraph;

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("give the target that the server printed");

  // Points of the line y = 0.1 x + 0.3.
  xt::xarray<float> x_data = xt::random::rand<float>({100});
  xt::xarray<float> y_data = x_data * 0.1f + 0.3f;

  dg::Graph graph;
  auto building = graph.as_default();
  auto W = dg::variable("W", dg::random_uniform<float>({1}, -1.f, 1.f));
  auto b = dg::variable("b", dg::zeros<float>({1}));
  auto loss = dg::reduce_mean(dg::square(W * x_data + b - y_data));
  auto train = dg::GradientDescentOptimizer(0.5).minimize(loss);
  auto init = dg::global_variables_initializer();

  dg::Session<dg::transport::Tcp> session(argv[1]);
  session.run(init);
  for (int step = 1; step <= 1000; ++step) {
    session.run(train);
    if (step % 20 == 0) {
      auto [w, bias] = session.run(W, b);
      std::cout << step << ": W " << w(0) << ", b " << bias(0) << '\n';
    }
  }

  auto [w, bias] = session.run(W, b);
  return std::abs(w(0) - 0.1f) < 1e-3f && std::abs(bias(0) - 0.3f) < 1e-3f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
