#pragma once
#include <dgraph/cluster/session_core.hpp>

#include <algorithm>

#include <dgraph/graph/output.hpp>

namespace dgraph {

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

DGRAPH_DECL void SessionCore::throw_located(Status status) const {
  const std::string& name = status.place().node;
  const NodeId id = name.empty() ? kNoNode : graph_->find(name);
  if (id != kNoNode) {
    ErrorPlace place;
    place.location = graph_->node(id).location.to_string();
    status.at(place);
  }
  throw Error(std::move(status));
}

DGRAPH_DECL std::vector<Tensor> SessionCore::run(const StepDefinition& definition, std::vector<Tensor> feeds,
                                                 const RunOptions& options) {
  if (closed_) fail(Code::FailedPrecondition, "the session is closed");
  for (std::size_t i = 0; i < feeds.size(); ++i) graph_->check_feed(definition.definition.feeds[i], feeds[i]);
  RunStep request;
  request.request = next_request_.fetch_add(1, std::memory_order_relaxed);
  request.definition = definition.definition.definition;
  request.deadline = options.deadline != kNoDeadline ? options.deadline : options_.config.default_deadline;
  request.repeat = options.repeat;
  request.trace = options.trace ? 2 : options.metadata ? 1 : 0;
  request.feeds = std::move(feeds);
  // The master decides; this is for a master that does not answer.
  const Time deadline =
      request.deadline == kNoDeadline ? kNever : host_->now() + request.deadline + std::chrono::seconds(5);
  const std::uint64_t number = request.request;
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
  if (options.completed) *options.completed = answer.completed;
  if (options.metadata) *options.metadata = std::move(answer.metadata);
  if (!answer.status.ok()) throw_located(std::move(answer.status));
  return std::move(answer.fetches);
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
