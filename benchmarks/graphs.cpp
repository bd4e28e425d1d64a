// The executor's and the graph's own cost: chains of scalar nodes, and graphs of many nodes.
#include <cstdlib>
#include <vector>

#include <dgraph/dgraph.hpp>

#include "bench.hpp"

namespace bench {

namespace dg = dgraph;

void chains() {
  for (const int nodes : {1, 10, 100, 1000}) {
    dg::Graph graph;
    auto building = graph.as_default();
    auto v = dg::variable("v", 1.0f);
    dg::Op<float> y = v;
    for (int i = 0; i < nodes; ++i) y = dg::maximum(y, v);
    dg::Session<> session(graph);
    session.run(v.initializer());
    auto call = session.make_callable(y);
    const Timing t = timed([&] { call(); }, 1.0);
    Report("chain of scalar maximum").add("nodes", nodes).add("us_per_node", t.p50_us / nodes).add(t);
  }
}

void graphs() {
  for (const int nodes : {1000, 10'000, 50'000, 100'000}) {
    const double rss = rss_mib();
    const auto begin = Clock::now();
    dg::Graph graph;
    auto building = graph.as_default();
    auto v = dg::variable("v", 1.0f);
    std::vector<dg::Op<float>> ys;
    for (int i = 0; i < 100; ++i) ys.push_back(v + static_cast<float>(i));
    for (int i = 0; i < nodes; ++i) ys[static_cast<std::size_t>(i % 100)] = dg::maximum(ys[static_cast<std::size_t>(i % 100)], v);
    const auto out = dg::add_n(ys);
    const double build_us = microseconds_since(begin);
    const double node_bytes = (rss_mib() - rss) * 1024 * 1024 / nodes;
    dg::Session<> session(graph);
    session.run(v.initializer());
    const auto first = Clock::now();
    session.run(out);
    const double first_us = microseconds_since(first);
    auto call = session.make_callable(out);
    const Timing t = timed([&] { call(); }, 1.0, 3);
    Report("graph of 100 chains")
        .add("nodes", nodes)
        .add("build_s", build_us / 1e6)
        .add("build_us_per_node", build_us / nodes)
        .add("bytes_per_node", node_bytes)
        .add("first_run_s", first_us / 1e6)
        .add("first_run_us_per_node", first_us / nodes)
        .add("rss_mib", rss_mib())
        .add("us_per_node", t.p50_us / nodes)
        .add(t);
  }
}

}  // namespace bench
