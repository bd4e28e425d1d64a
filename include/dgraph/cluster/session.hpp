#pragma once
// Session<Transport>: how a client runs a graph, in this process or on a cluster; typed by what is fetched.

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/cluster/feeds.hpp>
#include <dgraph/cluster/fetches.hpp>
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

/// Defined by `dgraph/async.hpp`.
template <class Session>
struct AsyncRun;

template <class Session>
concept AsyncAvailable = requires { sizeof(AsyncRun<Session>); };

/// Neither options nor feeds.
template <class X>
concept FetchFirst = !std::is_same_v<std::remove_cvref_t<X>, RunOptions> && !std::is_same_v<std::remove_cvref_t<X>, Feeds>;

/// The graph that this thread builds into; throws FailedPrecondition where there is none.
std::shared_ptr<GraphCore> default_graph();

}  // namespace detail

/// A step with its feeds and fetches fixed, quicker than `run`: call it with a value for each feed. It needs its session.
template <class Values, class... Fetches>
class Callable;

template <class... V, class... Fetches>
class Callable<std::tuple<V...>, Fetches...> {
 public:
  Callable(std::shared_ptr<SessionCore> core, std::shared_ptr<const StepDefinition> definition, std::vector<bool> has_value,
           std::tuple<Fetches...> fetches)
      : core_(std::move(core)),
        definition_(std::move(definition)),
        has_value_(std::move(has_value)),
        fetches_(std::move(fetches)) {}
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
    return std::apply(
        [&](const Fetches&... fetches) { return detail::take_results(detail::Results(results, has_value_), fetches...); },
        fetches_);
  }

 private:
  std::shared_ptr<SessionCore> core_;
  std::shared_ptr<const StepDefinition> definition_;
  std::vector<bool> has_value_;
  std::tuple<Fetches...> fetches_;
};

/// A step whose feeds and fetches come in parts; made by `Session::partial_run_setup`. What is left of it is cancelled when it
/// goes. To be used by one thread at a time.
class PartialRun {
 public:
  PartialRun(std::shared_ptr<SessionCore> core, std::shared_ptr<PartialStep> step)
      : core_(std::move(core)), step_(std::move(step)) {}
  PartialRun(PartialRun&&) noexcept = default;
  PartialRun& operator=(PartialRun&&) noexcept = default;
  ~PartialRun() {
    if (core_) core_->end_partial(*step_);
  }
  PartialStep& step() const noexcept { return *step_; }

 private:
  std::shared_ptr<SessionCore> core_;
  std::shared_ptr<PartialStep> step_;
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

  /// Runs what the fetches need, once, and returns their values: nothing for none, the value for one, a tuple for several. An Op
  /// gives an xt::xarray, `view(op)` one that is not copied, `as<X>(op)` an X; an Output or a name ("loss", "split:1") a Tensor; an
  /// Op<void> adds nothing. Vectors, arrays, maps and tuples of these give the same of their values, a struct a tuple. The order in
  /// which fetches and their effects happen is not defined but by control dependencies. Throws Error with the node, op, device,
  /// task and the line that built it.
  template <class... F>
  auto run(const F&... fetches) {
    return run_with(RunOptions{}, fetches...);
  }
  template <class... F>
  auto run(const RunOptions& options, const F&... fetches) {
    return run_with(options, fetches...);
  }
  template <class... F>
  auto run(Feeds feeds, const F&... fetches) {
    return run_fed(RunOptions{}, feeds, fetches...);
  }
  template <class... F>
  auto run(const RunOptions& options, Feeds feeds, const F&... fetches) {
    return run_fed(options, feeds, fetches...);
  }

  /// `run` without waiting; needs <dgraph/async.hpp>. The last argument is an Asio completion token for
  /// void(std::exception_ptr) or void(std::exception_ptr, values), the others are those of `run`. A cancellation slot of the token
  /// cancels the run.
  template <detail::FetchFirst F, class... A>
  auto async_run(F&& first, A&&... arguments) {
    return start_async(RunOptions{}, Feeds{}, std::forward<F>(first), std::forward<A>(arguments)...);
  }
  template <detail::FetchFirst F, class... A>
  auto async_run(const RunOptions& options, F&& first, A&&... arguments) {
    return start_async(options, Feeds{}, std::forward<F>(first), std::forward<A>(arguments)...);
  }
  template <class... A>
  auto async_run(Feeds feeds, A&&... arguments) {
    return start_async(RunOptions{}, feeds, std::forward<A>(arguments)...);
  }
  template <class... A>
  auto async_run(const RunOptions& options, Feeds feeds, A&&... arguments) {
    return start_async(options, feeds, std::forward<A>(arguments)...);
  }

  /// Begins a step whose feeds and fetches come in parts: all that `partial_run` may give and ask for. It ends where no part came
  /// for as long as `lease`.
  template <class... F>
  PartialRun partial_run_setup(const std::vector<Output>& feeds, const F&... fetches) {
    return partial_run_setup(PartialOptions{}, feeds, fetches...);
  }
  template <class... F>
  PartialRun partial_run_setup(const PartialOptions& options, const std::vector<Output>& feeds, const F&... fetches) {
    detail::RunNodes nodes(core_->graph());
    (detail::Fetched<F>::add(nodes, fetches), ...);
    return PartialRun(core_, core_->begin_partial(core_->define(feeds, nodes.fetches, nodes.targets), options));
  }
  /// Gives values and takes those of these fetches, each once in a step: `session.partial_run(step, {{a, 1.f}}, sum)`. Throws
  /// InvalidArgument for a feed or fetch that the setup did not name or that has been, and for a fetch that needs a feed which is
  /// still to come.
  template <class... F>
  auto partial_run(PartialRun& step, Feeds feeds, const F&... fetches) {
    return partial_run(RunOptions{}, step, std::move(feeds), fetches...);
  }
  template <class... F>
  auto partial_run(const RunOptions& options, PartialRun& step, Feeds feeds, const F&... fetches) {
    detail::RunNodes nodes(core_->graph());
    (detail::Fetched<F>::add(nodes, fetches), ...);
    std::vector<std::pair<Output, Tensor>> fed;
    for (const Feed& feed : feeds) fed.emplace_back(feed.target(core_->graph()), feed.value());
    std::vector<Tensor> results = core_->run_partial(step.step(), fed, nodes.fetches, options);
    return detail::take_results(detail::Results(results, nodes.has_value), fetches...);
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
  auto run_with(const RunOptions& options, const F&... fetches) {
    return run_fed(options, Feeds{}, fetches...);
  }
  template <detail::FeedContainer Container, class... F>
  auto run_with(const RunOptions& options, const Container& feeds, const F&... fetches) {
    return run_fed(options, Feeds(feeds), fetches...);
  }
  template <class... F>
  auto run_fed(const RunOptions& options, const Feeds& feeds, const F&... fetches) {
    detail::RunNodes nodes(core_->graph());
    (detail::Fetched<F>::add(nodes, fetches), ...);
    if constexpr (sizeof...(F) == 0) fail(Code::InvalidArgument, "nothing is asked for: run takes what to fetch or to execute");
    std::vector<Output> fed;
    std::vector<Tensor> values;
    for (const Feed& feed : feeds) {
      fed.push_back(feed.target(core_->graph()));
      values.push_back(feed.value());
    }
    const auto definition = core_->define(fed, nodes.fetches, nodes.targets);
    std::vector<Tensor> results = core_->run(*definition, std::move(values), options);
    return detail::take_results(detail::Results(results, nodes.has_value), fetches...);
  }
  template <class... A>
  auto start_async(const RunOptions& options, const Feeds& feeds, A&&... arguments) {
    static_assert(detail::AsyncAvailable<Session>, "dgraph: async_run needs Asio: include <dgraph/async.hpp>");
    return detail::AsyncRun<Session>::start(core_, options, feeds, std::forward<A>(arguments)...);
  }
  template <class Values, class... F>
  auto callable(const std::vector<Output>& fed, const F&... fetches) {
    detail::RunNodes nodes(core_->graph());
    (detail::Fetched<F>::add(nodes, fetches), ...);
    if constexpr (sizeof...(F) == 0) fail(Code::InvalidArgument, "nothing is asked for: a callable takes what to fetch or to execute");
    auto definition = core_->define(fed, nodes.fetches, nodes.targets);
    return Callable<Values, detail::Stored<F>...>(core_, std::move(definition), std::move(nodes.has_value),
                                                  std::tuple<detail::Stored<F>...>(fetches...));
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
