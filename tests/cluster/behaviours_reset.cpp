// Behaviours of TensorFlow's sessions that dgraph keeps or betters: emptying containers.
#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

constexpr const char* kPs = "/job:ps/task:0";

}  // namespace

TEST_CASE(
    "behaviour 7: a reset ends live sessions with a sentence, empties variables, and closing "
    "succeeds") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto there = device(kPs);
  const auto v = variable("v", std::int32_t{5});
  Session<Tcp> live(servers.target(1));
  live.run(v.initializer());
  Session<Tcp>::reset(servers.target(1));
  for (int i = 0; i < 2; ++i)
    check_status(status_of([&] { live.run(v); }), Code::Aborted,
                 {"the server was reset", "open it again"});
  Session<Tcp> fresh(servers.target(1));
  check_status(status_of([&] { fresh.run(v); }), Code::FailedPrecondition,
               {"uninitialized value v", "/job:ps/replica:0/task:0"});
  live.close();
  // The session that asks for the reset goes on.
  fresh.run(v.initializer());
  fresh.reset();
  check_status(status_of([&] { fresh.run(v); }), Code::FailedPrecondition);
  fresh.run(v.initializer());
  CHECK(fresh.run(v)() == 5);
}

TEST_CASE("behaviour 8: a reset of one container empties that and no other, and sessions go on") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  Variable<std::int32_t> mine;
  {
    const auto in = container("mine");
    mine = variable("mine", std::int32_t{1});
  }
  const auto other = variable("other", std::int32_t{2});
  const auto init = global_variables_initializer();
  const auto check = [&](auto& live, auto reset) {
    live.run(init);
    reset({"mine"});
    CHECK(live.run(other)() == 2);
    check_status(status_of([&] { live.run(mine); }), Code::FailedPrecondition,
                 {"uninitialized value mine"});
    live.run(mine.initializer());
    reset({"nobody"});
    CHECK(live.run(other)() == 2);
    CHECK(live.run(mine)() == 1);
  };
  Session<Tcp> served(servers.target(0));
  check(served,
        [&](std::vector<std::string> names) { Session<Tcp>::reset(servers.target(0), names); });
  CHECK(Session<Tcp>(servers.target(0)).run(other)() == 2);
  Session<> embedded;
  check(embedded, [&](const std::vector<std::string>& names) { embedded.reset(names); });
}

TEST_CASE("behaviour 9: the default container has the name of the job that holds the variable") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto there = device(kPs);
  const auto v = variable("v", std::int32_t{5});
  CHECK(v.ref().node().attr<std::string>("container").empty());
  const std::string ps = servers.target(0), worker = servers.target(1);
  const auto after = [&](const std::string& target, const std::vector<std::string>& containers) {
    Session<Tcp>(worker).run(v.initializer());
    Session<Tcp>::reset(target, containers);
    return status_of([&] { Session<Tcp>(worker).run(v); });
  };
  check_status(after(worker, {"worker"}), Code::Ok);
  check_status(after(worker, {"localhost"}), Code::Ok);
  check_status(after(worker, {"ps"}), Code::FailedPrecondition, {"uninitialized value v"});
  check_status(after(ps, {"ps"}), Code::FailedPrecondition, {"uninitialized value v"});
  check_status(after(worker, {}), Code::FailedPrecondition, {"uninitialized value v"});
  check_status(after(ps, {}), Code::FailedPrecondition, {"uninitialized value v"});
}

TEST_CASE("behaviour 10: a reset where nobody is ends by itself, Unavailable with the address") {
  const ReservedPorts ports(1);
  const auto begin = Clock::now();
  check_status(status_of([&] { Session<Tcp>::reset("tcp://" + ports.address(0), {}, 500ms); }),
               Code::Unavailable, {ports.address(0)});
  CHECK(Clock::now() - begin < 8s);
  check_status(status_of([&] { Session<Tcp>::reset("tcp://nowhere"); }), Code::InvalidArgument,
               {"tcp://nowhere"});
}

TEST_CASE(
    "a variable of another shape under the same name: the error says how to reset, and that "
    "helps") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  const auto make = [&](std::size_t size) {
    auto graph = std::make_unique<Graph>();
    const auto building = graph->as_default();
    variable("a", xt::xarray<float>(xt::zeros<float>({size})));
    global_variables_initializer();
    return graph;
  };
  const auto before = make(100), after = make(200);
  Session<Tcp>(*before, servers.target(0)).run(Op<void>(before->output("init")));
  Session<Tcp> session(*after, servers.target(0));
  check_status(status_of([&] { session.run(Op<void>(after->output("init"))); }),
               Code::InvalidArgument, {"variable a", "[100]", "[200]", "reset"});
  session.reset();
  session.run(Op<void>(after->output("init")));
  CHECK(session.run(after->output("a")).elements() == 200);
}
