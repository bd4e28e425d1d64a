// Input in the graph: a table of numbers is read from CSV files, shuffled, repeated and batched ahead of the steps that learn from
// it, on the pool; a function of the graph does the arithmetic.
#include <cstdio>
#include <dgraph/embedded.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

namespace dg = dgraph;

int main() try {
  // Points on a plane, y = 2a - 3b + 1, with a little noise.
  const auto file =
      (std::filesystem::temp_directory_path() / ("dgraph_08_" + std::to_string(std::random_device{}()) + ".csv")).string();
  {
    std::ofstream out(file);
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.01f), any(0, 1);
    out << "a,b,y\n";
    for (int i = 0; i < 500; ++i) {
      const float a = any(random), b = any(random);
      out << a << ',' << b << ',' << 2 * a - 3 * b + 1 + noise(random) << '\n';
    }
  }

  dg::Graph graph;
  auto building = graph.as_default();
  auto far = dg::function<float, float>("far", [](auto a, auto b) { return a * a + b * b > 9.f; });
  dg::CsvOptions options;
  options.header = true;
  auto points = dg::dataset::csv<float, float, float>(file, options)
                    .filter([&](auto a, auto b, auto) { return dg::logical_not(far(a, b)); })
                    .map(
                        [](auto a, auto b, auto y) {
                          return std::tuple(dg::stack({a, b}), y);
                        },
                        2)
                    .cache()
                    .shuffle(100)
                    .repeat(10)
                    .batch(20)
                    .prefetch(4);
  auto iterator = points.make_initializable_iterator();
  auto [x, y] = iterator.get_next();

  auto W = dg::variable("W", dg::zeros<float>({2, 1}));
  auto c = dg::variable("c", 0.f);
  auto predicted = dg::reshape(dg::matmul(x, W), {-1}) + c;
  auto loss = dg::reduce_mean(dg::square(predicted - y));
  auto train = dg::group({W.assign_sub(0.1f * dg::gradients(loss, W)), c.assign_sub(0.1f * dg::gradients(loss, c))});
  auto init = dg::global_variables_initializer();

  dg::Session<> session;
  session.run(init);
  session.run(iterator.initializer());
  int steps = 0;
  try {
    for (;; ++steps) session.run(train);
  } catch (const dg::Error& error) {
    if (error.code() != dg::Code::OutOfRange) throw;  // the end of the dataset
  }
  std::remove(file.c_str());
  auto [weights, constant] = session.run(W, c);
  std::cout << "after " << steps << " steps: y = " << weights(0, 0) << " a + " << weights(1, 0) << " b + " << constant()
            << '\n';
  return std::abs(weights(0, 0) - 2) < 0.05f && std::abs(weights(1, 0) + 3) < 0.05f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
