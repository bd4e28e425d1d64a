// Behaviours of TensorFlow's sessions that dgraph keeps or betters: targets, closing, time limits.
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("behaviour 34: what is no target is refused at once, and quoted") {
  Graph graph;
  const auto building = graph.as_default();
  const auto c = constant(1);
  SessionOptions options;
  options.connect_deadline = 300ms;
  for (const char* target :
       {"local", "tcp", "tcp:", "tcp://", "tcp://localhost",
        "tcp://localhost:", "tcp://localhost:port", "tcp://localhost:99999", "tcp://localhost:-1",
        "http://localhost:2222", "grpc://localhost:2222", "tcp:/localhost:2222",
        "tcp://localhost:2222,localhost:2223", "/job:worker/task:0", " "}) {
    const auto begin = Clock::now();
    check_status(status_of([&] { Session<Tcp>(target, options).run(c); }), Code::InvalidArgument,
                 {target});
    CHECK(Clock::now() - begin < 5s);
  }
  check_status(status_of([&] { Session<Tcp>("tcp://no-such-host.invalid:2222", options).run(c); }),
               Code::Unavailable, {"no-such-host.invalid:2222"});
}

TEST_CASE("behaviour 35: a closed session refuses runs, and may be closed again") {
  Graph graph;
  const auto building = graph.as_default();
  const auto c = constant(1);
  embedded_and_served(graph, [&](auto& session) {
    session.run(c);
    session.close();
    check_status(status_of([&] { session.run(c); }), Code::FailedPrecondition, {"closed"});
    session.close();
  });
}

TEST_CASE("behaviour 36: closing cancels what runs") {
  Graph graph;
  const auto building = graph.as_default();
  const auto v = variable("v", 0.0f);
  const auto more = Op<void>(v.assign_add(1.0f));
  embedded_and_served(graph, [&](auto& session) {
    session.run(v.initializer());
    Status waiting;
    std::thread other(
        [&] { waiting = status_of([&] { session.run({.repeat = 1'000'000'000}, more); }); });
    const auto until = Clock::now() + 20s;
    while (session.run(v)() == 0 && Clock::now() < until) {
    }
    session.close();
    other.join();
    check_status(waiting, Code::Cancelled, {"the session was closed"});
  });
}

TEST_CASE(
    "behaviour 38: a session to nobody is Unavailable with the address, within the deadline") {
  const ReservedPorts ports(1);
  Graph graph;
  const auto building = graph.as_default();
  const auto within = [&](const std::string& target, SessionOptions options) {
    const auto begin = Clock::now();
    check_status(status_of([&] { Session<Tcp> session(target, options); }), Code::Unavailable,
                 {target.substr(6)});
    CHECK(Clock::now() - begin < 8s);
  };
  SessionOptions connect, session_default;
  connect.connect_deadline = 500ms;
  session_default.config.default_deadline = 500ms;
  for (const SessionOptions& options : {connect, session_default}) {
    within("tcp://" + ports.address(0), options);
    // Reserved for documentation: nobody answers.
    within("tcp://192.0.2.1:2222", options);
  }
  // Without a word about it there is a limit, too.
  CHECK(SessionOptions().connect_deadline <= 10s);
}

TEST_CASE("behaviour 63: a session waits for nobody that it does not need") {
  const ReservedPorts ports(2);
  const std::string spec = "worker=" + ports.address(0) + "," + ports.address(1);
  const auto start = [&](const char* task) {
    return Process({DGRAPH_TEST_SERVER, "--job", "worker", "--task", task, "--cluster", spec});
  };
  Process first = start("0");
  const auto target = first.read_line(10s);
  REQUIRE(target);
  Graph graph;
  const auto building = graph.as_default();
  const auto here = constant(1) + 1;
  Op<std::int32_t> there;
  {
    const auto on = device("/job:worker/task:1");
    there = opaque_zero() + 2;
  }
  Session<Tcp> session(*target);
  auto begin = Clock::now();
  CHECK(session.run(here)() == 2);
  CHECK(session.list_devices().size() == 2);
  CHECK(Clock::now() - begin < 5s);
  begin = Clock::now();
  check_status(status_of([&] { session.run({.deadline = 500ms}, there); }), Code::Unavailable,
               {"/job:worker/replica:0/task:1", ports.address(1)});
  CHECK(Clock::now() - begin < 8s);
  SessionOptions limited;
  limited.config.default_deadline = 500ms;
  Session<Tcp> brief(*target, limited);
  CHECK(brief.run(here)() == 2);
  check_status(status_of([&] { brief.run(there); }), Code::Unavailable,
               {"/job:worker/replica:0/task:1"});
  // A run that waits goes on when the task comes.
  Status waiting;
  std::thread patient([&] { waiting = status_of([&] { session.run({.deadline = 20s}, there); }); });
  Process second = start("1");
  patient.join();
  check_status(waiting, Code::Ok);
}

TEST_CASE("a step that needs several absent tasks names all of them") {
  const ReservedPorts ports(3);
  const std::string spec =
      "worker=" + ports.address(0) + "," + ports.address(1) + "," + ports.address(2);
  Process first({DGRAPH_TEST_SERVER, "--job", "worker", "--task", "0", "--cluster", spec});
  const auto target = first.read_line(10s);
  REQUIRE(target);
  Graph graph;
  const auto building = graph.as_default();
  std::vector<Output> all;
  for (const char* task : {"/job:worker/task:1", "/job:worker/task:2"}) {
    const auto on = device(task);
    all.push_back(variable("v", 1.0f).initializer());
  }
  const auto both = group(all);
  check_status(status_of([&] { Session<Tcp>(*target).run({.deadline = 500ms}, both); }),
               Code::Unavailable,
               {"/job:worker/replica:0/task:1", "/job:worker/replica:0/task:2", ports.address(1),
                ports.address(2)});
}
