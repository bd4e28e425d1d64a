#pragma once
#include <dgraph/transport/local.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <dgraph/transport/frame_limits.hpp>
#include <dgraph/transport/host_core.hpp>
#include <dgraph/transport/name_address.hpp>

namespace dgraph::detail {

/// One end of a link.
class LocalLink final : public Link, public HostDependent, public std::enable_shared_from_this<LocalLink> {
 public:
  LocalLink(std::shared_ptr<HostCore> core, std::string peer) : core_(std::move(core)), peer_(std::move(peer)) {}
  ~LocalLink() override { leave_other(); }

  static void join(const std::shared_ptr<LocalLink>& a, const std::shared_ptr<LocalLink>& b) {
    a->other_ = b;
    b->other_ = a;
  }

  /// On this end's driver, once. Without a handler the link is closed.
  void start(std::shared_ptr<LinkHandler> handler);

  DGRAPH_DECL void send(Frame frame) override;
  DGRAPH_DECL void close(Status why) override;
  DGRAPH_DECL void set_limits(const FrameLimits& limits) override;
  /// Frames are handed over at once.
  std::size_t queued_bytes() const override { return 0; }
  std::string peer() const override { return peer_; }

 private:
  // Frames that one turn of the driver delivers at most.
  static constexpr int kDeliveries = 64;

  DGRAPH_DECL void on_abandoned() override;
  /// From the other end; without a frame it has closed.
  void arrive(std::optional<Frame> frame);
  void leave_other();
  void call_driver(std::unique_lock<std::mutex>& lock);
  void deliver();
  bool deliver_one();
  void finish();

  const std::shared_ptr<HostCore> core_;
  const std::string peer_;

  std::mutex mutex_;
  std::weak_ptr<LocalLink> other_;
  std::deque<Frame> inbox_;
  FrameLimits limits_;
  Status why_;
  bool called_ = false;      ///< `deliver` has been posted
  bool other_gone_ = false;  ///< nothing will arrive any more
  bool closed_ = false;

  // The driver's own.
  std::shared_ptr<LinkHandler> handler_;
  bool started_ = false;
  bool finished_ = false;
};

DGRAPH_DECL void LocalLink::start(std::shared_ptr<LinkHandler> handler) {
  started_ = true;
  handler_ = std::move(handler);
  if (!handler_) close(errors::Cancelled("refused"));
  core_->keep(shared_from_this());
  std::unique_lock lock(mutex_);
  if (!inbox_.empty() || other_gone_ || closed_) call_driver(lock);
}

DGRAPH_DECL void LocalLink::set_limits(const FrameLimits& limits) {
  const std::lock_guard lock(mutex_);
  limits_ = limits;
}

DGRAPH_DECL void LocalLink::send(Frame frame) {
  std::shared_ptr<LocalLink> other;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    other = other_.lock();
  }
  if (other) other->arrive(std::move(frame));
}

DGRAPH_DECL void LocalLink::close(Status why) {
  {
    std::unique_lock lock(mutex_);
    if (closed_) return;
    closed_ = true;
    why_ = std::move(why);
    call_driver(lock);
  }
  leave_other();
}

DGRAPH_DECL void LocalLink::leave_other() {
  std::weak_ptr<LocalLink> other;
  {
    const std::lock_guard lock(mutex_);
    other.swap(other_);
  }
  if (const auto left = other.lock()) left->arrive(std::nullopt);
}

DGRAPH_DECL void LocalLink::on_abandoned() {
  std::shared_ptr<LinkHandler> handler = std::move(handler_);
  std::deque<Frame> dropped;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.swap(inbox_);
  }
  leave_other();
}

DGRAPH_DECL void LocalLink::arrive(std::optional<Frame> frame) {
  std::unique_lock lock(mutex_);
  if (closed_ || other_gone_) return;
  if (frame) {
    inbox_.push_back(std::move(*frame));
  } else {
    other_gone_ = true;
  }
  call_driver(lock);
}

DGRAPH_DECL void LocalLink::call_driver(std::unique_lock<std::mutex>& lock) {
  if (std::exchange(called_, true)) return;
  lock.unlock();
  core_->post([self = shared_from_this()] { self->deliver(); });
}

DGRAPH_DECL void LocalLink::deliver() {
  {
    const std::lock_guard lock(mutex_);
    called_ = false;
  }
  // Before it has started nobody is there to receive; `start` calls again.
  if (!started_) return;
  for (int i = 0; i < kDeliveries; ++i) {
    if (!deliver_one()) return;
  }
  std::unique_lock lock(mutex_);
  call_driver(lock);
}

DGRAPH_DECL bool LocalLink::deliver_one() {
  Frame frame;
  Status status;
  {
    std::unique_lock lock(mutex_);
    if (closed_) {
      lock.unlock();
      finish();
      return false;
    }
    if (inbox_.empty()) {
      if (!other_gone_) return false;
      closed_ = true;
      why_ = errors::Unavailable(peer_, " closed the connection");
      return true;
    }
    frame = std::move(inbox_.front());
    inbox_.pop_front();
    status = check_frame(frame, limits_);
  }
  try {
    status.throw_if_error();
    handler_->on_bytes();
    handler_->on_frame(std::move(frame));
  } catch (...) {
    const Status why = current_exception_status();
    close(Status(why.code(), errors::text("from ", peer_, ": ", why.message())));
  }
  return true;
}

DGRAPH_DECL void LocalLink::finish() {
  if (std::exchange(finished_, true)) return;
  std::deque<Frame> dropped;
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(inbox_);
  }
  leave_other();
  core_->release(this);
  if (const auto handler = std::move(handler_)) handler->on_closed(why_);
}

/// Somebody who listens: its links are made on its own driver.
class LocalListening : public std::enable_shared_from_this<LocalListening> {
 public:
  LocalListening(std::shared_ptr<HostCore> core, OnLink on_link)
      : core_(std::move(core)), on_link_(std::make_shared<OnLink>(std::move(on_link))) {}

  void offer(std::shared_ptr<LocalLink> link) {
    core_->post([this, self = shared_from_this(), link] {
      std::shared_ptr<OnLink> on_link;
      {
        const std::lock_guard lock(mutex_);
        on_link = on_link_;
      }
      std::shared_ptr<LinkHandler> handler;
      try {
        if (on_link) handler = (*on_link)(link);
      } catch (...) {
        link->close(current_exception_status());
      }
      link->start(std::move(handler));
    });
  }
  void stop() {
    std::shared_ptr<OnLink> dropped;
    const std::lock_guard lock(mutex_);
    dropped = std::move(on_link_);
  }
  const std::shared_ptr<HostCore>& core() const noexcept { return core_; }

 private:
  const std::shared_ptr<HostCore> core_;
  std::mutex mutex_;
  std::shared_ptr<OnLink> on_link_;
};

}  // namespace dgraph::detail

namespace dgraph::transport {

class Local::Network {
 public:
  /// Called from any thread when somebody begins to listen.
  using Found = Function<void()>;

  std::shared_ptr<detail::LocalListening> find(const std::string& name, const std::shared_ptr<Found>& found) {
    const std::lock_guard lock(mutex_);
    if (const auto at = listening_.find(name); at != listening_.end()) return at->second;
    waiting_.emplace(name, found);
    return nullptr;
  }
  void forget(const std::string& name, const std::shared_ptr<Found>& found) {
    const std::lock_guard lock(mutex_);
    auto [at, end] = waiting_.equal_range(name);
    while (at != end) at = at->second == found ? waiting_.erase(at) : std::next(at);
  }
  /// Chooses a name where it is empty. False if it is taken.
  bool add(std::string& name, std::shared_ptr<detail::LocalListening> listening) {
    std::vector<std::shared_ptr<Found>> found;
    {
      const std::lock_guard lock(mutex_);
      while (name.empty()) {
        std::string choice = errors::text("local-", ++chosen_);
        if (!listening_.contains(choice)) name = std::move(choice);
      }
      if (!listening_.emplace(name, std::move(listening)).second) return false;
      auto [at, end] = waiting_.equal_range(name);
      for (; at != end; at = waiting_.erase(at)) found.push_back(std::move(at->second));
    }
    for (const auto& call : found) (*call)();
    return true;
  }
  void remove(const std::string& name) {
    std::shared_ptr<detail::LocalListening> removed;
    const std::lock_guard lock(mutex_);
    const auto at = listening_.find(name);
    removed = std::move(at->second);
    listening_.erase(at);
  }
  std::uint64_t next_link() { return ++links_; }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<detail::LocalListening>> listening_;
  std::multimap<std::string, std::shared_ptr<Found>> waiting_;
  std::uint64_t chosen_ = 0;
  std::atomic<std::uint64_t> links_{0};
};

}  // namespace dgraph::transport

namespace dgraph::detail {

class LocalListener final : public Listener {
 public:
  LocalListener(std::shared_ptr<transport::Local::Network> network, std::shared_ptr<LocalListening> listening,
                std::string name)
      : network_(std::move(network)), listening_(std::move(listening)), name_(std::move(name)) {}
  ~LocalListener() override {
    network_->remove(name_);
    listening_->stop();
  }
  std::string address() const override { return "local://" + name_; }

 private:
  std::shared_ptr<transport::Local::Network> network_;
  std::shared_ptr<LocalListening> listening_;
  std::string name_;
};

/// One call of `connect`; lives on the driver.
class LocalConnector final : public std::enable_shared_from_this<LocalConnector> {
 public:
  LocalConnector(std::shared_ptr<HostCore> core, std::shared_ptr<transport::Local::Network> network, Time deadline,
                 OnConnect on_connect)
      : core_(std::move(core)),
        network_(std::move(network)),
        began_(core_->now()),
        deadline_(deadline),
        on_connect_(std::move(on_connect)) {}
  ~LocalConnector() {
    if (found_) network_->forget(name_, found_);
  }

  void start(const std::string& text);

 private:
  void look();
  void give_up(const Status& why);

  const std::shared_ptr<HostCore> core_;
  const std::shared_ptr<transport::Local::Network> network_;
  const Time began_;
  const Time deadline_;
  OnConnect on_connect_;
  std::string name_;
  std::shared_ptr<transport::Local::Network::Found> found_;
  TimerId timer_ = 0;
};

DGRAPH_DECL void LocalConnector::start(const std::string& text) {
  if (const Status status = parse_name_address(text, transport::Local::scheme, name_); !status.ok()) return give_up(status);
  if (name_.empty()) return give_up(errors::InvalidArgument("'", text, "' is no address to connect to: it has no name"));
  found_ = std::make_shared<transport::Local::Network::Found>([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) self->core_->post([self] { self->look(); });
  });
  // The timer also keeps this object.
  timer_ = core_->after(deadline_ == kNever ? kNever : deadline_ - core_->now(), [self = shared_from_this()] {
    self->give_up(nobody_there("local://" + self->name_, self->deadline_ - self->began_));
  });
  look();
}

DGRAPH_DECL void LocalConnector::look() {
  if (!on_connect_) return;
  const std::shared_ptr<LocalListening> listening = network_->find(name_, found_);
  if (!listening) return;
  core_->cancel(timer_);
  const std::string address = "local://" + name_;
  const auto near = std::make_shared<LocalLink>(core_, address);
  const auto far = std::make_shared<LocalLink>(listening->core(), errors::text(address, '#', network_->next_link()));
  LocalLink::join(near, far);
  listening->offer(far);
  OnConnect on_connect = std::move(on_connect_);
  std::shared_ptr<LinkHandler> handler;
  try {
    handler = on_connect(near, Status());
  } catch (...) {
    near->close(current_exception_status());
  }
  near->start(std::move(handler));
}

DGRAPH_DECL void LocalConnector::give_up(const Status& why) {
  if (OnConnect on_connect = std::move(on_connect_)) on_connect(nullptr, why);
}

}  // namespace dgraph::detail

namespace dgraph::transport {

DGRAPH_DECL std::shared_ptr<Local::Network> Local::make_network() { return std::make_shared<Network>(); }

DGRAPH_DECL Local::Local(HostOptions options) : Local(make_network(), options) {}

DGRAPH_DECL Local::Local(std::shared_ptr<Network> network, HostOptions options)
    : Local(std::move(network), std::make_shared<RealHost>(options)) {}

DGRAPH_DECL Local::Local(std::shared_ptr<Network> network, std::shared_ptr<RealHost> host)
    : network_(std::move(network)), host_(std::move(host)) {}

DGRAPH_DECL std::unique_ptr<Listener> Local::listen(const std::string& address, OnLink on_link) {
  std::string name;
  detail::parse_name_address(address, scheme, name).throw_if_error();
  auto listening = std::make_shared<detail::LocalListening>(host_->core(), std::move(on_link));
  if (!network_->add(name, listening)) fail(Code::Unavailable, "cannot listen at local://", name, ": somebody does already");
  return std::make_unique<detail::LocalListener>(network_, std::move(listening), std::move(name));
}

DGRAPH_DECL void Local::connect(const std::string& address, Time deadline, OnConnect on_connect) {
  auto connector = std::make_shared<detail::LocalConnector>(host_->core(), network_, deadline, std::move(on_connect));
  host_->post([connector, address] { connector->start(address); });
}

}  // namespace dgraph::transport
