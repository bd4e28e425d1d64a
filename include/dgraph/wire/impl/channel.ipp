#pragma once
#include <dgraph/wire/channel.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace dgraph {
namespace detail {

// What the link holds. Where the link lets go of it without on_closed (the host is gone) it breaks
// the circle of channel and handler.
class ChannelPort final : public LinkHandler {
 public:
  explicit ChannelPort(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  ~ChannelPort() override { channel_->abandon(); }
  Body body_buffer(std::span<const std::byte> head, std::size_t index,
                   std::uint64_t bytes) override {
    return channel_->body_buffer(head, index, bytes);
  }
  void on_frame(Frame frame) override { channel_->on_frame(std::move(frame)); }
  void on_bytes() override { channel_->on_bytes(); }
  void on_closed(const Status& why) override { channel_->on_closed(why); }
  bool start(std::shared_ptr<Link> link, Duration limit) {
    return channel_->start(std::move(link), limit);
  }

 private:
  const std::shared_ptr<Channel> channel_;
};

DGRAPH_DECL std::uint64_t data_bytes(const Frame& frame) noexcept {
  std::uint64_t total = 0;
  for (const Body& body : frame.bodies)
    if (body.owner) total += body.size;
  return total;
}

DGRAPH_DECL std::string seconds_text(Duration time) {
  const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(time).count() / 100;
  return errors::text(tenths / 10, '.', tenths % 10, " s");
}

DGRAPH_DECL void subtract_at_most(std::atomic<std::uint64_t>& from, std::uint64_t amount) noexcept {
  std::uint64_t old = from.load(std::memory_order_relaxed);
  while (!from.compare_exchange_weak(old, old - std::min(old, amount), std::memory_order_relaxed)) {
  }
}

}  // namespace detail

DGRAPH_DECL Body ChannelHandler::body_buffer(MessageType type, std::span<const std::byte>,
                                             std::size_t, std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{16} << 30;
  if (type == MessageType::Data || bytes > kMost) return {};
  try {
    Ref<Buffer> buffer = allocate_buffer(static_cast<std::size_t>(bytes));
    std::byte* const data = buffer->data();
    return {std::move(buffer), data, static_cast<std::size_t>(bytes)};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

DGRAPH_DECL Channel::Channel(std::shared_ptr<Host> host, ChannelOptions options, bool initiator)
    : host_(std::move(host)),
      options_(std::move(options)),
      initiator_(initiator),
      pulse_(options_.pulse) {}

DGRAPH_DECL Channel::~Channel() {
  if (pulse_) pulse_->remove(this);
}

DGRAPH_DECL std::shared_ptr<Channel> Channel::connect(AnyTransport& transport,
                                                      const std::string& address, Time deadline,
                                                      ChannelOptions options,
                                                      std::shared_ptr<ChannelHandler> handler) {
  const std::shared_ptr<Host> host = transport.host();
  std::shared_ptr<Channel> channel(new Channel(host, std::move(options), true));
  channel->handler_ = std::move(handler);
  channel->address_ = address;
  channel->nonce_ = host->random_id();
  auto port = std::make_shared<detail::ChannelPort>(channel);
  transport.connect(address, deadline,
                    [port, deadline](std::shared_ptr<Link> link,
                                     const Status& why) -> std::shared_ptr<LinkHandler> {
                      if (!link) {
                        port->on_closed(why);
                        return nullptr;
                      }
                      return port->start(std::move(link), deadline) ? port : nullptr;
                    });
  return channel;
}

DGRAPH_DECL std::shared_ptr<LinkHandler> Channel::accept(std::shared_ptr<Host> host,
                                                         std::shared_ptr<Link> link,
                                                         ChannelOptions options, OnAccept on_accept,
                                                         OnHandshake on_handshake) {
  std::shared_ptr<Channel> channel(new Channel(std::move(host), std::move(options), false));
  channel->on_accept_ = std::move(on_accept);
  channel->on_handshake_ = std::move(on_handshake);
  channel->address_ = link->peer();
  auto port = std::make_shared<detail::ChannelPort>(channel);
  port->start(std::move(link), kNever);
  return port;
}

DGRAPH_DECL bool Channel::start(std::shared_ptr<Link> link, Time deadline) {
  const std::shared_ptr<Host> host = host_.lock();
  if (!host) return false;
  link->set_limits(FrameLimits());
  {
    std::lock_guard lock(mutex_);
    if (is_closed()) return false;
    link_ = link;
  }
  Duration limit = options_.handshake;
  if (deadline != kNever) limit = std::clamp(deadline - host->now(), Duration::zero(), limit);
  handshake_timer_ = host->after(limit, [weak = weak_from_this(), limit] {
    const auto self = weak.lock();
    if (!self || self->state_.load() != State::Handshake) return;
    self->handshake_timer_ = 0;
    self->close(errors::Unavailable("no handshake within ", detail::seconds_text(limit)));
  });
  if (initiator_) {
    Hello hello;
    hello.nonce = nonce_;
    hello.self = options_.self;
    hello.wanted = options_.wanted;
    link->send(wire::encode(hello));
  }
  return true;
}

DGRAPH_DECL Body Channel::body_buffer(std::span<const std::byte> head, std::size_t index,
                                      std::uint64_t bytes) {
  const auto type = wire::peek_type(head);
  if (!is_open() || !type) return {};
  Body body = handler_->body_buffer(*type, head, index, bytes);
  if (!body.owner && *type == MessageType::Data) give_back(bytes);
  return body;
}

DGRAPH_DECL void Channel::on_bytes() {
  if (!beating_.load(std::memory_order_relaxed)) return;
  if (const auto host = host_.lock()) heard_.store(host->now().count(), std::memory_order_relaxed);
}

DGRAPH_DECL void Channel::on_frame(Frame frame) {
  on_bytes();
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::Closed) return;
  if (state == State::Handshake)
    return initiator_ ? on_welcome(std::move(frame)) : on_hello(std::move(frame));
  if (const std::uint32_t credit = wire::peek_credit(frame.head)) take_credit(credit);
  const auto type = wire::peek_type(frame.head);
  if (type && *type >= MessageType::CreateSession) {
    if (*type == MessageType::Data && !frame.bodies.empty())
      unconsumed_.fetch_add(detail::data_bytes(frame), std::memory_order_relaxed);
    return handler_->on_message(*type, std::move(frame));
  }
  Status status = errors::DataLoss("a message of no known type");
  if (type == MessageType::Heartbeat) {
    wire::Heartbeat heartbeat;
    status = wire::decode(std::move(frame), heartbeat);
    // Where this side beats too, that is answer enough.
    if (status.ok() && heartbeat.answer && !beating_.load()) send(wire::Heartbeat{false});
  } else if (type == MessageType::Credit) {
    wire::CreditMessage credit;
    status = wire::decode(std::move(frame), credit);
  }
  if (!status.ok()) close(status);
}

DGRAPH_DECL Status Channel::check_peer(std::uint16_t version, std::uint16_t flags) const {
  if (version != wire::kProtocolVersion)
    return errors::FailedPrecondition("protocol version ", version, " there, ",
                                      wire::kProtocolVersion, " here");
  if (flags != 0)
    return errors::Unauthenticated("an authentication that is not known here is asked for");
  return {};
}

DGRAPH_DECL Status Channel::check_cluster(const PeerIdentity& peer) const {
  if (peer.cluster != 0 && options_.self.cluster != 0 && peer.cluster != options_.self.cluster)
    return errors::FailedPrecondition(
        peer, " was started with another list of the cluster's tasks than ", options_.self);
  return {};
}

DGRAPH_DECL void Channel::on_hello(Frame frame) {
  Hello hello;
  Status status = wire::decode(std::move(frame), hello);
  if (!status.ok())
    return close(Status(Code::InvalidArgument, "no peer of dgraph: " + status.message()));
  status = check_peer(hello.version, hello.flags);
  if (status.ok() && hello.wanted &&
      (options_.self.role != PeerRole::Server || hello.wanted->job != options_.self.job ||
       hello.wanted->task != options_.self.task))
    status = errors::FailedPrecondition("task /job:", hello.wanted->job,
                                        "/replica:0/task:", hello.wanted->task,
                                        " was expected, but this is ", options_.self);
  if (status.ok()) status = check_cluster(hello.self);
  if (!status.ok()) return refuse(status, hello.nonce);
  {
    std::lock_guard lock(mutex_);
    peer_ = hello.self;
    known_ = true;
  }
  handler_ = on_accept_ ? on_accept_(shared_from_this(), hello.self) : nullptr;
  if (!handler_)
    return refuse(errors::Unavailable(options_.self, " takes no new connections"), hello.nonce);
  if (is_closed()) return;
  link_->set_limits(options_.limits);
  Welcome welcome;
  welcome.nonce = hello.nonce;
  welcome.self = options_.self;
  link_->send(wire::encode(welcome));
  open(hello.self);
}

DGRAPH_DECL void Channel::refuse(const Status& why, std::uint64_t nonce) {
  Welcome welcome;
  welcome.nonce = nonce;
  welcome.status = why;
  welcome.self = options_.self;
  link_->send(wire::encode(welcome));
  close(why);
}

DGRAPH_DECL void Channel::on_welcome(Frame frame) {
  Welcome welcome;
  Status status = wire::decode(std::move(frame), welcome);
  if (!status.ok())
    return close(Status(Code::InvalidArgument, "no peer of dgraph: " + status.message()));
  if (!welcome.status.ok())
    return close(
        Status(welcome.status.code(), "refused by the other side: " + welcome.status.message()));
  status = check_peer(welcome.version, welcome.flags);
  if (status.ok() && welcome.nonce != nonce_)
    status = errors::DataLoss("an answer to another greeting");
  if (status.ok()) status = check_cluster(welcome.self);
  const auto& wanted = options_.wanted;
  if (status.ok() && wanted &&
      (welcome.self.role != PeerRole::Server || welcome.self.job != wanted->job ||
       welcome.self.task != wanted->task))
    status = errors::FailedPrecondition("task /job:", wanted->job, "/replica:0/task:", wanted->task,
                                        " was expected, but there is ", welcome.self);
  if (!status.ok()) return close(status);
  {
    std::lock_guard lock(mutex_);
    peer_ = welcome.self;
    known_ = true;
  }
  link_->set_limits(options_.limits);
  open(welcome.self);
}

DGRAPH_DECL void Channel::open(const PeerIdentity& peer) {
  {
    std::lock_guard lock(mutex_);
    if (is_closed()) return;
    for (Frame& frame : waiting_) send_now(frame);
    waiting_ = {};
    state_.store(State::Open, std::memory_order_release);
    if (keep_alives_ > 0) start_beating();
  }
  end_handshake(Status());
  handler_->on_open(peer);
}

DGRAPH_DECL void Channel::end_handshake(const Status& how) {
  if (const auto host = host_.lock(); host && handshake_timer_ != 0) host->cancel(handshake_timer_);
  handshake_timer_ = 0;
  on_accept_ = nullptr;
  if (OnHandshake told = std::exchange(on_handshake_, nullptr)) told(*this, how);
}

DGRAPH_DECL void Channel::send(Frame frame) {
  if (DGRAPH_LIKELY(is_open())) return send_now(frame);
  std::lock_guard lock(mutex_);
  if (is_open())
    send_now(frame);
  else if (!is_closed())
    waiting_.push_back(std::move(frame));
}

DGRAPH_DECL void Channel::send_now(Frame& frame) {
  if (frame.head.empty()) return;
  if (frame.head[0] == static_cast<std::byte>(MessageType::Data) && !frame.bodies.empty())
    in_flight_.fetch_add(detail::data_bytes(frame), std::memory_order_relaxed);
  if (credit_.load(std::memory_order_relaxed) != 0) {
    const std::uint64_t credit = credit_.exchange(0, std::memory_order_relaxed);
    const auto said = static_cast<std::uint32_t>(std::min<std::uint64_t>(credit, UINT32_MAX));
    wire::patch_credit(frame.head, said);
    if (credit > said) credit_.fetch_add(credit - said, std::memory_order_relaxed);
  }
  sent_.store(true, std::memory_order_relaxed);
  link_->send(std::move(frame));
}

DGRAPH_DECL bool Channel::fits(std::uint64_t bytes) const noexcept {
  const std::uint64_t used = in_flight();
  return used <= options_.window && bytes <= options_.window - used;
}

DGRAPH_DECL void Channel::take_credit(std::uint64_t credit) noexcept {
  detail::subtract_at_most(in_flight_, credit);
}

DGRAPH_DECL void Channel::consumed(std::uint64_t bytes) {
  if (bytes == 0) return;
  detail::subtract_at_most(unconsumed_, bytes);
  give_back(bytes);
}

DGRAPH_DECL void Channel::give_back(std::uint64_t bytes) {
  // Small sums ride on whatever is sent next.
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;
  const std::uint64_t much = options_.window / 4;
  const std::uint64_t credit = credit_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (credit >= much || (credit >= std::min(kMuch, much) && unconsumed() == 0))
    send(wire::CreditMessage());
}

DGRAPH_DECL std::shared_ptr<void> Channel::keep_alive() {
  {
    std::lock_guard lock(mutex_);
    if (keep_alives_++ == 0 && is_open()) start_beating();
  }
  return {this, [self = shared_from_this()](void*) { self->release_keep_alive(); }};
}

DGRAPH_DECL void Channel::release_keep_alive() {
  std::lock_guard lock(mutex_);
  if (--keep_alives_ == 0) stop_beating();
}

DGRAPH_DECL void Channel::start_beating() {
  const auto host = host_.lock();
  if (!host) return;
  if (!pulse_) pulse_ = std::make_shared<Pulse>(host, options_.heartbeat);
  heard_.store(host->now().count(), std::memory_order_relaxed);
  beating_.store(true);
  pulse_->add(shared_from_this());
}

DGRAPH_DECL void Channel::stop_beating() {
  if (!beating_.exchange(false)) return;
  pulse_->remove(this);
}

DGRAPH_DECL Time Channel::beat(Time now, bool late) {
  if (!beating_.load() || !is_open()) return kNever;
  Time heard(heard_.load(std::memory_order_relaxed));
  if (late && heard < now - options_.dead_after + options_.heartbeat) {
    heard = now - options_.dead_after + options_.heartbeat;
    heard_.store(heard.count(), std::memory_order_relaxed);
  }
  const Duration silence = now - heard;
  if (silence >= options_.dead_after) {
    close(errors::Unavailable("nothing was heard for ", detail::seconds_text(silence)));
    return kNever;
  }
  if (!sent_.exchange(false, std::memory_order_relaxed) || silence >= options_.heartbeat) {
    send(wire::Heartbeat{true});
    sent_.store(false, std::memory_order_relaxed);
  }
  return heard + options_.dead_after;
}

DGRAPH_DECL void Channel::close(Status why) {
  std::shared_ptr<Link> link;
  {
    std::lock_guard lock(mutex_);
    if (is_closed()) return;
    state_.store(State::Closed, std::memory_order_release);
    waiting_ = {};
    stop_beating();
    link = link_;
    close_posted_ = !link;
  }
  if (link) return link->close(std::move(why));
  if (const auto host = host_.lock())
    host->post([port = std::make_shared<detail::ChannelPort>(shared_from_this()),
                why = std::move(why)] { port->on_closed(why); });
}

DGRAPH_DECL Status Channel::explain(const Status& why) const {
  const std::string message = describe() + ": " + (why.ok() ? "closed" : why.message());
  return Status(why.ok() ? Code::Unavailable : why.code(), message, why.place());
}

DGRAPH_DECL void Channel::on_closed(const Status& why) {
  if (std::exchange(reported_, true)) return;
  {
    std::lock_guard lock(mutex_);
    state_.store(State::Closed, std::memory_order_release);
    waiting_ = {};
    stop_beating();
  }
  const Status told = explain(why);
  end_handshake(told);
  const std::shared_ptr<ChannelHandler> handler = std::move(handler_);
  if (handler) handler->on_closed(told);
}

DGRAPH_DECL void Channel::abandon() {
  {
    std::lock_guard lock(mutex_);
    if (close_posted_ && !host_.expired()) return;
    state_.store(State::Closed, std::memory_order_release);
    waiting_ = {};
    stop_beating();
  }
  if (std::exchange(reported_, true)) return;
  on_accept_ = nullptr;
  on_handshake_ = nullptr;
  const std::shared_ptr<ChannelHandler> handler = std::move(handler_);
}

DGRAPH_DECL std::string Channel::describe() const {
  std::lock_guard lock(mutex_);
  if (known_) return errors::text(peer_, " at ", address_);
  if (options_.wanted)
    return errors::text("/job:", options_.wanted->job, "/replica:0/task:", options_.wanted->task,
                        " at ", address_);
  return address_;
}

DGRAPH_DECL std::size_t Channel::queued_bytes() const {
  std::lock_guard lock(mutex_);
  return link_ ? link_->queued_bytes() : 0;
}

}  // namespace dgraph
