// In-graph: one client, one graph, its parts on four servers. Jobs may have any names; here canshu
// holds the parameters and gongzuo does the work.
//
//   client --> master (any of the four)
//
//   canshu 0: W --+                                  +--> canshu 0: W changes
//                 +--> gongzuo 0: loss --> gongzuo 1 +
//   canshu 1: b --+                        gradients +--> canshu 1: b changes
//
//   02_in_graph TARGET         the target of any server of the cluster
#include <chrono>
#include <cmath>
#include <iostream>

#include <dgraph/dgraph.hpp>

namespace dg = dgraph;

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("give the target of one of the servers");

  xt::xarray<float> x_data = xt::random::rand<float>({100});
  xt::xarray<float> y_data = x_data * 0.1f + 0.3f;

  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> W, b;
  {
    auto on = dg::device("/job:canshu/task:0");
    W = dg::variable("W", dg::random_uniform<float>({1}, -1.f, 1.f));
  }
  {
    auto on = dg::device("/job:canshu/task:1");
    b = dg::variable("b", dg::zeros<float>({1}));
  }
  dg::Op<float> loss;
  {
    auto on = dg::device("/job:gongzuo/task:0");
    loss = dg::reduce_mean(dg::square(W * x_data + b - y_data));
  }
  dg::Op<void> train;
  {
    auto on = dg::device("/job:gongzuo/task:1");
    train = dg::GradientDescentOptimizer(0.5).minimize(loss);
  }
  auto init = dg::global_variables_initializer();

  dg::Session<dg::transport::Tcp> session(argv[1]);
  session.run(init);

  // Where each node of a training step was put, and why.
  dg::RunMetadata metadata;
  session.run({.metadata = &metadata}, train);
  for (const auto& node : metadata.placements) {
    std::cout << node.node << " (" << node.op_type << "): " << node.device << ", " << node.reason
              << '\n';
  }

  std::cout << std::flush;

  constexpr int kSteps = 1000;
  const auto start = std::chrono::steady_clock::now();
  for (int step = 1; step <= kSteps; ++step) {
    session.run(train);
    if (step % 100 == 0) {
      auto [w, bias, error] = session.run(W, b, loss);
      std::cout << "step " << step << ": loss " << error() << ", W " << w(0) << ", b " << bias(0)
                << std::endl;
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  std::cout << kSteps / passed.count() << " steps/s\n";

  // The same number of steps asked for once: the servers go on by themselves.
  const auto again = std::chrono::steady_clock::now();
  session.run({.repeat = kSteps}, train);
  const std::chrono::duration<double> repeated = std::chrono::steady_clock::now() - again;
  std::cout << kSteps / repeated.count() << " steps/s with repeat\n";

  auto [w, bias] = session.run(W, b);
  std::cout << "W " << w(0) << ", b " << bias(0) << " (the line has 0.1 and 0.3)\n";
  return std::abs(w(0) - 0.1f) < 1e-3f && std::abs(bias(0) - 0.3f) < 1e-3f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
