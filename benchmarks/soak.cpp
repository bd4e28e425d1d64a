// Long runs: what a million steps, ten thousand sessions and a thousand servers leave behind. Memory, threads and descriptors of
// every process, at the start and after each tenth, are to stay where they were.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <dgraph/dgraph.hpp>
#include <dgraph/server.hpp>

#include "bench.hpp"

namespace bench {
namespace {

namespace dg = dgraph;
using dg::transport::Tcp;

std::size_t entries(pid_t pid, const char* folder) {
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(pid) + "/" + folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

void print(const std::string& name, std::size_t done, const std::string& process, pid_t pid) {
  Report(name)
      .add("done", static_cast<double>(done))
      .add(("rss_mib_" + process).c_str(), rss_mib(pid))
      .add(("threads_" + process).c_str(), static_cast<double>(entries(pid, "task")))
      .add(("descriptors_" + process).c_str(), static_cast<double>(entries(pid, "fd")));
}

/// Calls `one` so often, and prints after each tenth; the first hundredth is a warm-up.
template <class One>
void repeat(const std::string& name, std::size_t times, Cluster* cluster, One one) {
  for (std::size_t i = 1; i <= times; ++i) {
    one();
    if (i != times / 100 && i % std::max<std::size_t>(times / 10, 1) != 0) continue;
    print(name, i, "client", ::getpid());
    if (!cluster) continue;
    for (std::size_t task = 0; task < cluster->size(); ++task)
      print(name, i, "server_" + std::to_string(task), cluster->process(task).pid());
  }
}

struct Model {
  dg::Variable<float> w;
  dg::Op<float> step;
};

// A variable on one task, its step computed on the other.
Model build() {
  Model model;
  {
    auto on = dg::device("/job:ps/task:0");
    model.w = dg::variable("w", dg::zeros<float>({4}));
  }
  auto on = dg::device("/job:worker/task:0");
  model.step = dg::assign_add(model.w, dg::ones<float>({4}) * 0.5f);
  return model;
}

}  // namespace

void soak() {
  {
    Cluster cluster({{"ps", 1}, {"worker", 1}});
    dg::Graph graph;
    auto building = graph.as_default();
    const Model model = build();
    dg::Session<Tcp> session(graph, cluster.target(0));
    session.run(model.w.initializer());
    auto call = session.make_callable(dg::feed_list(), model.step);
    repeat("soak: steps over two servers", 1'000'000, &cluster, [&] { call(); });
  }
  {
    Cluster cluster({{"ps", 1}, {"worker", 1}});
    repeat("soak: sessions opened and closed", 10'000, &cluster, [&] {
      dg::Graph graph;
      auto building = graph.as_default();
      const Model model = build();
      dg::Session<Tcp> session(graph, cluster.target(0));
      session.run(model.w.initializer());
      session.run(model.step);
    });
  }
  std::string address = "127.0.0.1:0";
  repeat("soak: servers started and stopped", 1'000, nullptr, [&] {
    dg::Server<Tcp> server(dg::ClusterSpec({{"local", {address}}}), "local", 0);
    // The port that the system chose for the first one.
    address = server.target().substr(std::string("tcp://").size());
    dg::Graph graph;
    auto building = graph.as_default();
    const auto two = dg::constant(1.0f) + 1.0f;
    dg::Session<Tcp> session(graph, server.target());
    session.run(two);
    session.close();
    server.stop();
  });
}

}  // namespace bench
