#include <dgraph/server_main.hpp>

#include "support/catch.hpp"

#include <dgraph/dgraph.hpp>

#include "support/process.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace dgraph;
using namespace dgraph::test;
using namespace std::chrono_literals;

const std::string kServer = DGRAPH_TEST_SERVER;

// What a program printed and returned; none of it may take long.
struct Outcome {
  int code;
  std::string out, error;
};
Outcome run(std::vector<std::string> words, const ProcessOptions& options = {}) {
  words.insert(words.begin(), kServer);
  Process process(words, options);
  std::string out;
  while (const auto line = process.read_line(5s)) out += *line + "\n";
  const auto code = process.wait(5s);
  return {code.value_or(-1), out, process.errors()};
}

TEST_CASE("help, version and mistakes end at once") {
  const Outcome help = run({"--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, contains("--cluster"));
  const Outcome version = run({"--version"});
  CHECK(version.code == 0);
  CHECK(version.out == std::string("dgraph ") + kVersion + "\n");
  const Outcome mistake = run({"--cluster", "ps=127.0.0.1:0", "--job", "worker"});
  CHECK(mistake.code == 2);
  CHECK(mistake.out.empty());
  CHECK_THAT(mistake.error, contains("'worker'") && contains("ps"));
}

TEST_CASE("a lone server may have its port chosen, and says which") {
  Process server({kServer, "--cluster", "ps=127.0.0.1:0", "--job", "ps"});
  const auto target = server.read_line(10s);
  REQUIRE(target);
  CHECK_THAT(*target, contains("tcp://127.0.0.1:"));
  CHECK(target->back() != ':');
  CHECK(target->substr(target->rfind(':')) != ":0");
}

TEST_CASE("a port in use is an error that names the address") {
  ServerCluster first(kServer, {{"ps", 1}});
  const Outcome second = run({"--cluster", first.spec(), "--job", "ps"});
  CHECK(second.code == 1);
  CHECK(second.out.empty());
  CHECK_THAT(second.error, contains(first.address(0)));
}

TEST_CASE("SIGTERM and SIGINT end an idle server well, and its port is free again") {
  ServerCluster servers(kServer, {{"ps", 1}, {"worker", 1}});
  CHECK(servers.target(0) == "tcp://" + servers.address(0));
  servers.process(0).signal(SIGTERM);
  servers.process(1).signal(SIGINT);
  CHECK(servers.process(0).wait(2s).value_or(-1) == 0);
  CHECK(servers.process(1).wait(2s).value_or(-1) == 0);
  servers.restart(0);
  CHECK(servers.target(0) == "tcp://" + servers.address(0));
}

TEST_CASE("a server ends within 2 s in the middle of a long run, and the client hears of it") {
  ServerCluster servers(kServer, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  auto building = graph.as_default();
  Variable<float> steps;
  {
    auto on = device("/job:ps/task:0");
    steps = variable("steps", 0.f);
  }
  Op<float> one;
  {
    auto on = device("/job:worker/task:0");
    one = sqrt(square(steps) - square(steps) + 1.f);
  }
  auto count = steps.assign_add(one);
  auto init = global_variables_initializer();
  SessionOptions options;
  options.config.default_deadline = 20s;
  Session<transport::Tcp> session(servers.target(0), options);
  session.run(init);
  Status status;
  std::thread client([&] {
    try {
      session.run({.deadline = 60s, .repeat = 1'000'000'000}, Op<void>(count));
    } catch (const Error& error) {
      status = error.status();
    }
  });
  // Runs while the other does, so the long one has begun once this is more than 0.
  bool begun = false;
  std::string failure;
  try {
    for (const auto until = std::chrono::steady_clock::now() + 20s;
         !begun && std::chrono::steady_clock::now() < until;)
      begun = session.run(steps)() > 0;
  } catch (const Error& error) {
    failure = error.what();
  }
  servers.process(0).signal(SIGTERM);
  servers.process(1).signal(SIGTERM);
  const auto ps = servers.process(0).wait(2s), worker = servers.process(1).wait(2s);
  servers.kill(0);
  client.join();
  INFO(failure);
  CHECK(begun);
  CHECK(ps.value_or(-1) == 0);
  CHECK(worker.value_or(-1) == 0);
  INFO(status.to_string());
  CHECK((status.code() == Code::Unavailable || status.code() == Code::Cancelled ||
         status.code() == Code::Aborted));
}

TEST_CASE("TF_CONFIG in the environment is enough") {
  const ReservedPorts ports(1);
  ProcessOptions options;
  options.environment["TF_CONFIG"] =
      R"({"cluster": {"ps": [")" + ports.address(0) + R"("]}, "task": {"type": "ps", "index": 0}})";
#if __has_include(<nlohmann/json.hpp>)
  Process server({kServer}, options);
  CHECK(server.read_line(10s) == "tcp://" + ports.address(0));
#else
  CHECK(run({}, options).code == 2);
#endif
}

}  // namespace
