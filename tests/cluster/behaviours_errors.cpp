// Behaviours of TensorFlow's sessions that dgraph keeps or betters: which error a step ends with, and what it says.
#include <set>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

constexpr const char *kWorker0 = "/job:worker/task:0", *kWorker1 = "/job:worker/task:1";

// Fails with FailedPrecondition.
Op<float> unset_variable(const std::string& on) {
  const auto there = device(on);
  return variable("unset", 1.0f) + 1.0f;
}

}  // namespace

TEST_CASE("behaviour 48: an error on one task ends a loop on another, and the next step runs") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const auto bad = divide_by_zero(kWorker0);
  const auto bound = placeholder_with_default(std::int64_t{1} << 60, PartialShape::scalar());
  Op<std::int64_t> loop;
  {
    const auto on = device(kWorker1);
    loop = while_loop([&](Op<std::int64_t> i) { return less(i, bound); },
                      [](Op<std::int64_t> i) { return i + std::int64_t{1}; },
                      constant(std::int64_t{0}));
  }
  const auto after = constant(1);
  Session<Tcp> session(servers.target(0));
  const auto begin = Clock::now();
  check_status(status_of([&] { session.run(bad, loop); }), Code::InvalidArgument,
               {"ivision by zero"});
  CHECK(Clock::now() - begin < 8s);
  CHECK(session.run(after)() == 1);
  check_status(status_of([&] { session.run({.deadline = 300ms}, loop); }), Code::DeadlineExceeded,
               {"deadline"});
  CHECK(session.run({{bound, std::int64_t{1000}}}, loop)() == 1000);
}

TEST_CASE("behaviour 49: of two errors one is told, never a cancellation that one of them caused") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  for (const char* second : {kWorker1, kWorker0}) {
    Graph graph;
    const auto building = graph.as_default();
    const auto both = group({divide_by_zero(kWorker0), unset_variable(second)});
    Session<Tcp> session(servers.target(0));
    for (int step = 0; step < 30; ++step) {
      const Status status = status_of([&] { session.run(both); });
      INFO(status.to_string());
      REQUIRE(
          (status.code() == Code::InvalidArgument || status.code() == Code::FailedPrecondition));
      REQUIRE_THAT(status.place().task, contains("/job:worker/replica:0/task:"));
    }
  }
}

TEST_CASE(
    "behaviour 50: tasks that wait for a failed one report its error, not their own cancellation") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const auto bad = divide_by_zero(kWorker1);
  Op<std::int32_t> y, z;
  {
    const auto on = device(kWorker0);
    y = bad + 1;
  }
  {
    const auto on = device("/job:ps/task:0");
    z = y + 1;
  }
  const std::size_t worker0 = servers.position("worker", 0);
  Session<Tcp> session(servers.target(worker0));
  for (int step = 0; step < 30; ++step)
    check_status(
        status_of([&] { session.run(y, z); }), Code::InvalidArgument,
        {"From /job:worker/replica:0/task:1", "ivision by zero", "behaviours_support.hpp:"});
}

TEST_CASE(
    "behaviour 51: a very long error message arrives, whole up to a limit, and the session goes "
    "on") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  const auto text = placeholder<std::string>(PartialShape::scalar());
  Op<float> number;
  {
    const auto on = device(kWorker1);
    number = string_to_number<float>(text);
  }
  Session<Tcp> session(servers.target(0));
  for (const std::size_t size : {std::size_t{100}, std::size_t{100'000}, std::size_t{1} << 20}) {
    const std::string wrong(size, 'x');
    const Status status = status_of([&] { session.run({{text, wrong}}, number); });
    CHECK(code_name(status.code()) == "InvalidArgument");
    CHECK(status.message().find(wrong) != std::string::npos);
  }
  const std::string far_too_long(40'000'000, 'x');
  const Status cut = status_of([&] { session.run({{text, far_too_long}}, number); });
  CHECK(code_name(cut.code()) == "InvalidArgument");
  CHECK(cut.message().size() < far_too_long.size());
  CHECK(cut.message().find("characters of this message were cut") != std::string::npos);
  CHECK(session.run({{text, "4.5"}}, number)() == 4.5f);
}

TEST_CASE("a deadline error lists the nodes that were waiting, with their devices") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 2}});
  Graph graph;
  const auto building = graph.as_default();
  Variable<float> v;
  Op<float> far;
  {
    const auto on = device(kWorker1);
    v = variable("v", 0.0f);
  }
  {
    const auto on = device(kWorker0);
    far = v.assign_add(1.0f) + 1.0f;
  }
  Session<Tcp> session(servers.target(0));
  session.run(v.initializer());
  check_status(status_of([&] { session.run({.deadline = 500ms, .repeat = 1'000'000'000}, far); }),
               Code::DeadlineExceeded, {"deadline"});
  CHECK(session.run(v)() > 0);
  // A task that waits for another says for what, and for whom.
  Op<std::int64_t> loop, after;
  {
    const auto on = device(kWorker1);
    loop = while_loop(
        [](Op<std::int64_t> i) { return greater_equal(i, std::int64_t{0}); },
        [](Op<std::int64_t> i) { return floormod(i + std::int64_t{1}, std::int64_t{1000}); },
        constant(std::int64_t{0}));
  }
  {
    const auto on = device(kWorker0);
    after = identity(loop, "after") + std::int64_t{1};
  }
  check_status(status_of([&] { session.run({.deadline = 300ms}, after); }), Code::DeadlineExceeded,
               {"waiting: ", "which task /job:worker/replica:0/task:1 has not sent"});
}
