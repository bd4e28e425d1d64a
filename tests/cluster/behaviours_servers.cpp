// Behaviours of TensorFlow's servers that dgraph keeps or betters: addresses, ports, tasks of a cluster.
#include <dgraph/server.hpp>

#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

Status start(const ClusterSpec& cluster, const char* job, int task) {
  ServerOptions options;
  options.log_level = LogLevel::Off;
  return status_of([&] { Server<Tcp> server(cluster, job, task, options); });
}

}  // namespace

TEST_CASE("behaviour 61: a sparse cluster") {
  const ReservedPorts ports(1);
  const ClusterSpec cluster{{"worker", {{37, ports.address(0)}}}};
  CHECK(cluster.size() == 1);
  CHECK(cluster.task_indices("worker") == std::vector<std::int32_t>{37});
  Server<Tcp> server(cluster, "worker", 37);
  Graph graph;
  const auto building = graph.as_default();
  const auto on_task = [&](const char* name) {
    const auto on = device(name);
    return opaque_zero() + 1;
  };
  const auto there = on_task("/job:worker/task:37"), nowhere = on_task("/job:worker/task:0");
  Session<Tcp> session(server.target());
  CHECK(session.run(there)() == 1);
  check_status(status_of([&] { session.run(nowhere); }), Code::InvalidArgument,
               {"/job:worker/task:0", "/job:worker/replica:0/task:37/device:CPU:0"});
  CHECK(session.list_devices() ==
        std::vector<std::string>{"/job:worker/replica:0/task:37/device:CPU:0"});
}

TEST_CASE(
    "behaviour 62a: a port that is none is refused and quoted; port 0 takes a free one and says "
    "which") {
  for (const char* address :
       {"localhost", "localhost:port", "localhost:99999", "localhost:65536", ""})
    check_status(status_of([&] {
                   start(ClusterSpec{{"worker", {address}}}, "worker", 0).throw_if_error();
                 }),
                 Code::InvalidArgument, {address});
  Server<Tcp> server(ClusterSpec{{"worker", {"127.0.0.1:0"}}}, "worker", 0);
  CHECK_THAT(server.target(), contains("tcp://127.0.0.1:"));
  CHECK(server.target().substr(server.target().rfind(':')) != ":0");
  Graph graph;
  const auto building = graph.as_default();
  CHECK(Session<Tcp>(server.target()).run(constant(1))() == 1);
}

TEST_CASE("behaviour 62b: a port in use is Unavailable, with the address and the system's reason") {
  ServerCluster first(DGRAPH_TEST_SERVER, {{"worker", 1}});
  check_status(start(ClusterSpec{{"worker", {first.address(0)}}}, "worker", 0), Code::Unavailable,
               {first.address(0), "in use"});
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(socket.get(), 1) == 0);
  REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const std::string taken = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  check_status(start(ClusterSpec{{"worker", {taken}}}, "worker", 0), Code::Unavailable,
               {taken, "in use"});
}

TEST_CASE(
    "behaviour 62c: a task that the job does not have is InvalidArgument and lists those there "
    "are") {
  const ReservedPorts ports(1);
  const ClusterSpec cluster{{"worker", {ports.address(0)}}};
  check_status(start(cluster, "worker", 5), Code::InvalidArgument, {"task 5", "its tasks are 0"});
  check_status(start(cluster, "worker", -1), Code::InvalidArgument, {"task -1", "its tasks are 0"});
}

TEST_CASE(
    "behaviour 62d: a job that the cluster does not have, an empty cluster, one address for two "
    "tasks") {
  const ReservedPorts ports(1);
  check_status(start(ClusterSpec{{"worker", {ports.address(0)}}}, "nobody", 0),
               Code::InvalidArgument, {"'nobody'", "its jobs are worker"});
  check_status(start(ClusterSpec(), "worker", 0), Code::InvalidArgument, {"empty"});
  check_status(status_of([&] {
                 ClusterSpec{{"worker", {ports.address(0), ports.address(0)}}};
               }),
               Code::InvalidArgument, {ports.address(0), "same address"});
}

TEST_CASE("join returns after a stop from elsewhere") {
  Server<Tcp> server(ClusterSpec{{"worker", {"127.0.0.1:0"}}}, "worker", 0);
  std::thread stopper([&] { server.stop(); });
  server.join();
  stopper.join();
  check_status(status_of([&] {
                 Graph graph;
                 const auto building = graph.as_default();
                 SessionOptions brief;
                 brief.connect_deadline = 300ms;
                 Session<Tcp> session(server.target(), brief);
               }),
               Code::Unavailable);
}
