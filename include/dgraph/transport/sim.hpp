#pragma once
// Sim: a whole cluster in one thread on virtual time, with delays, faults, kills and restarts, all drawn from a seed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/sim_options.hpp>

namespace dgraph::detail {
class SimTask;
class SimWorld;
}  // namespace dgraph::detail

namespace dgraph::transport {

/// A model of Transport: the view that one task has of a simulated network; copies are the same task. When the last handle
/// and the last pointer to its host are gone, the task has ended, as if killed.
///
/// Addresses are `sim://name`, or `name` alone; where listening an empty name stands for the task's own.
///
/// `drive` of any task's host runs the events of all, in the order of virtual time, in the calling thread; virtual time jumps
/// from event to event. The same seed and the same calls give the same history on every machine. Where nothing is left to
/// happen, `drive` jumps to its deadline, and without one throws Internal: the real thing would hang. It must not be called
/// from inside an event (FailedPrecondition). What an event throws comes out of `drive`.
///
/// A frame that does not fit into one chunk arrives when its bytes would have; smaller ones keep their order and overtake it.
///
///   auto network = dg::transport::Sim::make_network(seed);
///   dg::transport::Sim ps(network, "ps0"), worker(network, "worker0");
///   auto listener = ps.listen("sim://ps0", ...);
///   worker.connect("sim://ps0", worker.host()->now() + 10s, ...);
///   worker.host()->drive([&] { return done; }, dg::kNever);
///   network->kill("ps0");
class Sim {
 public:
  static constexpr std::string_view scheme = "sim";

  class Network;
  /// The same as Network::make.
  static std::shared_ptr<Network> make_network(std::uint64_t seed, SimOptions options = {});

  /// A network of its own (seed 0) with one task, "task".
  Sim();
  /// Task `name` of `network`; a name that was killed is a new incarnation. AlreadyExists while the name is alive.
  Sim(std::shared_ptr<Network> network, std::string name);

  std::shared_ptr<Host> host() const;
  const std::string& name() const noexcept;
  const std::shared_ptr<Network>& network() const noexcept { return network_; }

  std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link);
  void connect(const std::string& address, Time deadline, OnConnect on_connect);

 private:
  std::shared_ptr<Network> network_;
  std::shared_ptr<detail::SimTask> task_;
};

static_assert(Transport<Sim>);

/// The simulated world: what happens to it is asked for here, from outside the run or from inside an event.
class Sim::Network {
 public:
  static std::shared_ptr<Network> make(std::uint64_t seed, SimOptions options = {});
  explicit Network(std::shared_ptr<detail::SimWorld> world) : world_(std::move(world)) {}
  ~Network();

  using Death = SimDeath;
  /// Ends a task: drops its queued events and timers, its listeners and its links. Calls on its host do nothing from then
  /// on, `drive` returns. NotFound if nobody alive has the name.
  void kill(std::string_view name, Death death = Death::Noticed);
  bool alive(std::string_view name) const;

  /// Frames, closes and connects between the two wait until `heal`; then they arrive, in order.
  void cut(std::string_view a, std::string_view b);
  void heal(std::string_view a, std::string_view b);
  /// Links that exist between the two are lost: both sides see Unavailable, what was under way is dropped.
  void break_links(std::string_view a, std::string_view b);

  /// Runs `task` when this much virtual time has passed, on no host: the place for faults in the middle of a run.
  void after(Duration delay, Task task);

  /// Virtual time since the beginning. The hosts' `now` have origins of their own.
  Time now() const;
  /// Runs events for this much virtual time, or until nothing is left. Returns how many ran.
  std::uint64_t run_for(Duration duration);
  std::uint64_t run();

  std::uint64_t events() const;
  /// Changes with every event: its time, kind, task and size. Equal for equal histories.
  std::uint64_t trace_hash() const;
  /// Events that wait to happen; 0 when the world is at rest.
  std::size_t pending() const;

  const std::shared_ptr<detail::SimWorld>& world() const noexcept { return world_; }

 private:
  std::shared_ptr<detail::SimWorld> world_;
};

}  // namespace dgraph::transport

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/sim.ipp>
#endif
