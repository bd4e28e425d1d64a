// Steps whose feeds and fetches come in parts.
#include "behaviours_support.hpp"
#include "sim_cluster.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// (a + b) * c, in parts; the sum on another task where there is one.
struct Parts {
  Op<float> a, b, c, sum, product;
  explicit Parts(const char* sum_on = "") {
    a = placeholder<float>(PartialShape::scalar(), "a");
    b = placeholder<float>(PartialShape::scalar(), "b");
    c = placeholder<float>(PartialShape::scalar(), "c");
    {
      const auto there = device(sum_on);
      sum = a + b;
    }
    product = sum * c;
  }
  std::vector<Output> feeds() const { return {a, b, c}; }
};

template <class S>
void check_parts(S& session, const Parts& g) {
  PartialRun step = session.partial_run_setup(g.feeds(), g.sum, g.product);
  const auto sum = session.partial_run(step, {{g.a, 1.0f}, {g.b, 2.0f}}, g.sum);
  CHECK(sum() == 3.0f);
  CHECK(session.partial_run(step, {{g.c, sum() * 10}}, g.product)() == 90.0f);
}

}  // namespace

TEST_CASE("a step in parts: values go in as they are known and come out as they are needed") {
  Graph graph;
  const auto building = graph.as_default();
  const Parts g;
  embedded_and_served(graph, [&](auto& session) {
    for (int i = 0; i < 3; ++i) check_parts(session, g);
    // Two at once, and whole steps beside.
    PartialRun one = session.partial_run_setup(g.feeds(), g.sum, g.product);
    PartialRun two = session.partial_run_setup(g.feeds(), g.sum, g.product);
    session.partial_run(one, {{g.a, 1.0f}});
    CHECK(session.partial_run(two, {{g.a, 5.0f}, {g.b, 5.0f}}, g.sum)() == 10.0f);
    CHECK(session.run({{g.a, 0.0f}, {g.b, 7.0f}}, g.sum)() == 7.0f);
    CHECK(session.partial_run(one, {{g.b, 1.0f}}, g.sum)() == 2.0f);
    auto [again, product] = session.run({{g.a, 1.0f}, {g.b, 1.0f}, {g.c, 3.0f}}, g.sum, g.product);
    CHECK(again() == 2.0f);
    CHECK(product() == 6.0f);
  });
}

TEST_CASE("a step in parts over several tasks") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const Parts g("/job:worker/task:1");
  Session<Tcp> session(servers.target(0));
  for (int i = 0; i < 20; ++i) check_parts(session, g);
}

TEST_CASE("what a part may not do is said, and the step goes on") {
  Graph graph;
  const auto building = graph.as_default();
  const Parts g;
  const auto d = placeholder<float>(PartialShape::scalar(), "d");
  embedded_and_served(graph, [&](auto& session) {
    PartialRun step = session.partial_run_setup(g.feeds(), g.sum, g.product);
    check_status(status_of([&] {
                   session.partial_run(step, {{d, 1.0f}});
                 }),
                 Code::InvalidArgument, {"d"});
    check_status(status_of([&] {
                   session.partial_run(step, {{g.a, 1.0f}}, g.a);
                 }),
                 Code::InvalidArgument, {"a"});
    check_status(status_of([&] {
                   session.partial_run(step, {{g.a, 1.0f}}, g.sum);
                 }),
                 Code::InvalidArgument, {"\"b:0\" must be fed"});
    // What was refused has given nothing.
    session.partial_run(step, {{g.a, 1.0f}});
    check_status(status_of([&] {
                   session.partial_run(step, {{g.a, 2.0f}});
                 }),
                 Code::InvalidArgument, {"twice"});
    CHECK(session.partial_run(step, {{g.b, 2.0f}}, g.sum)() == 3.0f);
    check_status(status_of([&] { session.partial_run(step, Feeds(), g.sum); }),
                 Code::InvalidArgument, {"twice"});
    CHECK(session.partial_run(step, {{g.c, 2.0f}}, g.product)() == 6.0f);
  });
}

TEST_CASE("an error in one part ends the step, and the next part hears of it") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = placeholder<std::int32_t>(PartialShape::scalar()),
             b = placeholder<std::int32_t>(PartialShape::scalar());
  const auto quotient = floordiv(1, a), sum = b + 1;
  embedded_and_served(graph, [&](auto& session) {
    PartialRun step = session.partial_run_setup({a, b}, quotient, sum);
    check_status(status_of([&] {
                   session.partial_run(step, {{a, 0}}, quotient);
                 }),
                 Code::InvalidArgument, {"ivision by zero"});
    check_status(status_of([&] {
                   session.partial_run(step, {{b, 1}}, sum);
                 }),
                 Code::InvalidArgument, {"ivision by zero"});
  });
}

TEST_CASE("a step in parts that nobody goes on with ends by its lease") {
  SimCluster cluster(1);
  Graph graph;
  const auto building = graph.as_default();
  const Parts g(sim_task(2).c_str());
  auto session = cluster.connect(graph, 0);
  PartialRun brief = session.partial_run_setup({.lease = 1s}, g.feeds(), g.sum, g.product);
  for (const Op<float>& part : {g.a, g.b}) {
    cluster.network->run_for(700ms);
    session.partial_run(brief, {{part, 1.0f}});
  }
  CHECK(session.partial_run(brief, Feeds(), g.sum)() == 2.0f);
  cluster.network->run_for(1500ms);
  check_status(status_of([&] {
                 session.partial_run(brief, {{g.c, 1.0f}}, g.product);
               }),
               Code::Aborted, {"partial run is over"});
  CHECK(cluster.leftovers() == 0);
}

TEST_CASE("a step in parts ends with its session, and when it is given up") {
  SimCluster cluster(2);
  Graph graph;
  const auto building = graph.as_default();
  const Parts g(sim_task(1).c_str());
  auto session = cluster.connect(graph, 0);
  { const PartialRun dropped = session.partial_run_setup(g.feeds(), g.sum); }
  session.run({{g.a, 0.0f}, {g.b, 0.0f}}, g.sum);
  cluster.network->run_for(100ms);
  CHECK(cluster.leftovers() == 0);
  PartialRun left = session.partial_run_setup(g.feeds(), g.sum);
  session.close();
  check_status(status_of([&] {
                 session.partial_run(left, {{g.a, 1.0f}});
               }),
               Code::FailedPrecondition, {"closed"});
  cluster.network->run_for(100ms);
  CHECK(cluster.leftovers() == 0);
}
