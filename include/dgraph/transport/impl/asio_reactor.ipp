#pragma once
#include <dgraph/transport/asio_reactor.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

namespace dgraph::detail {

class AsioReactor;

class AsioWatch final : public Watch, public std::enable_shared_from_this<AsioWatch> {
 public:
  AsioWatch(AsioReactor& reactor, int descriptor, bool busy, std::shared_ptr<WatchHandler> handler);

  DGRAPH_DECL void want_write() override;
  void close() override { end(false); }
  int release() override { return end(true); }

 private:
  friend class AsioReactor;
  using Descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  void arm_read();
  bool deliver_readable();
  void deliver_writable();
  std::shared_ptr<WatchHandler> handler();
  int end(bool keep_descriptor);

  AsioReactor& reactor_;
  const int number_;
  const bool may_heat_;

  std::mutex mutex_;
  std::optional<Descriptor> descriptor_;
  std::shared_ptr<WatchHandler> handler_;
  bool write_armed_ = false;
  std::atomic<bool> open_{true};

  // The driver's own.
  bool read_armed_ = false;
  bool hot_ = false;
  std::uint64_t last_hit_ = 0;
};

/// Waiting is Asio's. While the driver polls, it asks those descriptors that had something last by itself, with one call
/// and without arming them again each time, and Asio only now and then.
class AsioReactor final : public Reactor {
 public:
  explicit AsioReactor(HostCore& core)
      : core_(core), work_(asio::make_work_guard(io_)), alarm_(io_), resolver_(io_) {}
  DGRAPH_DECL ~AsioReactor() override;

  DGRAPH_DECL bool poll(AfterEvent after_event) override;
  DGRAPH_DECL bool wait(Time until, FunctionRef<void()> awake, AfterEvent after_event) override;
  DGRAPH_DECL void wake() override;
  DGRAPH_DECL std::shared_ptr<Watch> watch(int descriptor, bool busy, std::shared_ptr<WatchHandler> handler) override;
  DGRAPH_DECL void resolve(const std::string& host, std::uint16_t port,
               Function<void(const Status&, std::vector<SocketAddress>)> done) override;
  std::size_t busy() const override { return busy_; }

 private:
  friend class AsioWatch;
  static constexpr std::size_t kHot = 16;
  static constexpr unsigned kThorough = 8;
  static constexpr int kHandlers = 64;
  using Executor = asio::io_context::executor_type;
  using Alarm = asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

  // On the driver, around each event.
  void before_event();
  void event_done();
  void heat(AsioWatch& watch);
  bool poll_hot();
  bool poll_asio();
  void arm_alarm(Time until);

  HostCore& core_;
  asio::io_context io_;
  asio::executor_work_guard<Executor> work_;
  Alarm alarm_;
  asio::ip::basic_resolver<asio::ip::tcp, Executor> resolver_;
  std::atomic<std::size_t> busy_{0};

  std::mutex mutex_;
  std::unordered_set<AsioWatch*> watches_;

  // The driver's own.
  Time alarm_at_ = kNever;
  AfterEvent* after_event_ = nullptr;
  FunctionRef<void()>* awake_ = nullptr;
  bool handled_ = false;
  bool stop_ = false;
  std::vector<std::shared_ptr<AsioWatch>> hot_;
  std::vector<pollfd> hot_descriptors_;
  std::uint64_t hits_ = 0;
  unsigned polls_ = 0;
};

DGRAPH_DECL AsioWatch::AsioWatch(AsioReactor& reactor, int descriptor, bool busy, std::shared_ptr<WatchHandler> handler)
    : reactor_(reactor), number_(descriptor), may_heat_(busy), handler_(std::move(handler)) {
  descriptor_.emplace(reactor.io_.get_executor(), descriptor);
}

DGRAPH_DECL std::shared_ptr<WatchHandler> AsioWatch::handler() {
  const std::lock_guard lock(mutex_);
  return handler_;
}

DGRAPH_DECL void AsioWatch::arm_read() {
  const std::lock_guard lock(mutex_);
  if (!descriptor_ || read_armed_) return;
  read_armed_ = true;
  descriptor_->async_wait(Descriptor::wait_read, [self = shared_from_this()](const asio::error_code&) {
    self->read_armed_ = false;
    if (self->open_) self->deliver_readable();
    if (self->open_ && !self->hot_) self->arm_read();
  });
}

DGRAPH_DECL bool AsioWatch::deliver_readable() {
  const std::shared_ptr<WatchHandler> to = handler();
  if (!to) return false;
  reactor_.before_event();
  if (!to->on_readable()) return false;
  if (may_heat_ && open_) reactor_.heat(*this);
  reactor_.event_done();
  return true;
}

DGRAPH_DECL void AsioWatch::want_write() {
  const std::lock_guard lock(mutex_);
  if (!descriptor_ || write_armed_) return;
  write_armed_ = true;
  descriptor_->async_wait(Descriptor::wait_write, [self = shared_from_this()](const asio::error_code&) {
    self->deliver_writable();
  });
}

DGRAPH_DECL void AsioWatch::deliver_writable() {
  std::shared_ptr<WatchHandler> to;
  {
    const std::lock_guard lock(mutex_);
    write_armed_ = false;
    to = handler_;
  }
  if (!to) return;
  reactor_.before_event();
  to->on_writable();
  reactor_.event_done();
}

DGRAPH_DECL int AsioWatch::end(bool keep_descriptor) {
  std::shared_ptr<WatchHandler> dropped;
  const std::lock_guard lock(mutex_);
  if (!open_.exchange(false)) return -1;
  dropped = std::move(handler_);
  const int kept = keep_descriptor ? descriptor_->release() : -1;
  descriptor_.reset();
  const std::lock_guard list(reactor_.mutex_);
  reactor_.watches_.erase(this);
  --reactor_.busy_;
  return kept;
}

DGRAPH_DECL AsioReactor::~AsioReactor() {
  // Watches outlive their reactor in the hands of links: they must not keep Asio's objects.
  std::vector<std::shared_ptr<AsioWatch>> watches;
  {
    const std::lock_guard lock(mutex_);
    for (AsioWatch* watch : watches_) {
      if (auto shared = watch->weak_from_this().lock()) watches.push_back(std::move(shared));
    }
  }
  for (const auto& watch : watches) {
    if (const auto to = watch->handler()) to->on_abandoned();
    watch->close();
  }
}

DGRAPH_DECL void AsioReactor::before_event() {
  if (awake_) (*std::exchange(awake_, nullptr))();
}

DGRAPH_DECL void AsioReactor::event_done() {
  handled_ = true;
  if (after_event_ && !stop_) stop_ = (*after_event_)();
}

DGRAPH_DECL void AsioReactor::heat(AsioWatch& watch) {
  watch.last_hit_ = ++hits_;
  if (watch.hot_) return;
  watch.hot_ = true;
  if (hot_.size() < kHot) {
    hot_.push_back(watch.shared_from_this());
    hot_descriptors_.push_back({watch.number_, POLLIN, 0});
    return;
  }
  const auto coldest = std::min_element(hot_.begin(), hot_.end(),
                                        [](const auto& a, const auto& b) { return a->last_hit_ < b->last_hit_; });
  (*coldest)->hot_ = false;
  (*coldest)->arm_read();
  hot_descriptors_[static_cast<std::size_t>(coldest - hot_.begin())].fd = watch.number_;
  *coldest = watch.shared_from_this();
}

DGRAPH_DECL bool AsioReactor::poll_hot() {
  // Closed ones leave first: their numbers may already be somebody else's.
  for (std::size_t i = 0; i < hot_.size();) {
    if (hot_[i]->open_) {
      ++i;
      continue;
    }
    hot_[i] = std::move(hot_.back());
    hot_.pop_back();
    hot_descriptors_[i] = hot_descriptors_.back();
    hot_descriptors_.pop_back();
  }
  if (hot_.empty()) return false;
  if (hot_.size() == 1) {
    const std::shared_ptr<AsioWatch> only = hot_.front();
    return only->deliver_readable();
  }
  if (::poll(hot_descriptors_.data(), hot_descriptors_.size(), 0) <= 0) return false;
  // Handlers may change the list.
  std::shared_ptr<AsioWatch> ready[kHot];
  std::size_t count = 0;
  for (std::size_t i = 0; i < hot_.size(); ++i) {
    if (hot_descriptors_[i].revents != 0) ready[count++] = hot_[i];
  }
  bool any = false;
  for (std::size_t i = 0; i < count && !stop_; ++i) {
    if (ready[i]->open_ && ready[i]->deliver_readable()) any = true;
  }
  return any;
}

DGRAPH_DECL bool AsioReactor::poll_asio() {
  handled_ = false;
  // Bounded, because a link that waits to be closed by a posted task may be readable all the time.
  for (int left = kHandlers; left > 0 && !stop_ && io_.poll_one() > 0; --left) {
  }
  return handled_;
}

DGRAPH_DECL bool AsioReactor::poll(AfterEvent after_event) {
  after_event_ = &after_event;
  stop_ = false;
  bool any = poll_hot();
  if (!stop_ && (hot_.empty() || ++polls_ % kThorough == 0)) any = poll_asio() || any;
  after_event_ = nullptr;
  return any;
}

DGRAPH_DECL void AsioReactor::arm_alarm(Time until) {
  // One that rings earlier costs a wake-up, which is cheaper than setting it anew each time.
  if (until == kNever || alarm_at_ <= until) return;
  alarm_at_ = until;
  alarm_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(until - core_.now()));
  alarm_.async_wait([this](const asio::error_code& error) {
    if (!error) alarm_at_ = kNever;
  });
}

DGRAPH_DECL bool AsioReactor::wait(Time until, FunctionRef<void()> awake, AfterEvent after_event) {
  for (const auto& watch : hot_) watch->arm_read();
  arm_alarm(until);
  after_event_ = &after_event;
  awake_ = &awake;
  stop_ = handled_ = false;
  io_.run_one();
  before_event();
  after_event_ = nullptr;
  return handled_;
}

DGRAPH_DECL void AsioReactor::wake() {
  asio::post(io_, [] {});
}

DGRAPH_DECL std::shared_ptr<Watch> AsioReactor::watch(int descriptor, bool busy,
                                                      std::shared_ptr<WatchHandler> handler) {
  std::shared_ptr<AsioWatch> watch;
  try {
    watch = std::make_shared<AsioWatch>(*this, descriptor, busy, std::move(handler));
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  {
    const std::lock_guard lock(mutex_);
    watches_.insert(watch.get());
    ++busy_;
  }
  watch->arm_read();
  core_.outstanding_changed();
  return watch;
}

DGRAPH_DECL void AsioReactor::resolve(const std::string& host, std::uint16_t port,
                                      Function<void(const Status&, std::vector<SocketAddress>)> done) {
  ++busy_;
  std::unique_lock lock(mutex_);
  resolver_.async_resolve(
      host, std::to_string(port), asio::ip::tcp::resolver::numeric_service,
      [this, done = std::move(done)](const asio::error_code& error, const auto& results) mutable {
        --busy_;
        std::vector<SocketAddress> addresses;
        for (const auto& result : results) {
          const asio::ip::tcp::endpoint endpoint = result.endpoint();
          SocketAddress address(endpoint.size());
          std::memcpy(address.data(), endpoint.data(), endpoint.size());
          addresses.push_back(std::move(address));
        }
        before_event();
        done(error ? errors::Unavailable(error.message()) : Status(), std::move(addresses));
        event_done();
      });
  lock.unlock();
  core_.outstanding_changed();
}

DGRAPH_DECL std::unique_ptr<Reactor> make_asio_reactor(HostCore& core) { return std::make_unique<AsioReactor>(core); }

}  // namespace dgraph::detail
