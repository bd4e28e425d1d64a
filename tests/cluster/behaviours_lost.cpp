// Behaviours of TensorFlow's sessions that dgraph keeps or betters: tasks that are killed and come back.
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// A variable on ps 0, used on worker 0 (the master) and on worker 1.
struct Three {
  ServerCluster servers{DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}}};
  Graph graph;
  Variable<std::int32_t> v, count;
  Op<std::int32_t> there, here, here_only;
  Op<void> endless;
  std::unique_ptr<Session<Tcp>> session;
  const std::size_t ps = 0, master = 1, worker = 2;

  Three() {
    const auto building = graph.as_default();
    {
      const auto on = device("/job:ps/task:0");
      v = variable("v", std::int32_t{5});
    }
    {
      const auto on = device("/job:worker/task:1");
      there = v + 1;
      count = variable("count", std::int32_t{0});
      endless = Op<void>(count.assign_add(1));
    }
    {
      const auto on = device("/job:worker/task:0");
      here = v * 2;
      here_only = opaque_zero() + 4;
    }
    session = connect();
    session->run(v.initializer(), count.initializer());
  }
  std::unique_ptr<Session<Tcp>> connect() {
    return std::make_unique<Session<Tcp>>(graph, servers.target(master));
  }

  /// How a run that would go on for ever ends when that task is killed.
  Status killed_during(Session<Tcp>& in, std::size_t task, Duration deadline = kNoDeadline) {
    const std::int32_t before = in.run(count)();
    Status status;
    std::thread step([&] {
      status = status_of([&] { in.run({.deadline = deadline, .repeat = 1'000'000'000}, endless); });
    });
    const auto until = Clock::now() + 20s;
    while (in.run(count)() == before && Clock::now() < until) {
    }
    const auto killed = Clock::now();
    servers.kill(task);
    step.join();
    CHECK(Clock::now() - killed < 6s);
    return status;
  }
  std::string address(std::size_t task) const { return servers.address(task); }
};

// Aborted once, then the value.
template <class F>
void check_aborted_once(F call, std::int32_t value) {
  check_status(status_of(call), Code::Aborted);
  std::int32_t got = 0;
  check_status(status_of([&] { got = call()(); }), Code::Ok);
  CHECK(got == value);
}

}  // namespace

TEST_CASE("behaviour 53a: a worker killed between steps and restarted") {
  Three g;
  CHECK(g.session->run(g.there)() == 6);
  g.servers.kill(g.worker);
  for (int again = 0; again < 2; ++again) {
    const auto begin = Clock::now();
    check_status(status_of([&] { g.session->run(g.there); }), Code::Unavailable,
                 {"/job:worker/replica:0/task:1", g.address(g.worker)});
    CHECK(Clock::now() - begin < 8s);
  }
  CHECK(g.session->run(g.here)() == 10);
  CHECK(g.connect()->run(g.here_only)() == 4);
  g.servers.restart(g.worker);
  check_aborted_once([&] { return g.session->run(g.there); }, 6);
  auto [there, here] = g.session->run(g.there, g.here);
  CHECK(there() == 6);
  CHECK(here() == 10);
  g.session->close();
  CHECK(g.connect()->run(g.there)() == 6);
}

TEST_CASE("behaviour 53b: the same within a time limit on each step") {
  Three g;
  CHECK(g.session->run({.deadline = 3s}, g.there)() == 6);
  g.servers.kill(g.worker);
  for (int again = 0; again < 2; ++again) {
    const auto begin = Clock::now();
    check_status(status_of([&] { g.session->run({.deadline = 1s}, g.there); }), Code::Unavailable,
                 {"/job:worker/replica:0/task:1", g.address(g.worker)});
    CHECK(Clock::now() - begin < 6s);
  }
  g.servers.restart(g.worker);
  check_aborted_once([&] { return g.session->run({.deadline = 5s}, g.there); }, 6);
}

TEST_CASE("behaviour 53c: a worker killed during a step") {
  Three g;
  check_status(g.killed_during(*g.session, g.worker), Code::Unavailable,
               {"/job:worker/replica:0/task:1", g.address(g.worker)});
  g.servers.restart(g.worker);
  check_aborted_once([&] { return g.session->run(g.there); }, 6);
  const auto second = g.connect();
  second->run(g.count.initializer());
  check_status(g.killed_during(*second, g.worker, 30s), Code::Unavailable,
               {"/job:worker/replica:0/task:1"});
  // Closing waits for nobody who is gone.
  const auto begin = Clock::now();
  second->close();
  CHECK(Clock::now() - begin < 4s);
}

TEST_CASE("behaviour 53d: the task that holds the variables killed and restarted") {
  Three g;
  CHECK(g.session->run(g.here)() == 10);
  g.servers.kill(g.ps);
  check_status(status_of([&] { g.session->run({.deadline = 2s}, g.here); }), Code::Unavailable,
               {"/job:ps/replica:0/task:0", g.address(g.ps)});
  g.servers.restart(g.ps);
  check_status(status_of([&] { g.session->run(g.here); }), Code::Aborted,
               {"/job:ps/replica:0/task:0", "restarted"});
  check_status(status_of([&] { g.session->run(g.here); }), Code::FailedPrecondition,
               {"uninitialized value v"});
  const auto second = g.connect();
  check_status(status_of([&] { second->run(g.here); }), Code::FailedPrecondition,
               {"uninitialized value v"});
  second->run(g.v.initializer());
  CHECK(second->run(g.here)() == 10);
  CHECK(g.session->run(g.here)() == 10);
}

TEST_CASE("behaviour 53e: the session's own master killed and restarted") {
  Three g;
  check_status(g.killed_during(*g.session, g.master), Code::Unavailable, {g.address(g.master)});
  const auto begin = Clock::now();
  check_status(status_of([&] { g.session->run({.deadline = 1s}, g.here); }), Code::Unavailable,
               {g.address(g.master)});
  CHECK(Clock::now() - begin < 6s);
  g.servers.restart(g.master);
  check_aborted_once([&] { return g.session->run(g.here); }, 10);
  g.session->close();
  CHECK(g.connect()->run(g.here)() == 10);
}

TEST_CASE("a finished worker does not stand in the way of sessions that do not need it") {
  Three g;
  CHECK(g.session->run(g.there)() == 6);
  g.session->close();
  g.servers.process(g.worker).signal(SIGTERM);
  CHECK(g.servers.process(g.worker).wait(5s).value_or(-1) == 0);
  const auto begin = Clock::now();
  const auto later = g.connect();
  CHECK(later->run(g.here)() == 10);
  CHECK(later->list_devices().size() == 3);
  later->close();
  CHECK(Clock::now() - begin < 5s);
}
