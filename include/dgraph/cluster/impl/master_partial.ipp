#pragma once
#include <dgraph/cluster/master_session.hpp>

#include <algorithm>
#include <utility>

namespace dgraph {

DGRAPH_DECL void Master::start_partial(const std::shared_ptr<Session>& session,
                                       const StartPartial& request, OnRunDone done) {
  RunStep run_request;
  run_request.session = request.session;
  run_request.request = request.request;
  run_request.definition = request.definition;
  begin_run(session, std::move(run_request), std::move(done), request.lease);
}

// The step is open; it has the feeds of none of its parts.
DGRAPH_DECL void Master::make_partial(const std::shared_ptr<Session>& session,
                                      const std::shared_ptr<Step>& step, Duration lease) {
  auto parts = std::make_unique<Parts>();
  parts->lease = lease;
  parts->fed.assign(step->feeds.size(), false);
  parts->asked.assign(step->handle->plan.fetches.size(), false);
  step->parts = std::move(parts);
  // Whoever gave it up took its number along.
  std::lock_guard lock(session->mutex);
  session->partial.emplace(step->id, step);
}

DGRAPH_DECL void Master::renew_lease(const std::shared_ptr<Session>& session,
                                     const std::shared_ptr<Step>& step) {
  Duration lease{};
  TimerId old = 0;
  {
    std::lock_guard lock(session->mutex);
    lease = step->parts->lease;
    old = std::exchange(step->parts->lease_timer, 0);
  }
  if (old) host_->cancel(old);
  if (lease == kNoDeadline) return;
  const TimerId timer = host_->after(lease, [weak = weak_from_this(), session, id = step->id] {
    if (const auto self = weak.lock())
      self->end_partial(
          *session, id,
          errors::DeadlineExceeded("the lease of the partial run has ended: no part came in time"));
  });
  std::lock_guard lock(session->mutex);
  step->parts->lease_timer = timer;
}

// Forgets the step and ends what is left of it.
DGRAPH_DECL void Master::end_partial(Session& session, StepId id, const Status& why) {
  std::shared_ptr<Step> step;
  TimerId timer = 0;
  {
    std::lock_guard lock(session.mutex);
    const auto at = session.partial.find(id);
    if (at == session.partial.end()) return;
    step = std::move(at->second);
    session.partial.erase(at);
    timer = std::exchange(step->parts->lease_timer, 0);
  }
  if (timer) host_->cancel(timer);
  fail_step(session, step, why);
}

// The plan's view: which feeds the value of a fetch depends on, by the graph alone.
DGRAPH_DECL Status Master::check_computable(Session& session, const Step& step,
                                            const std::vector<std::uint32_t>& fresh,
                                            const std::vector<std::uint32_t>& fetches) {
  const std::lock_guard graph_lock(session.graph_mutex);
  const GraphCore& graph = *session.graph;
  const auto& definition = step.handle->signature;
  std::vector<bool> seen(graph.size(), false);
  std::vector<NodeId> todo;
  Status missing;
  const auto need = [&](Endpoint at) {
    const auto feed = std::find(definition.feeds.begin(), definition.feeds.end(), at);
    const auto number = static_cast<std::uint32_t>(feed - definition.feeds.begin());
    if (feed == definition.feeds.end()) {
      if (!seen[at.node]) todo.push_back(at.node);
      seen[at.node] = true;
    } else if (missing.ok() && !step.parts->fed[number] &&
               std::find(fresh.begin(), fresh.end(), number) == fresh.end()) {
      missing = errors::InvalidArgument("output \"", graph.node(at.node).name, ":", at.index,
                                        "\" must be fed before what depends on it is fetched");
      missing.at(graph.node(at.node).place());
    }
  };
  for (const std::uint32_t fetch : fetches) need(definition.fetches[fetch]);
  while (!todo.empty() && missing.ok()) {
    const Node& node = graph.node(todo.back());
    todo.pop_back();
    for (const Endpoint& in : node.input_span()) need(in);
    for (const NodeId control : node.control_span()) {
      if (!seen[control]) todo.push_back(control);
      seen[control] = true;
    }
  }
  return missing;
}

DGRAPH_DECL void Master::continue_partial(const std::shared_ptr<Session>& session,
                                          ContinuePartial request, OnRunDone done) {
  if (request.end) {
    end_partial(*session, request.step, errors::Cancelled("the partial run was given up"));
    return done(RunDone());
  }
  const auto refuse = [&](Status why) {
    RunDone answer;
    answer.request = request.request;
    answer.status = std::move(why);
    answer.step = request.step;
    done(std::move(answer));
  };
  std::shared_ptr<Step> step;
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->partial.find(request.step);
    if (at != session->partial.end()) step = at->second;
  }
  if (!step)
    return refuse(session->ended.ok()
                      ? errors::Aborted("the partial run is over, or its session is closed")
                      : session->ended);
  renew_lease(session, step);
  Status wrong;
  try {
    if (request.feeds.size() != request.feed_numbers.size())
      fail(Code::InvalidArgument, "malformed part of a step");
    for (std::size_t i = 0; i < request.feeds.size(); ++i) {
      if (request.feed_numbers[i] >= step->handle->signature.feeds.size())
        fail(Code::InvalidArgument, "malformed part of a step");
      session->graph->check_feed(step->handle->signature.feeds[request.feed_numbers[i]],
                                 request.feeds[i]);
    }
    for (const std::uint32_t number : request.fetches)
      if (number >= step->handle->signature.fetches.size())
        fail(Code::InvalidArgument, "malformed part of a step");
  } catch (...) {
    wrong = current_exception_status();
  }
  if (wrong.ok()) wrong = check_computable(*session, *step, request.feed_numbers, request.fetches);
  if (wrong.ok()) wrong = take_feeds(*session, *step, request);
  if (!wrong.ok()) return refuse(std::move(wrong));

  feed_parts(session, step, request);
  Parts::Ask ask;
  ask.request = request.request;
  ask.fetches = std::move(request.fetches);
  ask.done = std::move(done);
  if (request.deadline != kNoDeadline)
    ask.timer = host_->after(request.deadline,
                             [weak = weak_from_this(), session, step, number = ask.request] {
                               if (const auto self = weak.lock())
                                 self->expire_ask(*session, *step, number);
                             });
  {
    std::lock_guard lock(session->mutex);
    step->parts->asks.push_back(std::move(ask));
  }
  answer_asks(*session, *step);
}

// All of a part, or nothing: what it gives and asks for counts as given and asked for.
DGRAPH_DECL Status Master::take_feeds(Session& session, Step& step,
                                      const ContinuePartial& request) {
  std::lock_guard lock(session.mutex);
  std::vector<bool> fed = step.parts->fed, asked = step.parts->asked;
  for (const std::uint32_t number : request.feed_numbers) {
    if (fed[number]) return errors::InvalidArgument("a feed of a partial run was given twice");
    fed[number] = true;
  }
  for (const std::uint32_t number : request.fetches) {
    if (asked[number])
      return errors::InvalidArgument("a fetch of a partial run is asked for twice");
    asked[number] = true;
  }
  step.parts->fed = std::move(fed);
  step.parts->asked = std::move(asked);
  for (std::size_t i = 0; i < request.feeds.size(); ++i)
    step.feeds[request.feed_numbers[i]] = request.feeds[i];
  return Status();
}

DGRAPH_DECL void Master::feed_parts(const std::shared_ptr<Session>& session,
                                    const std::shared_ptr<Step>& step,
                                    const ContinuePartial& request) {
  const StepPlan& plan = step->handle->plan;
  for (std::size_t p = 0; p < step->handle->tasks.size(); ++p) {
    FeedStep message{session->id, step->id, {}, {}};
    for (std::size_t i = 0; i < request.feeds.size(); ++i)
      for (const PlanPort& port : plan.feeds[request.feed_numbers[i]])
        if (port.partition == p) {
          message.numbers.push_back(port.number);
          message.feeds.push_back(request.feeds[i]);
        }
    if (!message.numbers.empty()) outbox_->post(step->handle->tasks[p], std::move(message));
  }
}

DGRAPH_DECL void Master::expire_ask(Session& session, Step& step, std::uint64_t request) {
  OnRunDone done;
  {
    std::lock_guard lock(session.mutex);
    auto& asks = step.parts->asks;
    const auto at = std::find_if(asks.begin(), asks.end(),
                                 [&](const Parts::Ask& ask) { return ask.request == request; });
    if (at == asks.end()) return;
    done = std::move(at->done);
    asks.erase(at);
  }
  RunDone answer;
  answer.request = request;
  answer.step = step.id;
  answer.status = errors::DeadlineExceeded("the deadline of this part of the step has passed");
  done(std::move(answer));
}

// Answers each part whose fetches are all there, or all of them where the step has failed.
DGRAPH_DECL void Master::answer_asks(Session& session, Step& step) {
  std::vector<std::pair<OnRunDone, RunDone>> answers;
  std::vector<TimerId> timers;
  {
    std::lock_guard lock(session.mutex);
    Parts& parts = *step.parts;
    const auto value = [&](std::uint32_t number) -> const Tensor& {
      const StepPlan::Fetch& fetch = step.handle->plan.fetches[number];
      return fetch.is_feed ? step.feeds[fetch.feed]
                           : step.fetches[fetch.port.partition][fetch.port.number];
    };
    std::erase_if(parts.asks, [&](Parts::Ask& ask) {
      RunDone answer;
      answer.request = ask.request;
      answer.step = step.id;
      if (parts.over && !parts.status.ok()) {
        answer.status = parts.status;
      } else {
        for (const std::uint32_t number : ask.fetches) {
          if (!value(number).has_value()) return false;
          answer.fetches.push_back(value(number));
        }
      }
      if (ask.timer) timers.push_back(ask.timer);
      answers.emplace_back(std::move(ask.done), std::move(answer));
      return true;
    });
  }
  for (const TimerId timer : timers) host_->cancel(timer);
  for (auto& [done, answer] : answers) done(std::move(answer));
}

DGRAPH_DECL void Master::on_step_fetched(std::uint32_t from, StepFetched message) {
  const auto session = find(message.session);
  if (!session) return;
  std::shared_ptr<Step> step;
  {
    std::lock_guard lock(session->mutex);
    const auto at = session->partial.find(message.step);
    if (at == session->partial.end() || !at->second->handle->involves(from)) return;
    step = at->second;
    auto& fetches = step->fetches[step->handle->partition_of(from)];
    if (message.number >= fetches.size()) return;
    fetches[message.number] = std::move(message.value);
  }
  answer_asks(*session, *step);
}

// The step has ended, well or not; later parts learn how.
DGRAPH_DECL void Master::finish_partial(Session& session, Step& step, const Status& status) {
  {
    std::lock_guard lock(session.mutex);
    step.parts->over = true;
    step.parts->status = status;
  }
  answer_asks(session, step);
}

}  // namespace dgraph
