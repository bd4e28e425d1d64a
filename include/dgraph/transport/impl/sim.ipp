#pragma once
#include <dgraph/transport/sim.hpp>

#include <dgraph/base/error.hpp>
#include <dgraph/transport/sim_world.hpp>

namespace dgraph::transport {

DGRAPH_DECL std::shared_ptr<Sim::Network> Sim::make_network(std::uint64_t seed, SimOptions options) {
  return Network::make(seed, options);
}

DGRAPH_DECL Sim::Sim() : Sim(make_network(0), "task") {}

DGRAPH_DECL Sim::Sim(std::shared_ptr<Network> network, std::string name)
    : network_(std::move(network)), task_(std::make_shared<detail::SimTask>(network_->world(), std::move(name))) {}

DGRAPH_DECL std::shared_ptr<Host> Sim::host() const { return task_; }
DGRAPH_DECL const std::string& Sim::name() const noexcept { return task_->name(); }

DGRAPH_DECL std::unique_ptr<Listener> Sim::listen(const std::string& address, OnLink on_link) {
  return task_->world().listen(task_->id(), address, std::move(on_link));
}

DGRAPH_DECL void Sim::connect(const std::string& address, Time deadline, OnConnect on_connect) {
  task_->world().connect(task_->id(), address, task_->to_world(deadline), std::move(on_connect));
}

DGRAPH_DECL std::shared_ptr<Sim::Network> Sim::Network::make(std::uint64_t seed, SimOptions options) {
  return std::make_shared<Network>(std::make_shared<detail::SimWorld>(seed, options));
}

DGRAPH_DECL Sim::Network::~Network() { world_->drop_world_events(); }

DGRAPH_DECL void Sim::Network::kill(std::string_view name, Death death) {
  const detail::SimWorld::TaskId task = world_->find_task(name);
  if (task == 0) fail(Code::NotFound, "no simulated task '", name, "' is alive");
  world_->end_task(task, death);
}

DGRAPH_DECL bool Sim::Network::alive(std::string_view name) const { return world_->find_task(name) != 0; }
DGRAPH_DECL void Sim::Network::cut(std::string_view a, std::string_view b) { world_->cut(a, b); }
DGRAPH_DECL void Sim::Network::heal(std::string_view a, std::string_view b) { world_->heal(a, b); }
DGRAPH_DECL void Sim::Network::break_links(std::string_view a, std::string_view b) { world_->break_links(a, b); }
DGRAPH_DECL void Sim::Network::after(Duration delay, Task task) { world_->after(0, delay, std::move(task)); }
DGRAPH_DECL Time Sim::Network::now() const { return world_->now(); }
DGRAPH_DECL std::uint64_t Sim::Network::run_for(Duration duration) { return world_->run(world_->now() + duration); }
DGRAPH_DECL std::uint64_t Sim::Network::run() { return world_->run(kNever); }
DGRAPH_DECL std::uint64_t Sim::Network::events() const { return world_->events(); }
DGRAPH_DECL std::uint64_t Sim::Network::trace_hash() const { return world_->trace_hash(); }
DGRAPH_DECL std::size_t Sim::Network::pending() const { return world_->pending(); }

}  // namespace dgraph::transport
