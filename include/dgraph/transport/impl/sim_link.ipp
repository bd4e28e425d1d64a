#pragma once
#include <dgraph/transport/sim_link.hpp>

#include <algorithm>
#include <utility>

#include <dgraph/base/error.hpp>
#include <dgraph/transport/frame_limits.hpp>
#include <dgraph/transport/name_address.hpp>

namespace dgraph::detail {

DGRAPH_DECL std::size_t frame_bytes(const Frame& frame) noexcept {
  std::size_t bytes = frame.head.size();
  for (const Body& body : frame.bodies) bytes += body.size;
  return bytes;
}

DGRAPH_DECL SimLink::SimLink(std::shared_ptr<SimWorld> world, std::uint64_t number, TaskId owner, std::string owner_name,
                             TaskId other_owner, std::string other_name, std::string peer)
    : world_(std::move(world)),
      number_(number),
      owner_(owner),
      owner_name_(std::move(owner_name)),
      other_owner_(other_owner),
      other_name_(std::move(other_name)),
      peer_(std::move(peer)) {}

DGRAPH_DECL void SimLink::start(std::shared_ptr<LinkHandler> handler) {
  if (!handler) return close(errors::Cancelled("refused"));
  const SimWorld::Lock lock(world_->mutex_);
  if (world_->state(owner_) != nullptr) handler_.swap(handler);
}

DGRAPH_DECL void SimLink::set_limits(const FrameLimits& limits) {
  const SimWorld::Lock lock(world_->mutex_);
  limits_ = limits;
}

DGRAPH_DECL std::size_t SimLink::queued_bytes() const {
  const SimWorld::Lock lock(world_->mutex_);
  return queued_;
}

DGRAPH_DECL Time SimLink::arrival_of(std::size_t bytes) {
  SimWorld& world = *world_;
  Time& last = bytes > kChunk ? large_arrival_ : small_arrival_;
  const double rate = world.options_.bandwidth;
  const Duration length(rate > 0 ? static_cast<std::int64_t>(1e9 * static_cast<double>(bytes) / rate) : 0);
  last = std::max(last, world.now_ + world.link_delay()) + length;
  return last;
}

DGRAPH_DECL void SimLink::send(Frame frame) {
  SimWorld& world = *world_;
  const SimWorld::Lock lock(world.mutex_);
  if (closed_) return;
  const std::size_t bytes = frame_bytes(frame);
  const Time at = arrival_of(bytes);
  queued_ += bytes;
  if (world.state(other_owner_) == nullptr) {
    // Nobody answers for a machine that has vanished; one that is up again knows nothing of this link.
    if (reset_ || !world.names_.contains(other_name_) || world.is_cut(owner_name_, other_name_)) return;
    reset_ = true;
    world.schedule(owner_, at + world.link_delay(), SimWorld::Kind::Arrival, number_, [self = shared_from_this()] {
      const SimWorld::Lock again(self->world_->mutex_);
      if (self->closed_) return;
      self->end_with(errors::Unavailable("lost the connection to ", self->peer_, ": it was reset"), self->world_->now_);
    });
    return;
  }
  const std::shared_ptr<SimLink> other = other_.lock();
  if (!other) return;
  std::string_view head(reinterpret_cast<const char*>(frame.head.data()), frame.head.size());
  world.schedule(other_owner_, at, SimWorld::Kind::Arrival, SimRandom::hash(head, bytes),
                 [other, frame = std::move(frame)]() mutable { other->arrive(std::move(frame)); });
}

DGRAPH_DECL void SimLink::end_with(Status why, Time at) {
  closed_ = true;
  why_ = std::move(why);
  world_->schedule(owner_, at, SimWorld::Kind::Closed, number_, [self = shared_from_this()] { self->finish(); });
}

DGRAPH_DECL void SimLink::tell_other() {
  const std::shared_ptr<SimLink> other = other_.lock();
  if (!other || world_->state(other_owner_) == nullptr) return;
  world_->schedule(other_owner_, arrival_of(0), SimWorld::Kind::Arrival, number_,
                   [other] { other->arrive(std::nullopt); });
}

DGRAPH_DECL void SimLink::close(Status why) {
  SimWorld& world = *world_;
  const SimWorld::Lock lock(world.mutex_);
  SimWorld::TaskState* const of = world.state(owner_);
  if (closed_ || of == nullptr) return;
  end_with(std::move(why), world.post_time(*of));
  tell_other();
}

DGRAPH_DECL void SimLink::arrive(std::optional<Frame> frame) {
  {
    const SimWorld::Lock lock(world_->mutex_);
    if (!stalled_.empty() || world_->is_cut(owner_name_, other_name_)) {
      stalled_.push_back(std::move(frame));
      return;
    }
  }
  deliver(std::move(frame));
}

DGRAPH_DECL void SimLink::resume() {
  for (;;) {
    std::optional<Frame> frame;
    {
      const SimWorld::Lock lock(world_->mutex_);
      if (stalled_.empty() || world_->is_cut(owner_name_, other_name_)) return;
      frame = std::move(stalled_.front());
      stalled_.pop_front();
    }
    deliver(std::move(frame));
  }
}

DGRAPH_DECL void SimLink::deliver(std::optional<Frame> frame) {
  std::shared_ptr<LinkHandler> handler;
  Status status;
  {
    const SimWorld::Lock lock(world_->mutex_);
    if (frame) {
      if (const auto sender = other_.lock()) sender->queued_ -= std::min(sender->queued_, frame_bytes(*frame));
    }
    if (closed_ || world_->state(owner_) == nullptr) return;
    if (!frame) return end_with(errors::Unavailable(peer_, " closed the connection"), world_->now_);
    handler = handler_;
    status = check_frame(*frame, limits_);
  }
  try {
    status.throw_if_error();
    handler->on_bytes();
    handler->on_frame(std::move(*frame));
  } catch (const Error& error) {
    close(Status(error.code(), errors::text("from ", peer_, ": ", error.status().message())));
  }
}

DGRAPH_DECL void SimLink::finish() {
  std::shared_ptr<LinkHandler> handler;
  std::shared_ptr<SimLink> self;
  std::deque<std::optional<Frame>> dropped;
  Status why;
  {
    const SimWorld::Lock lock(world_->mutex_);
    handler = std::move(handler_);
    dropped.swap(stalled_);
    queued_ = 0;
    why = why_;
    if (SimWorld::TaskState* const of = world_->state(owner_)) {
      if (const auto at = of->links.find(number_); at != of->links.end()) {
        self = std::move(at->second);
        of->links.erase(at);
      }
    }
  }
  if (handler) handler->on_closed(why);
}

DGRAPH_DECL SimConnector::SimConnector(std::shared_ptr<SimWorld> world, SimWorld::TaskId of, std::string owner_name,
                                       Time began, Time deadline, OnConnect on_connect)
    : owner(of),
      world_(std::move(world)),
      owner_name_(std::move(owner_name)),
      began_(began),
      deadline_(deadline),
      on_connect_(std::move(on_connect)) {}

DGRAPH_DECL void SimConnector::start(const std::string& address) {
  if (const Status status = parse_name_address(address, "sim", name_); !status.ok()) return give_up(status);
  if (name_.empty()) return give_up(errors::InvalidArgument("'", address, "' is no address to connect to: it has no name"));
  {
    const SimWorld::Lock lock(world_->mutex_);
    if (deadline_ != kNever) {
      expiry_ = world_->schedule(owner, deadline_, SimWorld::Kind::Connect, 2,
                                 [self = shared_from_this()] { self->expire(); });
    }
    world_->schedule(owner, world_->now_ + world_->link_delay(), SimWorld::Kind::Connect, 1,
                     [self = shared_from_this()] { self->look(); });
  }
}

DGRAPH_DECL void SimConnector::look() {
  SimWorld& world = *world_;
  decltype(world.queue_)::node_type expiry;
  const SimWorld::Lock lock(world.mutex_);
  SimWorld::TaskState* const near_task = world.state(owner);
  if (done_ || near_task == nullptr) return;
  const auto found = world.listening_.find(name_);
  if (found == world.listening_.end() || world.is_cut(owner_name_, found->second->owner_name)) {
    world.waiting_.push_back(shared_from_this());
    return;
  }
  done_ = true;
  if (deadline_ != kNever) expiry = world.queue_.extract(expiry_);
  const std::shared_ptr<SimListening> listening = found->second;
  const std::string address = "sim://" + name_;
  const std::uint64_t number = ++world.links_;
  const auto near = std::make_shared<SimLink>(world_, 2 * number, owner, owner_name_, listening->owner,
                                              listening->owner_name, address);
  const auto far = std::make_shared<SimLink>(world_, 2 * number + 1, listening->owner, listening->owner_name, owner,
                                             owner_name_, errors::text("sim://", owner_name_, '#', number));
  near->other_ = far;
  far->other_ = near;
  near_task->links[near->number_] = near;
  world.state(listening->owner)->links[far->number_] = far;
  // Neither side's frames may come before the other side has its link.
  near->small_arrival_ = near->large_arrival_ = world.now_ + world.link_delay();
  far->small_arrival_ = far->large_arrival_ = world.now_ + world.link_delay();
  world.schedule(listening->owner, near->small_arrival_, SimWorld::Kind::Accept, number, [listening, far] {
    std::shared_ptr<OnLink> on_link;
    {
      const SimWorld::Lock again(far->world_->mutex_);
      on_link = listening->on_link;
    }
    far->start(on_link ? (*on_link)(far) : nullptr);
  });
  world.schedule(owner, far->small_arrival_, SimWorld::Kind::Connect, number, [self = shared_from_this(), near] {
    OnConnect on_connect = std::move(self->on_connect_);
    near->start(on_connect(near, Status()));
  });
}

DGRAPH_DECL void SimConnector::expire() {
  {
    const SimWorld::Lock lock(world_->mutex_);
    if (std::exchange(done_, true)) return;
    std::erase(world_->waiting_, shared_from_this());
  }
  give_up(nobody_there("sim://" + name_, deadline_ - began_));
}

DGRAPH_DECL void SimConnector::give_up(const Status& why) {
  OnConnect on_connect = std::move(on_connect_);
  on_connect(nullptr, why);
}

DGRAPH_DECL SimListener::~SimListener() {
  std::shared_ptr<OnLink> dropped;
  const SimWorld::Lock lock(world_->mutex_);
  dropped = std::move(listening_->on_link);
  const auto found = world_->listening_.find(name_);
  if (found != world_->listening_.end() && found->second == listening_) world_->listening_.erase(found);
}

}  // namespace dgraph::detail
