// Between-graph: many clients, each with a graph of its own that works on its own worker and shares
// the variables on the parameter servers. They train asynchronously: nobody waits for anybody.
//
//   client 0 --> worker 0 --+--+-- ps 0: W
//                           |  |
//   client 1 --> worker 1 --+  +-- ps 1: b
//
//   03_between_graph --cluster "ps=HOST:PORT,HOST:PORT;worker=HOST:PORT,HOST:PORT" --task 0
//   and another with --task 1
#include <chrono>
#include <iostream>
#include <sstream>
#include <thread>

#include <dgraph/cluster/cluster_spec.hpp>

#include "common.hpp"

namespace dg = dgraph;

int main(int argc, char** argv) try {
  const auto cluster = dg::ClusterSpec::parse(example::option(argc, argv, "--cluster"));
  const int task = std::stoi(example::option(argc, argv, "--task"));
  const example::DigitSets digits = example::read_digits();

  dg::Graph graph;
  auto building = graph.as_default();
  // Variables of the same name on the same task are the same variable in every client's graph.
  dg::Variable<float> W, b;
  {
    auto on = dg::device("/job:ps/task:0");
    W = dg::variable("W", dg::zeros<float>({64, 10}));
  }
  {
    auto on = dg::device("/job:ps/task:1");
    b = dg::variable("b", dg::zeros<float>({10}));
  }
  // The rest runs on this client's worker.
  auto on = dg::device("/job:worker/task:" + std::to_string(task));
  auto x = dg::placeholder<float>({-1, 64});
  auto y = dg::placeholder<std::int32_t>(dg::PartialShape({-1}));
  auto logits = dg::matmul(x, W) + b;
  auto loss = dg::reduce_mean(dg::sparse_softmax_cross_entropy_with_logits(y, logits));
  auto accuracy =
      dg::reduce_mean(dg::cast<float>(dg::equal(dg::argmax<std::int32_t>(logits, 1), y)));
  auto train = dg::GradientDescentOptimizer(0.5).minimize(loss);
  auto W_ready = dg::is_variable_initialized(W);
  auto b_ready = dg::is_variable_initialized(b);
  auto init = dg::global_variables_initializer();

  // The master of this client is its own worker.
  dg::Session<dg::transport::Tcp> session("tcp://" + cluster.address("worker", task));
  // The first worker is the chief: it gives the variables their values, and the others wait for
  // that.
  if (task == 0) session.run(init);
  for (;;) {
    auto [W_is, b_is] = session.run(W_ready, b_ready);
    if (W_is() && b_is()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  constexpr int kSteps = 1000;
  example::Batches batches(digits.train, 64, static_cast<unsigned>(task));
  const auto start = std::chrono::steady_clock::now();
  for (int step = 1; step <= kSteps; ++step) {
    const example::Digits batch = batches.next();
    auto error = session.run({{x, batch.images}, {y, batch.labels}}, loss, train);
    if (step % 200 == 0) {
      std::ostringstream line;
      line << "worker " << task << ", step " << step << ": loss " << error() << '\n';
      std::cout << line.str() << std::flush;
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

  auto right = session.run({{x, digits.test.images}, {y, digits.test.labels}}, accuracy);
  std::ostringstream line;
  line << "worker " << task << ": " << kSteps / passed.count() << " steps/s, test accuracy "
       << right() << '\n';
  std::cout << line.str() << std::flush;
  return right() >= 0.93f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
