#pragma once
// Session<Transport>: how a client runs a graph, in this process or on a cluster; typed by what is fetched.

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/cluster/run_arguments.hpp>
#include <dgraph/cluster/session_core.hpp>
#include <dgraph/graph/graph.hpp>
#include <dgraph/ops/standard.hpp>
#include <dgraph/transport/local.hpp>
#if defined(DGRAPH_COMPILED)
#include <dgraph/cluster/embedded.hpp>
#endif

namespace dgraph {

namespace detail {

/// Defined by `dgraph/embedded.hpp`, and by dgraph::compiled: makes the server inside an embedded session.
template <class Ops>
struct Embedded;

template <class Ops>
concept EmbeddedAvailable = requires { sizeof(Embedded<Ops>); };

/// The graph that this thread builds into; throws FailedPrecondition where there is none.
std::shared_ptr<GraphCore> default_graph();

}  // namespace detail

/// A step with its feeds and fetches fixed, quicker than `run`: call it with a value for each feed. It needs its session.
template <class Values, class... Fetches>
class Callable;

template <class... V, class... Fetches>
class Callable<std::tuple<V...>, Fetches...> {
 public:
  Callable(std::shared_ptr<SessionCore> core, std::shared_ptr<const StepDefinition> definition)
      : core_(std::move(core)), definition_(std::move(definition)) {}
  /// Throws what `Session::run` throws.
  template <class... X>
    requires(sizeof...(X) == sizeof...(V))
  auto operator()(X&&... values) const {
    return run(RunOptions{}, std::forward<X>(values)...);
  }
  template <class... X>
    requires(sizeof...(X) == sizeof...(V))
  auto run(const RunOptions& options, X&&... values) const {
    std::vector<Tensor> feeds;
    if constexpr (sizeof...(X) != 0) {
      feeds.reserve(sizeof...(X));
      (feeds.push_back(to_tensor<V>(std::forward<X>(values))), ...);
    }
    std::vector<Tensor> results = core_->run(*definition_, std::move(feeds), options);
    return detail::take_results<Fetches...>(results);
  }

 private:
  std::shared_ptr<SessionCore> core_;
  std::shared_ptr<const StepDefinition> definition_;
};

/// A client's session. Runs from many threads at once are fine; the graph may grow meanwhile.
///
///   Session<> session;                                       // embedded: master and worker in this process, no socket
///   Session<transport::Tcp> session("tcp://127.0.0.1:2222"); // the server there is the master
///   session.run(train);                                      // void
///   auto loss_now = session.run(loss);                       // xt::xarray<float>
///   auto [w, b] = session.run(W, b_variable);                // a value each
///   session.run({.deadline = 1s}, {{x, batch}}, train);      // options, feeds, fetches
template <Transport T = transport::Local>
class Session {
 public:
  /// Embedded, over this thread's default graph.
  Session() : Session(detail::default_graph(), StandardOps{}, SessionOptions{}) {}
  explicit Session(SessionOptions options) : Session(detail::default_graph(), StandardOps{}, std::move(options)) {}
  /// Embedded, over that graph and its op set.
  template <class Ops>
  explicit Session(BasicGraph<Ops>& graph, SessionOptions options = {})
      : Session(graph.shared_core(), Ops{}, std::move(options)) {}
  /// On a cluster, over this thread's default graph. Throws Unavailable where nobody is at the target within
  /// `options.connect_deadline`.
  explicit Session(const std::string& target, SessionOptions options = {}, T transport = T())
      : Session(detail::default_graph(), target, std::move(options), std::move(transport)) {}
  /// On a cluster, over that graph.
  template <class Ops>
  Session(BasicGraph<Ops>& graph, const std::string& target, SessionOptions options = {}, T transport = T())
      : Session(graph.shared_core(), target, std::move(options), std::move(transport)) {}
  /// Closes.
  ~Session() = default;
  Session(Session&&) noexcept = default;
  Session& operator=(Session&&) noexcept = default;

  /// Runs what the fetches need, once, and returns their values: nothing for none, the array for one, a tuple for several; an
  /// Op<void> adds none. The order in which fetches and their effects happen is not defined but by control dependencies.
  /// Throws Error with the node, op, device, task and the line that built it.
  template <class... F>
  auto run(const F&... fetches) {
    return run_with(RunOptions{}, Feeds{}, fetches...);
  }
  template <class... F>
  auto run(const RunOptions& options, const F&... fetches) {
    return run_with(options, Feeds{}, fetches...);
  }
  template <class... F>
  auto run(Feeds feeds, const F&... fetches) {
    return run_with(RunOptions{}, feeds, fetches...);
  }
  template <class... F>
  auto run(const RunOptions& options, Feeds feeds, const F&... fetches) {
    return run_with(options, feeds, fetches...);
  }

  /// A step that is called with values of these feeds: `auto step = session.make_callable(feed_list(x, y), loss, train);
  /// step(batch, labels)`; without feeds `session.make_callable(train)`.
  template <class... V, class... F>
  auto make_callable(const std::tuple<Op<V>...>& feeds, const F&... fetches) {
    const std::vector<Output> fed = std::apply([](const auto&... feed) { return std::vector<Output>{feed...}; }, feeds);
    return callable<std::tuple<V...>>(fed, fetches...);
  }
  template <class... F>
  auto make_callable(const F&... fetches) {
    return callable<std::tuple<>>({}, fetches...);
  }

  /// Asks repeated runs that go on in other threads to end early and cleanly.
  void stop_repeat() { core_->stop_repeat(); }
  /// "/job:ps/replica:0/task:0/device:CPU:0", ... of the whole cluster.
  std::vector<std::string> list_devices() { return core_->list_devices(); }
  /// Empties these containers, or all, on all tasks: their variables are uninitialised afterwards. The default container of a task
  /// has the name of its job. All: the other sessions on these servers end, too (their runs throw Aborted).
  void reset(const std::vector<std::string>& containers = {}) { core_->reset(containers); }
  /// The same without a session: `Session<Tcp>::reset("tcp://127.0.0.1:2222", {"experiment"})`. Throws Unavailable, with the
  /// address, where nobody is at the target within `limit`.
  template <std::convertible_to<std::string> Target>
  static void reset(const Target& target, std::vector<std::string> containers = {}, Duration limit = std::chrono::seconds(10),
                    T transport = T()) {
    reset_server(erase_transport(std::move(transport)), target, std::move(containers), limit);
  }
  /// Cancels what runs; runs after it throw FailedPrecondition.
  void close() { core_->close(); }
  SessionCore& core() noexcept { return *core_; }

 private:
  template <class Ops>
  Session(std::shared_ptr<GraphCore> graph, Ops, SessionOptions options) {
    static_assert(detail::EmbeddedAvailable<Ops>,
                  "dgraph: an embedded session needs kernels: include <dgraph/embedded.hpp> or link dgraph::compiled");
    core_ = detail::Embedded<Ops>::make_session(std::move(graph), std::move(options));
  }
  Session(std::shared_ptr<GraphCore> graph, const std::string& target, SessionOptions options, T transport) {
    auto erased = erase_transport(std::move(transport));
    auto host = erased->host();
    auto link = make_remote_link(std::move(erased), target, graph, options.config);
    core_ = std::make_shared<SessionCore>(std::move(graph), std::move(host), std::move(link), std::move(options));
  }

  template <class... F>
  auto run_with(const RunOptions& options, Feeds feeds, const F&... fetches) {
    detail::RunNodes nodes;
    (nodes.add(fetches), ...);
    std::vector<Output> fed;
    std::vector<Tensor> values;
    for (const Feed& feed : feeds) {
      fed.push_back(feed.target());
      values.push_back(feed.value());
    }
    const auto definition = core_->define(fed, nodes.fetches, nodes.targets);
    std::vector<Tensor> results = core_->run(*definition, std::move(values), options);
    return detail::take_results<F...>(results);
  }
  template <class Values, class... F>
  auto callable(const std::vector<Output>& fed, const F&... fetches) {
    detail::RunNodes nodes;
    (nodes.add(fetches), ...);
    return Callable<Values, F...>(core_, core_->define(fed, nodes.fetches, nodes.targets));
  }

  std::shared_ptr<SessionCore> core_;
};

/// The feeds of `make_callable`, in the order of the call's values.
template <class... V>
std::tuple<Op<V>...> feed_list(const Op<V>&... feeds) {
  return {feeds...};
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/session.ipp>
#endif
