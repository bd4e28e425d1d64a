#pragma once
// A cluster of servers on simulated time, and a client's transport to it.

#include <memory>
#include <string>
#include <vector>

#include <dgraph/dgraph.hpp>
#include <dgraph/server.hpp>
#include <dgraph/transport/sim.hpp>

namespace dgraph::test {

/// Four tasks, "/job:t/task:0" to "/job:t/task:3", at "sim://t0" to "sim://t3"; clients are "client0", "client1", ...
class SimCluster {
 public:
  explicit SimCluster(std::uint64_t seed, ServerOptions options = {}, int tasks = 4, transport::SimOptions sim = {})
      : network(transport::Sim::make_network(seed, sim)), options_(std::move(options)) {
    std::vector<std::string> addresses;
    for (int i = 0; i < tasks; ++i) addresses.push_back("sim://t" + std::to_string(i));
    spec_ = ClusterSpec({{"t", addresses}});
    options_.log_level = LogLevel::Off;
    servers.resize(static_cast<std::size_t>(tasks));
    for (int i = 0; i < tasks; ++i) start(i);
  }

  void start(int i) {
    transport::Sim transport(network, "t" + std::to_string(i));
    servers[static_cast<std::size_t>(i)] =
        std::make_unique<Server<transport::Sim>>(spec_, "t", i, options_, std::move(transport));
  }
  void kill(int i, transport::Sim::Network::Death death = transport::Sim::Network::Death::Noticed) {
    network->kill("t" + std::to_string(i), death);
    servers[static_cast<std::size_t>(i)].reset();
  }
  Session<transport::Sim> connect(Graph& graph, int master, SessionOptions session_options = {}) {
    transport::Sim client(network, "client" + std::to_string(clients_++));
    return Session<transport::Sim>(graph, "sim://t" + std::to_string(master), std::move(session_options),
                                   std::move(client));
  }
  Worker& worker(int i) { return servers[static_cast<std::size_t>(i)]->core().worker(); }
  /// What all workers together still keep of steps.
  std::size_t leftovers() {
    std::size_t out = 0;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      if (!servers[i]) continue;
      const Worker::Counts c = servers[i]->core().worker().counts();
      out += c.open_steps + c.early_values + c.held_bodies + c.body_bytes;
    }
    return out;
  }

  const std::shared_ptr<transport::Sim::Network> network;
  std::vector<std::unique_ptr<Server<transport::Sim>>> servers;

 private:
  ServerOptions options_;
  ClusterSpec spec_;
  int clients_ = 0;
};

inline std::string sim_task(int i) { return "/job:t/task:" + std::to_string(i); }

}  // namespace dgraph::test
