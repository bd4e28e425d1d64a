// The linear regression step: over four servers, with repeat, and in one process.
#include <array>
#include <string>

#include <dgraph/dgraph.hpp>

#include "bench.hpp"

namespace bench {
namespace {

namespace dg = dgraph;

struct Model {
  dg::Variable<float> W, b;
  dg::Op<void> train, init;
};

// y = 0.1 x + 0.3 from 100 points, its parts on these devices ("" for none).
Model build(const std::array<const char*, 4>& devices) {
  xt::xarray<float> x = xt::random::rand<float>({100});
  xt::xarray<float> y = x * 0.1f + 0.3f;
  Model model;
  {
    auto on = dg::device(devices[0]);
    model.W = dg::variable("W", dg::random_uniform<float>({1}, -1.f, 1.f));
  }
  {
    auto on = dg::device(devices[1]);
    model.b = dg::variable("b", dg::zeros<float>({1}));
  }
  dg::Op<float> loss;
  {
    auto on = dg::device(devices[2]);
    loss = dg::reduce_mean(dg::square(model.W * x + model.b - y));
  }
  {
    auto on = dg::device(devices[3]);
    model.train = dg::GradientDescentOptimizer(0.5f).minimize(loss);
  }
  model.init = dg::global_variables_initializer();
  return model;
}

template <class Session>
void measure(Session& session, const Model& model, const std::string& name) {
  constexpr int kSteps = 5000;
  constexpr std::uint64_t kRepeat = 1000;
  const auto steps = [&](const std::string& what, auto run, double each) {
    Timing t = timed(run, 3.0, each > 1 ? 2 : 200, kSteps);
    auto [w, b] = session.run(model.W, model.b);
    Report(what)
        .add("repeat", each)
        .add("steps_per_s", t.per_s * each)
        .add("p50_us", t.p50_us / each)
        .add("p99_us", t.p99_us / each)
        .add("W", w(0))
        .add("b", b(0));
  };
  session.run(model.init);
  steps(name, [&] { session.run(model.train); }, 1);
  auto call = session.make_callable(model.train);
  steps(name + " make_callable", [&] { call(); }, 1);
  steps(name, [&] { session.run({.repeat = kRepeat}, model.train); }, static_cast<double>(kRepeat));
}

}  // namespace

void step_in_graph() {
  Cluster cluster({{"ps", 2}, {"worker", 2}});
  dg::Graph graph;
  auto building = graph.as_default();
  const Model model = build({"/job:ps/task:0", "/job:ps/task:1", "/job:worker/task:0", "/job:worker/task:1"});
  // The master holds W, as in the floor's arrangement.
  dg::Session<dg::transport::Tcp> session(graph, cluster.target(0));
  measure(session, model, "four-server linear regression step");
}

void step_local() {
  dg::Graph graph;
  auto building = graph.as_default();
  const Model model = build({"", "", "", ""});
  dg::Session<> session(graph);
  measure(session, model, "local linear regression step");
}

}  // namespace bench
