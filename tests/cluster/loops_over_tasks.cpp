// Loops whose nodes are on several tasks: each task goes round as often as the condition says.
#include <cmath>

#include "flow_support.hpp"
#include "sim_cluster.hpp"
#include "support/catch.hpp"
#include "support/process.hpp"

namespace dg = dgraph;
using namespace std::chrono_literals;
using dg::test::Approx;
using dg::test::bool_input;
using dg::test::contains;
using dg::test::count_input;
using dg::test::scalar_input;
using dg::test::sim_task;

namespace {

// x w^n + sum of w^k, k < n, with the multiplication on one device and the addition on another.
struct Power {
  dg::Op<int> n = count_input();
  dg::Op<float> x = scalar_input(), w = scalar_input();
  dg::Op<float> result, dx, dw;

  Power(const std::string& first, const std::string& second) {
    const auto [steps, value] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto a) {
      dg::Op<float> scaled, moved;
      {
        const auto on = dg::device(first);
        scaled = a * w;
      }
      {
        const auto on = dg::device(second);
        moved = scaled + 1.f;
      }
      return std::tuple(i + 1, moved);
    }, std::tuple(0, x));
    result = value;
    std::tie(dx, dw) = dg::gradients(result, std::tuple(x, w));
  }
  template <class Session>
  void check(Session& session) const {
    for (const int k : {0, 1, 2, 7, 30}) {
      double value = 1.5, slope = 0;
      for (int i = 0; i < k; ++i) {
        slope = slope * 0.8 + value;
        value = value * 0.8 + 1;
      }
      auto [y, gx, gw] = session.run({{n, k}, {x, 1.5f}, {w, .8f}}, result, dx, dw);
      CHECK(y() == Approx(value));
      CHECK(gx() == Approx(std::pow(.8, k)));
      CHECK(gw() == Approx(slope));
    }
  }
};

}  // namespace

TEST_CASE("a loop's body on other tasks, and its gradient") {
  dg::test::SimCluster cluster(1);
  dg::Graph graph;
  auto building = graph.as_default();
  const Power power(sim_task(1), sim_task(2));
  auto session = cluster.connect(graph, 0);
  power.check(session);
  CHECK(cluster.leftovers() == 0);
}

TEST_CASE("the same over server processes") {
  dg::test::ServerCluster servers(DGRAPH_TEST_SERVER, {{"a", 3}});
  dg::Graph graph;
  auto building = graph.as_default();
  const Power power("/job:a/task:1", "/job:a/task:2");
  dg::Session<dg::transport::Tcp> session(servers.target(0));
  power.check(session);
}

TEST_CASE("what stays the same in a loop is sent once, the rest once an iteration") {
  dg::test::SimCluster cluster(2);
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  const auto x = scalar_input();
  const auto [steps, value] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto a) {
    const auto on = dg::device(sim_task(1));
    return std::tuple(dg::identity(i) + 1, a + x);
  }, std::tuple(0, 0.f));
  auto session = cluster.connect(graph, 0);
  const auto edges = [&](int count) {
    dg::RunMetadata metadata;
    CHECK(session.run({.metadata = &metadata}, {{n, count}, {x, 2.f}}, value)() == 2.f * static_cast<float>(count));
    return metadata.messages;
  };
  const auto few = edges(10), many = edges(20);
  // An iteration: what the body takes, and the predicate; what it gives.
  CHECK(many - few <= 10 * 4);
}

TEST_CASE("loops in loops and conditionals, each node on a task of its own choice") {
  const auto f = [](int k, double a, double b) {
    double r = a;
    for (int i = 0; i < k; ++i) {
      double q = r;
      for (int j = 0; j < i; ++j) q = j % 2 == 0 ? std::tanh(q * b) + r * .5 : q * a;
      r = q + b;
    }
    return r;
  };
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    dg::test::SimCluster cluster(seed);
    dg::Graph graph;
    auto building = graph.as_default();
    std::uint64_t state = seed * 7919;
    const auto anywhere = dg::device(dg::DeviceFunction([&](const dg::NodeDraft&, const dg::DeviceSpec& spec) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return spec.overridden_by(dg::DeviceSpec::parse(sim_task(static_cast<int>(state >> 33) % 3)));
    }));
    const auto p = bool_input();
    const auto n = count_input();
    const auto x = scalar_input(), w = scalar_input();
    const auto loops = [&] {
      const auto [outer, r] = dg::while_loop([&](auto i, auto) { return i < n; }, [&](auto i, auto a) {
        const auto [inner, q] = dg::while_loop([&](auto j, auto) { return j < i; }, [&](auto j, auto b) {
          const auto even = dg::equal(dg::floormod(j, 2), 0);
          return std::tuple(j + 1, dg::cond(even, [&] { return dg::tanh(b * w) + a * 0.5f; }, [&] { return b * x; }));
        }, std::tuple(0, a));
        return std::tuple(i + 1, q + w);
      }, std::tuple(0, x));
      return r;
    };
    const auto y = dg::cond(p, loops, [&] { return w; });
    const auto [dx, dw] = dg::gradients(y, std::tuple(x, w));
    auto session = cluster.connect(graph, static_cast<int>(seed % 3));
    for (const int k : {0, 1, 3, 12}) {
      auto [value, gx, gw] = session.run({{p, true}, {n, k}, {x, .9f}, {w, .7f}}, y, dx, dw);
      CHECK(value() == Approx(f(k, .9, .7)).epsilon(1e-4));
      CHECK(gx() == Approx(dg::test::slope([&](double a) { return f(k, a, .7); }, .9)).epsilon(1e-3).margin(1e-5));
      CHECK(gw() == Approx(dg::test::slope([&](double b) { return f(k, .9, b); }, .7)).epsilon(1e-3).margin(1e-5));
      auto [other, hx, hw] = session.run({{p, false}, {n, k}, {x, .9f}, {w, .7f}}, y, dx, dw);
      CHECK(other() == .7f);
      CHECK(hx() == 0.f);
      CHECK(hw() == 1.f);
    }
    session.run({.repeat = 5}, {{p, true}, {n, 4}, {x, .9f}, {w, .7f}}, dx);
    CHECK(cluster.leftovers() == 0);
  }
}

TEST_CASE("a variable elsewhere is written in each iteration, in order") {
  dg::test::SimCluster cluster(3);
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> v;
  {
    const auto on = dg::device(sim_task(2));
    v = dg::variable("v", 0.f);
  }
  const auto [steps, sum] = dg::while_loop([](auto i, auto) { return i < 10; }, [&](auto i, auto a) {
    const auto after = dg::control_dependencies({v.assign_add(1.f)});
    return std::tuple(i + 1, a + v);
  }, std::tuple(0, 0.f), {.parallel_iterations = 1});
  const auto init = dg::global_variables_initializer();
  auto session = cluster.connect(graph, 0);
  session.run(init);
  CHECK(session.run(sum)() == 55.f);
  CHECK(session.run(v)() == 10.f);
}

TEST_CASE("an array on another task") {
  dg::test::SimCluster cluster(4);
  dg::Graph graph;
  auto building = graph.as_default();
  const auto x = dg::placeholder<float>({-1});
  dg::TensorArray<float> array;
  {
    const auto on = dg::device(sim_task(1));
    array = dg::TensorArray<float>(4);
  }
  const auto [steps, out] = dg::while_loop([](auto i, auto) { return i < 4; }, [&](auto i, auto a) {
    return std::tuple(i + 1, a.write(i, dg::gather(x, i) * 2.f));
  }, std::tuple(0, array));
  const auto y = out.stack();
  const auto dx = dg::gradients(y * y, x);
  auto session = cluster.connect(graph, 0);
  auto [value, d] = session.run({{x, xt::xarray<float>{1, 2, 3, 4}}}, y, dx);
  CHECK(value(3) == 8.f);
  CHECK(d(3) == 2 * 8 * 2.f);
}

TEST_CASE("an error in an iteration, and loops without end, over tasks") {
  dg::test::SimCluster cluster(5);
  dg::Graph graph;
  auto building = graph.as_default();
  const auto forever = [](auto) { return dg::constant(true); };
  const auto failing = dg::while_loop(forever, [](auto i) {
    const auto on = dg::device(sim_task(1));
    const auto after = dg::control_dependencies({dg::assert_true(i < 25, {i})});
    return dg::identity(i) + 1;
  }, dg::constant(0));
  const auto endless = dg::while_loop(forever, [](auto i) {
    const auto on = dg::device(sim_task(1));
    return i + 1;
  }, dg::constant(0));
  auto session = cluster.connect(graph, 0);
  CHECK_THROWS_WITH(session.run(failing), contains("assertion failed: [25]"));
  try {
    session.run({.deadline = 500ms}, endless);
    FAIL("ended");
  } catch (const dg::Error& error) {
    CHECK(error.code() == dg::Code::DeadlineExceeded);
  }
  CHECK(session.run(dg::constant(1))() == 1);
}

TEST_CASE("behaviour 48: an error on one task ends a long loop on another") {
  dg::test::ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  dg::Graph graph;
  auto building = graph.as_default();
  const auto n = count_input();
  dg::Op<int> loop;
  dg::Op<void> fails;
  {
    const auto on = dg::device("/job:worker/task:1");
    loop = dg::while_loop([&](auto i) { return i < n; }, [](auto i) { return i + 1; }, dg::constant(0));
  }
  {
    const auto on = dg::device("/job:worker/task:0");
    fails = dg::assert_true(n < 0, {n});
  }
  dg::Session<dg::transport::Tcp> session(servers.target(0));
  try {
    session.run({.deadline = 20s}, {{n, 2'000'000'000}}, loop, fails);
    FAIL("ended");
  } catch (const dg::Error& error) {
    CHECK(error.code() == dg::Code::InvalidArgument);
    CHECK_THAT(error.what(), contains("assertion failed"));
  }
  CHECK(session.run({{n, 1000}}, loop)() == 1000);
}
