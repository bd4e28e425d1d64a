// What bad input gets, from real servers: a clear error with its code and names; the server lives and nothing waits for ever.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <string>

#include <dgraph/dgraph.hpp>

#include "support/catch.hpp"
#include "support/process.hpp"

namespace dg = dgraph;
using namespace std::chrono_literals;
using Tcp = dg::transport::Tcp;
using dg::test::contains;
using dg::test::ServerCluster;

namespace {

template <class F>
dg::Status status_of(F call) {
  try {
    call();
  } catch (const dg::Error& error) {
    return error.status();
  }
  return {};
}

double rss_mib(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

// Sends bytes to a server's port and waits until the server closes the connection; false where it does not within 10 s.
bool send_raw(const std::string& address, const std::string& bytes) {
  const dg::test::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return false;
  if (::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return true;
  ::shutdown(socket.get(), SHUT_WR);
  const auto until = std::chrono::steady_clock::now() + 10s;
  char sink[4096];
  while (dg::test::wait_readable(socket.get(), until))
    if (::recv(socket.get(), sink, sizeof sink, 0) <= 0) return true;
  return false;
}

}  // namespace

TEST_CASE("errors of a step name code, node, op, device and line, and the server goes on") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> v;
  {
    auto on = dg::device("/job:ps/task:0");
    v = dg::variable("v", dg::zeros<float>({2}));
  }
  auto x = dg::placeholder<float>({2}, "x");
  dg::Op<float> sum;
  {
    auto on = dg::device("/job:worker/task:0");
    sum = dg::reduce_sum(v + x);
  }
  dg::Op<float> nowhere;
  {
    auto on = dg::device("/job:nobody/task:7");
    nowhere = dg::square(x, "nowhere");
  }
  dg::Session<Tcp> session(servers.target(1));
  const xt::xarray<float> two = {1, 2};

  SECTION("a device that no task has") {
    const dg::Status status = status_of([&] { session.run({{x, two}}, nowhere); });
    CHECK(status.code() == dg::Code::InvalidArgument);
    CHECK_THAT(status.to_string(), contains("nowhere"));
    CHECK_THAT(status.to_string(), contains("/job:nobody"));
    CHECK_THAT(status.to_string(), contains("/job:worker/replica:0/task:0"));
    CHECK_THAT(status.to_string(), contains("errors.cpp:"));
  }
  SECTION("a variable that was not initialised") {
    const dg::Status status = status_of([&] { session.run({{x, two}}, sum); });
    CHECK(status.code() == dg::Code::FailedPrecondition);
    CHECK_THAT(status.to_string(), contains("uninitialized value v"));
    CHECK_THAT(status.to_string(), contains("/job:ps/replica:0/task:0"));
  }
  SECTION("a placeholder that was not fed") {
    session.run(v.initializer());
    const dg::Status status = status_of([&] { session.run(sum); });
    CHECK(status.code() == dg::Code::InvalidArgument);
    CHECK_THAT(status.to_string(), contains("You must feed a value for placeholder tensor 'x'"));
    CHECK_THAT(status.place().location, contains("errors.cpp:"));
  }
  SECTION("a feed of another shape") {
    const dg::Status status = status_of([&] { session.run({{x, xt::xarray<float>{1, 2, 3}}}, sum); });
    CHECK(status.code() == dg::Code::InvalidArgument);
    CHECK_THAT(status.to_string(), contains("float32[3]"));
    CHECK_THAT(status.to_string(), contains("float32[2]"));
  }
  SECTION("a node of another graph") {
    dg::Graph other;
    auto inside = other.as_default();
    auto stranger = dg::constant(1.0f, "stranger");
    const dg::Status status = status_of([&] { session.run(stranger); });
    CHECK(status.code() == dg::Code::InvalidArgument);
    CHECK_THAT(status.to_string(), contains("belongs to another graph"));
  }
  // Whatever it was, the session and the servers work.
  session.run(v.initializer());
  CHECK(session.run({{x, two}}, sum)() == 3.0f);
}

TEST_CASE("nobody at the target: Unavailable in time, with the address") {
  dg::test::ReservedPorts ports(1);
  dg::Graph graph;
  auto building = graph.as_default();
  dg::SessionOptions options;
  options.connect_deadline = 300ms;
  const auto begin = std::chrono::steady_clock::now();
  const dg::Status status = status_of([&] { dg::Session<Tcp> session("tcp://" + ports.address(0), options); });
  CHECK(status.code() == dg::Code::Unavailable);
  CHECK_THAT(status.to_string(), contains(ports.address(0)));
  CHECK(std::chrono::steady_clock::now() - begin < 8s);
  CHECK(status_of([] { dg::Session<Tcp> session("127.0.0.1"); }).code() == dg::Code::InvalidArgument);
}

TEST_CASE("a task that is killed fails the steps that need it; when it is back, all works again") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> v;
  {
    auto on = dg::device("/job:ps/task:0");
    v = dg::variable("v", 5.0f);
  }
  dg::Op<float> far, near;
  {
    auto on = dg::device("/job:worker/task:1");
    far = v + 1.0f;
  }
  {
    auto on = dg::device("/job:worker/task:0");
    near = dg::constant(2.0f) * 3.0f;
  }
  dg::Session<Tcp> session(servers.target(servers.position("worker", 0)));
  session.run(v.initializer());
  CHECK(session.run(far)() == 6.0f);
  const std::size_t ps = servers.position("ps", 0);
  servers.kill(ps);
  const auto begin = std::chrono::steady_clock::now();
  const dg::Status lost = status_of([&] { session.run({.deadline = 2s}, far); });
  CHECK((lost.code() == dg::Code::Unavailable || lost.code() == dg::Code::DeadlineExceeded));
  CHECK_THAT(lost.to_string(), contains("/job:ps/replica:0/task:0"));
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  // A step that does not need it never waits for it.
  CHECK(session.run(near)() == 6.0f);
  servers.restart(ps);
  dg::Status status;
  for (int tries = 0; tries < 5; ++tries) {
    status = status_of([&] { session.run(far); });
    if (status.code() == dg::Code::FailedPrecondition) break;
  }
  // Its variables are lost, and it says so.
  CHECK(status.code() == dg::Code::FailedPrecondition);
  CHECK_THAT(status.to_string(), contains("uninitialized value v"));
  session.run(v.initializer());
  CHECK(session.run(far)() == 6.0f);
}

TEST_CASE("bytes that are no protocol close the connection; the server lives and takes no memory") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  const double before = rss_mib(servers.process(0).pid());
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    std::string bytes(1 + random() % 3000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    // Half of them begin as a record would, with lengths of 2^63 and the like.
    if (round % 2) {
      const std::uint64_t length = std::uint64_t{1} << (round + 23);
      for (std::size_t at = 0; at + 8 < bytes.size() && at < 64; at += 8)
        bytes.replace(at, 8, std::string(reinterpret_cast<const char*>(&length), 8));
    }
    CHECK(send_raw(servers.address(0), bytes));
  }
  CHECK(rss_mib(servers.process(0).pid()) - before < 32);
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Session<Tcp> session(servers.target(0));
  CHECK(session.run(dg::constant(2.0f) + 1.0f)() == 3.0f);
}

TEST_CASE("a variable outlives its session; clients with graphs of their own share it by name") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 2}});
  const auto add_one = [&](std::size_t master, bool init) {
    dg::Graph graph;
    auto building = graph.as_default();
    dg::Variable<float> v;
    {
      auto on = dg::device("/job:ps/task:0");
      v = dg::variable("shared", 0.0f);
    }
    auto more = v.assign_add(1.0f);
    dg::Session<Tcp> session(graph, servers.target(master));
    if (init) session.run(v.initializer());
    return session.run(more)();
  };
  CHECK(add_one(1, true) == 1.0f);
  CHECK(add_one(2, false) == 2.0f);
  CHECK(add_one(0, false) == 3.0f);

  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> other;
  {
    auto on = dg::device("/job:ps/task:0");
    other = dg::variable("shared", dg::zeros<float>({7}));
  }
  dg::Session<Tcp> session(servers.target(1));
  const dg::Status status = status_of([&] { session.run(other); });
  CHECK(status.code() == dg::Code::InvalidArgument);
  CHECK_THAT(status.to_string(), contains("shared"));
  session.reset();
  session.run(other.initializer());
  CHECK(session.run(other).size() == 7);
}
