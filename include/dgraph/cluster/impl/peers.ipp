#pragma once
#include <dgraph/cluster/peers.hpp>

#include <algorithm>

namespace dgraph {

// Of one channel to one task.
class Peers::Handler final : public ChannelHandler {
 public:
  Handler(std::weak_ptr<Peers> peers, std::uint32_t task) : peers_(std::move(peers)), task_(task) {}
  void set_channel(const std::shared_ptr<Channel>& channel) { channel_ = channel; }

  void on_open(const PeerIdentity&) override {
    open_ = true;
    const auto peers = peers_.lock();
    if (!peers) return;
    if (const auto channel = mine(*peers)) peers->opened(task_, channel);
  }
  void on_message(MessageType type, Frame frame) override {
    if (PeerListener* listener = get()) listener->on_peer_message(task_, type, std::move(frame));
  }
  Body body_buffer(MessageType type, std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) override {
    PeerListener* listener = get();
    return listener ? listener->peer_body(task_, type, head, index, bytes) : Body{};
  }
  void on_closed(const Status& why) override {
    if (const auto peers = peers_.lock()) peers->closed(task_, mine(*peers).get(), open_, why);
  }

 private:
  // `when_ready` sets the channel under the lock, maybe after the driver has begun to call.
  std::shared_ptr<Channel> mine(Peers& peers) const {
    std::lock_guard lock(peers.mutex_);
    return channel_.lock();
  }
  PeerListener* get() const {
    const auto peers = peers_.lock();
    if (!peers) return nullptr;
    std::lock_guard lock(peers->mutex_);
    return peers->listener_;
  }
  const std::weak_ptr<Peers> peers_;
  const std::uint32_t task_;
  std::weak_ptr<Channel> channel_;
  bool open_ = false;
};

DGRAPH_DECL Peers::Peers(std::shared_ptr<AnyTransport> transport, TaskList tasks, std::uint32_t self,
                         ChannelOptions options, PeerListener& listener)
    : transport_(std::move(transport)),
      tasks_(std::move(tasks)),
      self_(self),
      options_(std::move(options)),
      listener_(&listener),
      peers_(tasks_.size()) {}

DGRAPH_DECL void Peers::when_ready(std::uint32_t task, Time deadline, OnReady on_ready) {
  {
    std::lock_guard lock(mutex_);
    Peer& peer = peers_[task];
    if (listener_ && peer.open.empty()) {
      peer.waiting.emplace_back(deadline, std::move(on_ready));
      if (!peer.opening) open(task, peer, deadline);
      return;
    }
  }
  const auto open = channel(task);
  if (open)
    on_ready(Status(), open->peer().incarnation);
  else
    on_ready(errors::Cancelled("this server is stopping"), 0);
}

// Under the lock.
DGRAPH_DECL void Peers::open(std::uint32_t task, Peer& peer, Time deadline) {
  const auto handler = std::make_shared<Handler>(weak_from_this(), task);
  ChannelOptions options = options_;
  options.wanted = WantedTask{tasks_[task].job, tasks_[task].index};
  peer.until = deadline;
  peer.opening = Channel::connect(*transport_, tasks_[task].address, deadline, std::move(options), handler);
  handler->set_channel(peer.opening);
}

DGRAPH_DECL void Peers::send(std::uint32_t task, Frame frame) {
  if (const auto open = channel(task)) open->send(std::move(frame));
}

DGRAPH_DECL std::shared_ptr<Channel> Peers::channel(std::uint32_t task) const {
  std::lock_guard lock(mutex_);
  return peers_[task].open.empty() ? nullptr : peers_[task].open.front();
}

DGRAPH_DECL std::shared_ptr<void> Peers::keep_alive(std::uint32_t task) const {
  const auto open = channel(task);
  return open ? open->keep_alive() : nullptr;
}

DGRAPH_DECL std::shared_ptr<ChannelHandler> Peers::adopt(const std::shared_ptr<Channel>& channel,
                                                         const PeerIdentity& peer) {
  for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
    if (task == self_ || tasks_[task].job != peer.job || tasks_[task].index != peer.task) continue;
    auto handler = std::make_shared<Handler>(weak_from_this(), task);
    std::lock_guard lock(mutex_);
    handler->set_channel(channel);
    return handler;
  }
  return nullptr;
}

DGRAPH_DECL void Peers::opened(std::uint32_t task, const std::shared_ptr<Channel>& channel) {
  std::vector<std::pair<Time, OnReady>> waiting;
  std::vector<std::shared_ptr<Channel>> stale;
  const std::uint64_t incarnation = channel->peer().incarnation;
  {
    std::lock_guard lock(mutex_);
    if (!listener_) return;
    Peer& peer = peers_[task];
    // A channel to an earlier life of the task is dead, whether that was noticed or not.
    std::erase_if(peer.open, [&](const auto& other) {
      if (other->peer().incarnation == incarnation) return false;
      stale.push_back(other);
      return true;
    });
    peer.open.push_back(channel);
    if (peer.opening == channel) peer.opening.reset();
    waiting.swap(peer.waiting);
  }
  for (const auto& other : stale) {
    const Status why = errors::Unavailable("task ", tasks_[task].describe(), " was restarted");
    listener_->on_peer_lost(task, other->peer().incarnation, why);
    other->close(why);
  }
  for (auto& [limit, on_ready] : waiting) on_ready(Status(), incarnation);
}

DGRAPH_DECL void Peers::closed(std::uint32_t task, Channel* channel, bool was_open, const Status& why) {
  std::vector<std::pair<Time, OnReady>> waiting;
  std::uint64_t incarnation = 0;
  PeerListener* listener = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (!listener_) return;
    Peer& peer = peers_[task];
    const auto mine = [channel](const auto& other) { return other.get() == channel; };
    if (was_open && channel && std::erase_if(peer.open, mine)) {
      listener = listener_;
      incarnation = channel->peer().incarnation;
    }
    if (peer.opening && peer.opening.get() == channel) {
      peer.opening.reset();
      waiting.swap(peer.waiting);
      // The time that passed was that of another.
      const Time passed = peer.until;
      Time longest{};
      if (transport_->host()->now() >= passed)
        std::erase_if(waiting, [&](auto& one) {
          if (one.first <= passed) return false;
          longest = std::max(longest, one.first);
          peer.waiting.push_back(std::move(one));
          return true;
        });
      if (!peer.waiting.empty()) open(task, peer, longest);
    }
  }
  const Status named(why.code(), errors::text("task ", tasks_[task].describe(), ": ", why.message()));
  if (listener) listener->on_peer_lost(task, incarnation, named);
  for (auto& [limit, on_ready] : waiting) on_ready(named, 0);
}

DGRAPH_DECL void Peers::stop() {
  std::vector<std::shared_ptr<Channel>> all;
  std::vector<std::pair<Time, OnReady>> waiting;
  {
    std::lock_guard lock(mutex_);
    listener_ = nullptr;
    for (Peer& peer : peers_) {
      for (auto& channel : peer.open) all.push_back(std::move(channel));
      if (peer.opening) all.push_back(std::move(peer.opening));
      for (auto& one : peer.waiting) waiting.push_back(std::move(one));
      peer = Peer();
    }
  }
  for (const auto& channel : all) channel->close(errors::Unavailable("the server is stopping"));
  for (auto& [limit, on_ready] : waiting) on_ready(errors::Cancelled("this server is stopping"), 0);
}

}  // namespace dgraph
