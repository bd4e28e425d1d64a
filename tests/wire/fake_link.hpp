#pragma once
// A host on virtual time and a pair of links on it, for tests of what sits on a link.

#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dgraph::test {

class FakeHost final : public Host {
 public:
  FakeHost() = default;
  /// Lets go of the handlers of its links, as real hosts do.
  ~FakeHost() override {
    for (const auto& end : at_end) end();
  }
  std::vector<std::function<void()>> at_end;

  Time now() const override { return now_; }
  TimerId after(Duration delay, Task task) override {
    const TimerId id = ++last_timer_;
    timers_.emplace(std::pair(now_ + delay, id), std::move(task));
    return id;
  }
  void cancel(TimerId timer) override {
    for (auto at = timers_.begin(); at != timers_.end(); ++at) {
      if (at->first.second != timer) continue;
      timers_.erase(at);
      return;
    }
  }
  void post(Task task) override { tasks_.push_back(std::move(task)); }
  void compute(Task task) override { tasks_.push_back(std::move(task)); }
  std::size_t compute_threads() const override { return 1; }
  bool drive(FunctionRef<bool()> until, Time deadline) override {
    while (!until() && (!tasks_.empty() || !timers_.empty()) && now_ < deadline) step();
    return until();
  }
  std::shared_ptr<void> hold_driver() override { return nullptr; }
  bool on_driver() const override { return true; }
  std::uint64_t random_id() override { return ++last_id_; }

  /// Runs what is posted; no time passes.
  void settle() {
    while (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
  }
  /// Lets time pass, timer by timer.
  void pass(Duration time) {
    settle();
    const Time end = now_ + time;
    while (!timers_.empty() && timers_.begin()->first.first <= end) {
      step();
      settle();
    }
    now_ = end;
  }
  /// Time passes, but nothing runs until its end: the process stood still.
  void stall(Duration time) {
    now_ += time;
    pass(Duration::zero());
  }
  std::size_t timers() const { return timers_.size(); }
  std::size_t fired() const { return fired_; }

 private:
  void step() {
    if (!tasks_.empty()) return settle();
    auto first = timers_.extract(timers_.begin());
    now_ = std::max(now_, first.key().first);
    ++fired_;
    first.mapped()();
  }
  Time now_{};
  TimerId last_timer_ = 0;
  std::uint64_t last_id_ = 100;
  std::size_t fired_ = 0;
  std::deque<Task> tasks_;
  std::map<std::pair<Time, TimerId>, Task> timers_;
};

/// One end. Frames cross by posted tasks; bodies are copied into what the other side's handler
/// gives.
class FakeLink final : public Link, public std::enable_shared_from_this<FakeLink> {
 public:
  FakeLink(const std::shared_ptr<FakeHost>& host, std::string peer)
      : host_(host), peer_(std::move(peer)) {}

  static std::pair<std::shared_ptr<FakeLink>, std::shared_ptr<FakeLink>> pair(
      const std::shared_ptr<FakeHost>& host, const std::string& address) {
    auto a = std::make_shared<FakeLink>(host, address);
    auto b = std::make_shared<FakeLink>(host, "fake://caller");
    a->other_ = b;
    b->other_ = a;
    host->at_end.push_back([weak_a = std::weak_ptr(a), weak_b = std::weak_ptr(b)] {
      for (const auto& weak : {weak_a, weak_b})
        if (const auto link = weak.lock()) link->handler.reset();
    });
    return {a, b};
  }

  void send(Frame frame) override {
    if (closed_) return;
    sent.push_back(frame);
    if (mute) return;
    post([other = other_, frame = std::move(frame)]() mutable {
      if (const auto to = other.lock()) to->deliver(std::move(frame));
    });
  }
  void close(Status why) override {
    if (closed_) return;
    closed_ = true;
    post([self = shared_from_this(), why] { self->report(why); });
    post([other = other_] {
      if (const auto to = other.lock()) to->lose(errors::Unavailable("closed by the other side"));
    });
  }
  void set_limits(const FrameLimits& new_limits) override { limits = new_limits; }
  std::size_t queued_bytes() const override { return 0; }
  std::string peer() const override { return peer_; }

  void lose(const Status& why) {
    if (std::exchange(closed_, true)) return;
    report(why);
  }
  void deliver(Frame frame) {
    if (closed_ || !handler) return;
    handler->on_bytes();
    if (frame.head.size() > limits.head || frame.bodies.size() > limits.bodies) {
      close(errors::InvalidArgument("above the limits"));
      return;
    }
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      const Body from = std::move(frame.bodies[i]);
      frame.bodies[i] = handler->body_buffer(frame.head, i, from.size);
      if (frame.bodies[i].owner && from.size)
        std::memcpy(frame.bodies[i].data, from.data, from.size);
    }
    handler->on_frame(std::move(frame));
  }

  std::shared_ptr<LinkHandler> handler;
  FrameLimits limits;
  std::vector<Frame> sent;
  bool mute = false;  ///< what is sent gets lost

 private:
  void report(const Status& why) {
    if (const auto to = std::move(handler)) to->on_closed(why);
  }
  void post(Task task) {
    if (const auto host = host_.lock()) host->post(std::move(task));
  }
  const std::weak_ptr<FakeHost> host_;
  const std::string peer_;
  std::weak_ptr<FakeLink> other_;
  bool closed_ = false;
};

/// Connects to whoever listens at the address; nobody: Unavailable.
class FakeTransport final : public AnyTransport {
 public:
  explicit FakeTransport(std::shared_ptr<FakeHost> host) : host_(std::move(host)) {}
  std::string_view scheme() const override { return "fake"; }
  std::shared_ptr<Host> host() override { return host_; }
  std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link) override {
    listening_ = address;
    on_link_ = std::move(on_link);
    return nullptr;
  }
  void connect(const std::string& address, Time, OnConnect on_connect) override {
    host_->post([this, address, on_connect = std::move(on_connect)]() mutable {
      if (!on_link_ || address != listening_) {
        on_connect(nullptr, errors::Unavailable("nobody listens"));
        return;
      }
      auto [near, far] = FakeLink::pair(host_, address);
      near_ends.push_back(near);
      far_ends.push_back(far);
      near->handler = on_connect(near, Status());
      far->handler = on_link_(far);
      if (!far->handler) far->close(Status());
    });
  }

  std::vector<std::shared_ptr<FakeLink>> near_ends, far_ends;

 private:
  const std::shared_ptr<FakeHost> host_;
  std::string listening_;
  OnLink on_link_;
};

}  // namespace dgraph::test
