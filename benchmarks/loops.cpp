// Loops in one process: what an iteration takes, and what memory a million of them take.
#include <string>
#include <tuple>

#include <dgraph/dgraph.hpp>

#include "bench.hpp"

namespace bench {

namespace dg = dgraph;

void loops() {
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = dg::placeholder<int>(dg::PartialShape(dg::Shape()));
  const auto w = dg::placeholder<float>(dg::PartialShape(dg::Shape()));
  const auto counts = [&](auto i, auto...) { return i < n; };
  const auto counter = dg::while_loop(counts, [](auto i) { return i + 1; }, dg::constant(0));
  const auto series = std::get<1>(dg::while_loop(
      counts, [&](auto i, auto x) { return std::tuple(i + 1, x * w + 1.f); }, std::tuple(0, 0.f)));
  const auto branches = std::get<1>(dg::while_loop(counts, [&](auto i, auto x) {
    return std::tuple(i + 1, dg::cond(x < 5.f, [&] { return x + 1.f; }, [&] { return x * w; }));
  }, std::tuple(0, 0.f)));
  const auto slope = dg::gradients(series, w);
  dg::Session<> session(graph);
  const auto run = [&](const char* name, const auto& op, int iterations) {
    session.run({{n, 1000}, {w, .5f}}, op);
    const double before = rss_mib();
    double best = 0;
    for (int round = 0; round < 5; ++round) {
      const auto begin = Clock::now();
      session.run({{n, iterations}, {w, .5f}}, op);
      const double us = microseconds_since(begin) / iterations;
      best = round == 0 ? us : std::min(best, us);
    }
    Report(std::string("loop ") + name)
        .add("iterations", iterations)
        .add("us_per_iteration", best)
        .add("rss_growth_mib", rss_mib() - before);
  };
  run("counter", counter, 1'000'000);
  run("two variables", series, 1'000'000);
  run("conditional", branches, 500'000);
  run("gradient", slope, 200'000);
}

}  // namespace bench
