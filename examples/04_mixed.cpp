// Both at once: two groups, each of them one client with one graph over two workers (in-graph),
// that share the variables on the parameter server (between-graph).
//
//   client of group 0 --> worker 0, worker 1 --+
//                                              +-- ps 0: W, b
//   client of group 1 --> worker 2, worker 3 --+
//
//   04_mixed --cluster "ps=HOST:PORT;worker=HOST:PORT,HOST:PORT,HOST:PORT,HOST:PORT" --group 0
//   and another with --group 1
#include <chrono>
#include <iostream>
#include <sstream>
#include <thread>
#include <vector>

#include <dgraph/cluster/cluster_spec.hpp>

#include "common.hpp"

namespace dg = dgraph;

int main(int argc, char** argv) try {
  const auto cluster = dg::ClusterSpec::parse(example::option(argc, argv, "--cluster"));
  const int group = std::stoi(example::option(argc, argv, "--group"));
  const example::DigitSets digits = example::read_digits();

  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> W, b;
  {
    auto on = dg::device("/job:ps/task:0");
    W = dg::variable("W", dg::zeros<float>({64, 10}));
    b = dg::variable("b", dg::zeros<float>({10}));
  }

  // The model twice, once on each worker of the group, each with batches of its own.
  struct Tower {
    dg::Op<float> x;
    dg::Op<std::int32_t> y;
    dg::Op<float> loss, accuracy;
  };
  std::vector<Tower> towers(2);
  for (int i = 0; i < 2; ++i) {
    auto on = dg::device("/job:worker/task:" + std::to_string(2 * group + i));
    Tower& tower = towers[static_cast<std::size_t>(i)];
    tower.x = dg::placeholder<float>({-1, 64});
    tower.y = dg::placeholder<std::int32_t>(dg::PartialShape({-1}));
    auto logits = dg::matmul(tower.x, W) + b;
    tower.loss = dg::reduce_mean(dg::sparse_softmax_cross_entropy_with_logits(tower.y, logits));
    auto hits = dg::equal(dg::argmax<std::int32_t>(logits, 1), tower.y);
    tower.accuracy = dg::reduce_mean(dg::cast<float>(hits));
  }
  auto loss = (towers[0].loss + towers[1].loss) * 0.5f;
  // Each part of the gradient is computed where the part of the loss was.
  auto train =
      dg::GradientDescentOptimizer(0.5).minimize(loss, {.colocate_gradients_with_ops = true});
  auto W_ready = dg::is_variable_initialized(W);
  auto b_ready = dg::is_variable_initialized(b);
  auto init = dg::global_variables_initializer();

  dg::Session<dg::transport::Tcp> session("tcp://" + cluster.address("worker", 2 * group));
  if (group == 0) session.run(init);
  for (;;) {
    auto [W_is, b_is] = session.run(W_ready, b_ready);
    if (W_is() && b_is()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  example::Batches batches(digits.train, 32, static_cast<unsigned>(group));
  for (int step = 0; step < 500; ++step) {
    const example::Digits one = batches.next(), two = batches.next();
    session.run({{towers[0].x, one.images},
                 {towers[0].y, one.labels},
                 {towers[1].x, two.images},
                 {towers[1].y, two.labels}},
                train);
  }

  auto right = session.run({{towers[0].x, digits.test.images}, {towers[0].y, digits.test.labels}},
                           towers[0].accuracy);
  std::ostringstream line;
  line << "group " << group << ": test accuracy " << right() << '\n';
  std::cout << line.str() << std::flush;
  return right() >= 0.93f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
