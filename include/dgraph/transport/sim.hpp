#pragma once
// Sim: a whole cluster in one thread on virtual time, with delays, faults, kills and restarts, all drawn from a seed.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>

namespace dgraph::detail {
class SimTask;
class SimWorld;
}  // namespace dgraph::detail

namespace dgraph::transport {

struct SimOptions {
  /// A frame is under way for a time between these, drawn for each; order on a link is kept all the same.
  Duration min_delay = std::chrono::microseconds(5);
  Duration max_delay = std::chrono::microseconds(200);
  /// Posted tasks and tasks of the pool start after up to these.
  Duration max_post_delay = std::chrono::microseconds(2);
  Duration max_compute_delay = std::chrono::microseconds(50);
  /// Bytes a second on each direction of a link, on top of the delay; 0 = without bound.
  double bandwidth = 1e9;
  /// What `Host::compute_threads` says.
  std::size_t compute_threads = 2;
  /// Events after which `drive` throws ResourceExhausted: something goes round in circles.
  std::uint64_t max_events = 50'000'000;
};

/// A model of Transport: the view that one task has of a simulated network; copies are the same task.
///
/// Addresses are `sim://name`, or `name` alone; a task usually listens under its own name. `drive` of any task's host runs
/// the events of all, in the order of virtual time, in the calling thread; virtual time jumps from event to event. The same
/// seed and the same calls give the same history on every machine. Where nothing is left to happen, `drive` jumps to its
/// deadline, and without one throws Internal: the real thing would hang. Must not be driven from inside an event
/// (FailedPrecondition).
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

  enum class Death {
    Noticed,  ///< its links close: the other sides see Unavailable after the usual delay
    Silent,   ///< the machine vanished: the others see nothing until a new incarnation answers their frames with a reset
  };
  /// Ends a task: drops its queued events and timers, its listeners and its links. Calls on its host do nothing from then
  /// on, `drive` returns. NotFound if nobody alive has the name.
  void kill(std::string_view name, Death death = Death::Noticed);
  bool alive(std::string_view name) const;

  /// Frames, closes and connects between the two wait until `heal`; then they arrive, in order.
  void cut(std::string_view a, std::string_view b);
  void heal(std::string_view a, std::string_view b);
  /// Links that exist between the two are lost: both sides see Unavailable, what was under way is dropped.
  void break_links(std::string_view a, std::string_view b);

  /// Virtual time since the beginning. The hosts' `now` have origins of their own.
  Time now() const;
  /// Runs events until nothing is left, or for this much virtual time. Returns how many ran.
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
