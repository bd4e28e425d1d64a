// No server at all: Session<> runs the graph in this process. A perceptron with one hidden layer
// learns the digits.
#include <iostream>

#include <dgraph/embedded.hpp>

#include "common.hpp"

namespace dg = dgraph;

int main() try {
  const example::DigitSets digits = example::read_digits();

  dg::Graph graph;
  auto building = graph.as_default();
  auto x = dg::placeholder<float>({-1, 64});
  auto y = dg::placeholder<std::int32_t>(dg::PartialShape({-1}));
  auto W1 = dg::variable("W1", dg::truncated_normal<float>({64, 64}, 0, 0.17));
  auto b1 = dg::variable("b1", dg::zeros<float>({64}));
  auto W2 = dg::variable("W2", dg::truncated_normal<float>({64, 10}, 0, 0.12));
  auto b2 = dg::variable("b2", dg::zeros<float>({10}));
  auto hidden = dg::relu(dg::matmul(x, W1) + b1);
  auto logits = dg::matmul(hidden, W2) + b2;
  auto loss = dg::reduce_mean(dg::sparse_softmax_cross_entropy_with_logits(y, logits));
  auto accuracy =
      dg::reduce_mean(dg::cast<float>(dg::equal(dg::argmax<std::int32_t>(logits, 1), y)));
  auto train = dg::GradientDescentOptimizer(0.3).minimize(loss);
  auto init = dg::global_variables_initializer();

  dg::Session<> session;
  session.run(init);
  example::Batches batches(digits.train, 64, 1);
  for (int step = 1; step <= 2000; ++step) {
    const example::Digits batch = batches.next();
    auto error = session.run({{x, batch.images}, {y, batch.labels}}, loss, train);
    if (step % 400 == 0) std::cout << "step " << step << ": loss " << error() << '\n';
  }

  auto right = session.run({{x, digits.test.images}, {y, digits.test.labels}}, accuracy);
  std::cout << "test accuracy " << right() << '\n';
  return right() >= 0.95f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
