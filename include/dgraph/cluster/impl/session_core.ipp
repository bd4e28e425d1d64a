#pragma once
#include <dgraph/cluster/session_core.hpp>

#include <algorithm>

#include <dgraph/graph/output.hpp>

namespace dgraph {
namespace detail {

// With the line that built the node.
DGRAPH_DECL Status located(const GraphCore& graph, Status status) {
  const std::string& name = status.place().node;
  const NodeId id = name.empty() ? kNoNode : graph.find(name);
  if (id == kNoNode) return status;
  ErrorPlace place;
  place.location = graph.node(id).location.to_string();
  return status.at(place);
}

DGRAPH_DECL void fill_options(const RunOptions& options, RunDone& answer) {
  if (options.completed) *options.completed = answer.completed;
  if (options.metadata) *options.metadata = std::move(answer.metadata);
}

}  // namespace detail

// An answer that may come after its caller has stopped waiting.
struct SessionCore::Waiting {
  explicit Waiting(std::shared_ptr<Host> h) : host(std::move(h)) {}
  /// The answer is there. A thread of the pool may say so, which wakes no driver by itself.
  void finish() {
    done.store(true);
    if (awaited.load() && !host->on_driver()) host->post([] {});
  }
  const std::shared_ptr<Host> host;
  std::atomic<bool> done{false}, awaited{false};
  RunDone answer;
  std::vector<std::string> names;
};

DGRAPH_DECL SessionCore::SessionCore(std::shared_ptr<GraphCore> graph, std::shared_ptr<Host> host,
                                     std::shared_ptr<MasterLink> link, SessionOptions options)
    : graph_(std::move(graph)), host_(std::move(host)), link_(std::move(link)), options_(std::move(options)) {
  const auto waiting = std::make_shared<Waiting>(host_);
  const Time deadline = host_->now() + std::min(options_.connect_deadline, options_.config.default_deadline);
  link_->open(deadline, [waiting](const Status& status) {
    waiting->answer.status = status;
    waiting->finish();
  });
  // The link gives up at the deadline by itself, with a better message.
  await(waiting, deadline + std::chrono::seconds(1), "opening the session");
  if (!waiting->answer.status.ok()) throw Error(waiting->answer.status);
}

DGRAPH_DECL SessionCore::~SessionCore() {
  try {
    close();
  } catch (const Error&) {
    // A master that cannot be told will notice by itself.
  }
}

DGRAPH_DECL void SessionCore::await(const std::shared_ptr<Waiting>& waiting, Time deadline, const char* what) {
  // Either this thread sees that it is done, or whoever finishes it sees that this thread waits.
  waiting->awaited.store(true);
  if (waiting->done.load()) return;
  if (!host_->drive([&] { return waiting->done.load(std::memory_order_acquire); }, deadline))
    fail(Code::DeadlineExceeded, "no answer from the master in time while ", what);
}

DGRAPH_DECL std::shared_ptr<const StepDefinition> SessionCore::define(std::span<const Output> feeds,
                                                                      std::span<const Output> fetches,
                                                                      std::span<const Output> targets) {
  std::uint64_t hash = detail::mix_hash(feeds.size(), fetches.size());
  const auto mix = [&hash](const Output& o) {
    hash = (hash ^ (static_cast<std::uint64_t>(o.node_id()) << 20 ^ o.index())) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  };
  for (const auto* list : {&feeds, &fetches, &targets})
    for (const Output& output : *list) {
      graph_->check_mine(output);
      mix(output);
    }
  const auto same = [&](const DefineStep& d) {
    const auto endpoints = [](std::span<const Output> a, const std::vector<Endpoint>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [](const Output& x, const Endpoint& y) { return x.endpoint() == y; });
    };
    return endpoints(feeds, d.feeds) && endpoints(fetches, d.fetches) &&
           std::equal(targets.begin(), targets.end(), d.targets.begin(), d.targets.end(),
                      [](const Output& x, NodeId y) { return x.node_id() == y; });
  };
  std::lock_guard lock(mutex_);
  const auto [begin, end] = definitions_.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (same(at->second->definition)) return at->second;
  DefineStep fresh;
  fresh.definition = next_definition_++;
  if (graph_->size() == 0) fail(Code::FailedPrecondition, "the session's graph is empty: there is nothing to run");
  for (const Output& feed : feeds) {
    if (feed.dtype() == DType::Invalid)
      fail(Code::InvalidArgument, "node ", feed.name(), " (", feed.op_type(), ") has no value that could be fed");
    if (std::find(fresh.feeds.begin(), fresh.feeds.end(), feed.endpoint()) != fresh.feeds.end())
      fail(Code::InvalidArgument, "output \"", feed.name(), feed.index() ? "" : ":0", "\" is fed more than once");
    fresh.feeds.push_back(feed.endpoint());
  }
  for (const Output& fetch : fetches) {
    if (fetch.dtype() == DType::Invalid)
      fail(Code::InvalidArgument, "node ", fetch.name(), " (", fetch.op_type(), ") has no output to fetch");
    fresh.fetches.push_back(fetch.endpoint());
  }
  for (const Output& target : targets) fresh.targets.push_back(target.node_id());
  return definitions_.emplace(hash, std::make_shared<const StepDefinition>(std::move(fresh)))->second;
}

DGRAPH_DECL Duration SessionCore::deadline_of(const RunOptions& options) const {
  return options.deadline != kNoDeadline ? options.deadline : options_.config.default_deadline;
}

DGRAPH_DECL RunStep SessionCore::make_request(std::uint64_t number, const StepDefinition& definition,
                                              std::vector<Tensor> feeds, const RunOptions& options) const {
  if (closed_) fail(Code::FailedPrecondition, "the session is closed");
  for (std::size_t i = 0; i < feeds.size(); ++i) graph_->check_feed(definition.definition.feeds[i], feeds[i]);
  RunStep request;
  request.request = number;
  request.definition = definition.definition.definition;
  request.deadline = deadline_of(options);
  request.repeat = options.repeat;
  request.trace = options.trace ? 2 : options.metadata ? 1 : 0;
  request.feeds = std::move(feeds);
  return request;
}

DGRAPH_DECL std::vector<Tensor> SessionCore::run(const StepDefinition& definition, std::vector<Tensor> feeds,
                                                 const RunOptions& options) {
  const std::uint64_t number = next_request();
  RunStep request = make_request(number, definition, std::move(feeds), options);
  // The master decides; this is for a master that does not answer.
  const Time deadline =
      request.deadline == kNoDeadline ? kNever : host_->now() + request.deadline + std::chrono::seconds(5);
  const bool repeats = options.repeat > 1;
  if (repeats) {
    std::lock_guard lock(mutex_);
    repeating_.push_back(number);
  }
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->run(definition.definition, std::move(request), [waiting](RunDone answer) {
    waiting->answer = std::move(answer);
    waiting->finish();
  });
  try {
    await(waiting, deadline, "running a step");
  } catch (const Error&) {
    link_->cancel(number);
    throw;
  }
  if (repeats) {
    std::lock_guard lock(mutex_);
    std::erase(repeating_, number);
  }
  RunDone& answer = waiting->answer;
  detail::fill_options(options, answer);
  if (!answer.status.ok()) throw Error(detail::located(*graph_, std::move(answer.status)));
  return std::move(answer.fetches);
}

DGRAPH_DECL void SessionCore::start(std::uint64_t request, const StepDefinition& definition, std::vector<Tensor> feeds,
                                    const RunOptions& options, OnRun done) {
  RunStep message;
  try {
    message = make_request(request, definition, std::move(feeds), options);
  } catch (...) {
    return done(current_exception_status(), {});
  }
  link_->run(definition.definition, std::move(message),
             [graph = graph_, options, done = std::move(done)](RunDone answer) mutable {
               detail::fill_options(options, answer);
               done(detail::located(*graph, std::move(answer.status)), std::move(answer.fetches));
             });
}

DGRAPH_DECL std::shared_ptr<PartialStep> SessionCore::begin_partial(std::shared_ptr<const StepDefinition> definition,
                                                                    const PartialOptions& options) {
  if (closed_) fail(Code::FailedPrecondition, "the session is closed");
  auto step = std::make_shared<PartialStep>();
  step->definition = std::move(definition);
  StartPartial request;
  request.request = next_request();
  request.definition = step->definition->definition.definition;
  request.lease = options.lease;
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->start_partial(step->definition->definition, std::move(request), [waiting, step](RunDone answer, SessionId session) {
    step->session = session;
    step->step = answer.step;
    waiting->answer = std::move(answer);
    waiting->finish();
  });
  await(waiting, host_->now() + options.lease, "beginning a partial run");
  if (!waiting->answer.status.ok()) throw Error(detail::located(*graph_, std::move(waiting->answer.status)));
  return step;
}

DGRAPH_DECL std::vector<Tensor> SessionCore::run_partial(const PartialStep& step,
                                                         const std::vector<std::pair<Output, Tensor>>& feeds,
                                                         const std::vector<Output>& fetches, const RunOptions& options) {
  if (closed_) fail(Code::FailedPrecondition, "the session is closed");
  const DefineStep& definition = step.definition->definition;
  const auto number_in = [&](const std::vector<Endpoint>& list, const Output& output, const char* what) {
    graph_->check_mine(output);
    const auto at = std::find(list.begin(), list.end(), output.endpoint());
    if (at == list.end())
      fail(Code::InvalidArgument, "node ", output.name(), " is no ", what, " that the setup of the partial run named");
    return static_cast<std::uint32_t>(at - list.begin());
  };
  ContinuePartial request;
  request.session = step.session;
  request.request = next_request();
  request.step = step.step;
  request.deadline = deadline_of(options);
  for (const auto& [node, value] : feeds) {
    graph_->check_feed(node.endpoint(), value);
    request.feed_numbers.push_back(number_in(definition.feeds, node, "feed"));
    request.feeds.push_back(value);
  }
  for (const Output& fetch : fetches) request.fetches.push_back(number_in(definition.fetches, fetch, "fetch"));
  const Time deadline =
      request.deadline == kNoDeadline ? kNever : host_->now() + request.deadline + std::chrono::seconds(5);
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->continue_partial(std::move(request), [waiting](RunDone answer) {
    waiting->answer = std::move(answer);
    waiting->finish();
  });
  await(waiting, deadline, "running a part of a step");
  RunDone& answer = waiting->answer;
  if (!answer.status.ok()) throw Error(detail::located(*graph_, std::move(answer.status)));
  return std::move(answer.fetches);
}

DGRAPH_DECL void SessionCore::end_partial(const PartialStep& step) noexcept {
  if (closed_) return;
  try {
    ContinuePartial request;
    request.session = step.session;
    request.step = step.step;
    request.end = true;
    link_->continue_partial(std::move(request), [](RunDone) {});
  } catch (...) {
    // Its lease ends it.
  }
}

DGRAPH_DECL void SessionCore::stop_repeat() {
  std::vector<std::uint64_t> requests;
  {
    std::lock_guard lock(mutex_);
    requests = repeating_;
  }
  for (const std::uint64_t request : requests) link_->stop_repeat(request);
}

DGRAPH_DECL std::vector<std::string> SessionCore::list_devices() {
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->list_devices([waiting](const Status& status, std::vector<std::string> names) {
    waiting->answer.status = status;
    waiting->names = std::move(names);
    waiting->finish();
  });
  await(waiting, host_->now() + options_.connect_deadline, "listing devices");
  waiting->answer.status.throw_if_error();
  return std::move(waiting->names);
}

DGRAPH_DECL void SessionCore::reset(const std::vector<std::string>& containers) {
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->reset(containers, [waiting](const Status& status) {
    waiting->answer.status = status;
    waiting->finish();
  });
  await(waiting, host_->now() + options_.connect_deadline, "resetting containers");
  waiting->answer.status.throw_if_error();
}

DGRAPH_DECL void SessionCore::close() {
  if (closed_.exchange(true)) return;
  const auto waiting = std::make_shared<Waiting>(host_);
  link_->close([waiting](const Status& status) {
    waiting->answer.status = status;
    waiting->finish();
  });
  await(waiting, host_->now() + options_.close_deadline, "closing the session");
}

}  // namespace dgraph
