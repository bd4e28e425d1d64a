// The rules of steps (D5) and of repeated steps (D9) as properties over many seeds on simulated time: nothing is lost, mixed or
// delivered twice, nothing stays behind, repeat equals single runs.
#include <cstdlib>
#include <string>
#include <vector>

#include "random_program.hpp"
#include "sim_cluster.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;
using dg::test::random_program;
using dg::test::RandomProgram;
using dg::test::sim_task;
using dg::test::SimCluster;

namespace {

// DGRAPH_TEST_SEEDS asks for more or fewer.
std::uint64_t seeds(std::uint64_t usual) {
  const char* asked = std::getenv("DGRAPH_TEST_SEEDS");
  return asked ? std::strtoull(asked, nullptr, 10) : usual;
}

using Values = std::vector<xt::xarray<std::int64_t>>;

template <class Session>
Values read_all(Session& session, const RandomProgram& program) {
  Values out;
  for (const auto& v : program.variables) out.push_back(session.run(v));
  return out;
}

// What the program computes in one process, one step at a time.
Values expected(std::uint64_t seed, int steps) {
  dg::Graph graph;
  auto building = graph.as_default();
  const RandomProgram program = random_program(seed, 4, [](int) { return std::string(); });
  dg::Session<> session(graph);
  session.run(program.init);
  for (int i = 0; i < steps; ++i) session.run(program.step);
  return read_all(session, program);
}

}  // namespace

TEST_CASE("random programs over four tasks compute what one process does, and leave nothing behind") {
  for (std::uint64_t seed = 1; seed <= seeds(400); ++seed) {
    INFO("seed " << seed);
    SimCluster cluster(seed);
    dg::Graph graph;
    auto building = graph.as_default();
    const RandomProgram program = random_program(seed, 4, sim_task);
    auto session = cluster.connect(graph, static_cast<int>(seed % 4));
    session.run(program.init);
    for (int i = 0; i < 5; ++i) session.run(program.step);
    REQUIRE((read_all(session, program) == expected(seed, 5)));
    REQUIRE(cluster.leftovers() == 0);
  }
}

TEST_CASE("repeated steps end where as many single ones do") {
  for (std::uint64_t seed = 1; seed <= seeds(300); ++seed) {
    INFO("seed " << seed);
    SimCluster cluster(seed);
    dg::Graph graph;
    auto building = graph.as_default();
    const RandomProgram program = random_program(seed, 4, sim_task);
    auto session = cluster.connect(graph, static_cast<int>(seed % 4));
    session.run(program.init);
    std::uint64_t completed = 0;
    session.run({.repeat = 37, .completed = &completed}, program.step);
    REQUIRE(completed == 37);
    REQUIRE((read_all(session, program) == expected(seed, 37)));
    REQUIRE(cluster.leftovers() == 0);
  }
}

TEST_CASE("a failing step changes nothing that runs after it, and says why") {
  for (std::uint64_t seed = 1; seed <= seeds(200); ++seed) {
    INFO("seed " << seed);
    SimCluster cluster(seed);
    dg::Graph graph;
    auto building = graph.as_default();
    const RandomProgram program = random_program(seed, 4, sim_task);
    auto session = cluster.connect(graph, static_cast<int>(seed % 4));
    session.run(program.init);
    for (int i = 0; i < 6; ++i) {
      if (i % 2) {
        try {
          session.run({{program.fail_below, std::int64_t{-1}}}, program.step);
          FAIL("the assertion did not fail");
        } catch (const dg::Error& error) {
          REQUIRE(error.code() == dg::Code::InvalidArgument);
          REQUIRE_FALSE(error.status().derived());
          REQUIRE(error.status().place().op_type == "Assert");
        }
      } else {
        session.run(program.step);
      }
    }
    // Every change waits for the assertion: failed steps changed nothing.
    REQUIRE((read_all(session, program) == expected(seed, 3)));
    cluster.network->run_for(std::chrono::seconds(3));
    session.run(program.init);
    REQUIRE(cluster.leftovers() == 0);
  }
}

TEST_CASE("a task that is killed and restarted fails the steps that need it, then works again") {
  for (std::uint64_t seed = 1; seed <= seeds(100); ++seed) {
    INFO("seed " << seed);
    SimCluster cluster(seed);
    dg::Graph graph;
    auto building = graph.as_default();
    const RandomProgram program = random_program(seed, 4, sim_task);
    const int master = static_cast<int>(seed % 4), victim = (master + 1 + static_cast<int>(seed / 4 % 3)) % 4;
    auto session = cluster.connect(graph, master);
    session.run(program.init);
    // In the middle of a long repeat, or between steps.
    const auto death = seed % 3 ? dg::transport::SimDeath::Noticed : dg::transport::SimDeath::Silent;
    cluster.network->after(std::chrono::microseconds(200 + seed * 37 % 3000),
                           [&] { cluster.network->kill("t" + std::to_string(victim), death); });
    try {
      session.run({.deadline = std::chrono::seconds(60), .repeat = 2000}, program.step);
    } catch (const dg::Error& error) {
      INFO(error.what());
      REQUIRE((error.code() == dg::Code::Unavailable || error.code() == dg::Code::Aborted));
    }
    cluster.servers[static_cast<std::size_t>(victim)].reset();
    cluster.start(victim);
    // One step may be Aborted for the new incarnation; then all is registered anew.
    int tries = 0;
    for (bool ok = false; !ok; ++tries) {
      REQUIRE(tries < 4);
      try {
        session.run({.deadline = std::chrono::seconds(60)}, program.init);
        ok = true;
      } catch (const dg::Error& error) {
        REQUIRE((error.code() == dg::Code::Aborted || error.code() == dg::Code::Unavailable));
      }
    }
    for (int i = 0, again = 0; i < 3; ++i) {
      try {
        session.run({.deadline = std::chrono::seconds(60)}, program.step);
      } catch (const dg::Error& error) {
        REQUIRE(error.code() == dg::Code::Aborted);
        REQUIRE(++again < 3);
        --i;
      }
    }
    REQUIRE((read_all(session, program) == expected(seed, 3)));
  }
}
