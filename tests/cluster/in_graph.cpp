// One graph over four servers: placement, the count of messages, training, on simulated time and over sockets.
#include <dgraph/dgraph.hpp>

#include "sim_cluster.hpp"
#include "support/catch.hpp"
#include "support/process.hpp"

namespace dg = dgraph;
using dg::test::sim_task;

namespace {

struct Regression {
  dg::Variable<float> W, b;
  dg::Op<float> loss;
  dg::Op<void> train, init;
};

Regression regression(const std::vector<std::string>& devices) {
  xt::xarray<float> x = xt::linspace<float>(0, 1, 100);
  xt::xarray<float> y = x * 0.1f + 0.3f;
  Regression out;
  {
    auto on = dg::device(devices[0]);
    out.W = dg::variable("W", dg::random_uniform<float>({1}, -1.f, 1.f));
  }
  {
    auto on = dg::device(devices[1]);
    out.b = dg::variable("b", dg::zeros<float>({1}));
  }
  {
    auto on = dg::device(devices[2]);
    out.loss = dg::reduce_mean(dg::square(out.W * x + out.b - y));
  }
  {
    auto on = dg::device(devices[3]);
    out.train = dg::GradientDescentOptimizer(0.5f).minimize(out.loss);
  }
  out.init = dg::global_variables_initializer();
  return out;
}

}  // namespace

TEST_CASE("a training step over four simulated servers takes exactly 13 messages") {
  dg::test::SimCluster cluster(1);
  dg::Graph graph;
  auto building = graph.as_default();
  const Regression model = regression({sim_task(0), sim_task(1), sim_task(2), sim_task(3)});
  auto session = cluster.connect(graph, 0);
  session.run(model.init);
  dg::RunMetadata metadata;
  session.run({.metadata = &metadata}, model.train);
  CHECK(metadata.partitions.size() == 4);
  CHECK(metadata.messages == 13);
  for (int i = 0; i < 500; ++i) session.run(model.train);
  auto [w, b] = session.run(model.W, model.b);
  CHECK(std::abs(w(0) - 0.1f) < 1e-3f);
  CHECK(std::abs(b(0) - 0.3f) < 1e-3f);
  CHECK(cluster.leftovers() == 0);
}

TEST_CASE("repeated steps over four simulated servers end where single ones do") {
  dg::test::SimCluster cluster(2);
  dg::Graph graph;
  auto building = graph.as_default();
  const Regression model = regression({sim_task(0), sim_task(1), sim_task(2), sim_task(3)});
  auto session = cluster.connect(graph, 3);
  session.run(model.init);
  auto [w0, b0] = session.run(model.W, model.b);
  for (int i = 0; i < 50; ++i) session.run(model.train);
  auto [w1, b1] = session.run(model.W, model.b);
  const auto set_w = model.W.assign(w0), set_b = model.b.assign(b0);
  session.run(dg::Op<void>(set_w), dg::Op<void>(set_b));
  std::uint64_t completed = 0;
  session.run({.repeat = 50, .completed = &completed}, model.train);
  auto [w2, b2] = session.run(model.W, model.b);
  CHECK(completed == 50);
  CHECK((w1 == w2));
  CHECK((b1 == b2));
  CHECK(cluster.leftovers() == 0);
}

TEST_CASE("training over four server processes") {
  dg::test::ServerCluster servers(DGRAPH_TEST_SERVER, {{"canshu", 2}, {"gongzuo", 2}});
  dg::Graph graph;
  auto building = graph.as_default();
  const Regression model = regression(
      {"/job:canshu/task:0", "/job:canshu/task:1", "/job:gongzuo/task:0", "/job:gongzuo/task:1"});
  dg::Session<dg::transport::Tcp> session(servers.target(0));
  session.run(model.init);
  dg::RunMetadata metadata;
  session.run({.metadata = &metadata}, model.train);
  CHECK(metadata.messages == 13);
  for (int i = 0; i < 300; ++i) session.run(model.train);
  session.run({.repeat = 300}, model.train);
  auto [w, b, loss] = session.run(model.W, model.b, model.loss);
  CHECK(std::abs(w(0) - 0.1f) < 1e-3f);
  CHECK(std::abs(b(0) - 0.3f) < 1e-3f);
  CHECK(loss() < 1e-6f);
}
