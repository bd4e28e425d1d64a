// Branches and loops in the graph: a recurrent layer over sequences of any length, and its gradient through the loop. It learns to
// say whether a sequence of steps up and down ends above where it began.
#include <iostream>
#include <random>

#include <dgraph/embedded.hpp>

namespace dg = dgraph;

int main() try {
  dg::Graph graph;
  auto building = graph.as_default();
  constexpr int kUnits = 8, kBatch = 32;
  auto steps = dg::placeholder<float>({-1, kBatch, 1});  // time, sequence, the step
  auto above = dg::placeholder<float>({kBatch, 1});
  auto W = dg::variable("W", dg::truncated_normal<float>({1 + kUnits, kUnits}, 0, 0.3));
  auto V = dg::variable("V", dg::truncated_normal<float>({kUnits, 1}, 0, 0.3));

  auto length = dg::gather(dg::shape(steps), 0);
  auto inputs = dg::TensorArray<float>(length).unstack(steps);
  auto [time, state] = dg::while_loop(
      [&](auto t, auto) { return t < length; },
      [&](auto t, auto h) {
        return std::tuple(t + 1, dg::tanh(dg::matmul(dg::concat({inputs.read(t), h}, 1), W)));
      },
      std::tuple(0, dg::zeros<float>({kBatch, kUnits})));
  auto score = dg::tanh(dg::matmul(state, V));
  auto loss = dg::reduce_mean(dg::square(score - above));
  auto rate = dg::cond(loss < 0.3f, [] { return 0.03f; }, [] { return 0.1f; });
  auto train = dg::group({W.assign_sub(rate * dg::gradients(loss, W)), V.assign_sub(rate * dg::gradients(loss, V))});
  auto init = dg::global_variables_initializer();

  dg::Session<> session;
  session.run(init);
  std::mt19937 random(1);
  float last = 0;
  for (int step = 1; step <= 3000; ++step) {
    // An odd number of steps: no sequence ends where it began.
    const std::size_t count = 5 + 2 * static_cast<std::size_t>(step % 4);
    xt::xarray<float> moves = xt::zeros<float>({count, std::size_t{kBatch}, std::size_t{1}});
    for (float& move : moves) move = random() % 2 == 0 ? 1.f : -1.f;
    xt::xarray<float> signs = xt::sign(xt::sum(moves, {0}));
    last = session.run({{steps, moves}, {above, signs}}, loss, train)();
    if (step % 500 == 0) std::cout << "step " << step << ": loss " << last << '\n';
  }
  return last < 0.6f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
