#pragma once
// Peers: a server's channels to the other tasks of its cluster (D19, D20).

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/cluster/task_list.hpp>
#include <dgraph/wire/channel.hpp>

namespace dgraph {

/// Who hears of the peers; all calls come from the driver.
class PeerListener {
 public:
  virtual ~PeerListener() = default;
  virtual void on_peer_message(std::uint32_t task, MessageType type, Frame frame) = 0;
  virtual Body peer_body(std::uint32_t task, MessageType type, std::span<const std::byte> head, std::size_t index,
                         std::uint64_t bytes) = 0;
  /// A channel to that task is gone: what was on its way may be lost. The status names task and address.
  virtual void on_peer_lost(std::uint32_t task, std::uint64_t incarnation, const Status& why) = 0;
};

/// Every call is safe from any thread.
class Peers : public std::enable_shared_from_this<Peers> {
 public:
  /// Called on the driver, or at once in the caller where the peer is connected already.
  using OnReady = Function<void(const Status&, std::uint64_t incarnation)>;

  Peers(std::shared_ptr<AnyTransport> transport, TaskList tasks, std::uint32_t self, ChannelOptions options,
        PeerListener& listener);

  /// Connects to a task if need be. The status is Unavailable with its name and address where nobody is there by
  /// `deadline`, FailedPrecondition where somebody else is.
  void when_ready(std::uint32_t task, Time deadline, OnReady on_ready);
  /// Sends to a connected task; a frame to any other goes nowhere (its loss was or will be reported).
  void send(std::uint32_t task, Frame frame);
  /// The channel that `send` uses; null where there is none.
  std::shared_ptr<Channel> channel(std::uint32_t task) const;
  /// Takes in a channel that the task opened; returns its handler.
  std::shared_ptr<ChannelHandler> adopt(const std::shared_ptr<Channel>& channel, const PeerIdentity& peer);
  /// Keeps heartbeats on the channel to that task while the token lives; null where there is none.
  std::shared_ptr<void> keep_alive(std::uint32_t task) const;
  /// Closes all channels; no call of the listener follows.
  void stop();

  const TaskList& tasks() const noexcept { return tasks_; }
  std::uint32_t self() const noexcept { return self_; }

 private:
  class Handler;
  struct Peer {
    std::vector<std::shared_ptr<Channel>> open;  // the first is the one that sends
    std::shared_ptr<Channel> opening;
    Time until{};  // of `opening`
    std::vector<std::pair<Time, OnReady>> waiting;
  };
  void open(std::uint32_t task, Peer& peer, Time deadline);

  void opened(std::uint32_t task, const std::shared_ptr<Channel>& channel);
  void closed(std::uint32_t task, Channel* channel, bool was_open, const Status& why);

  const std::shared_ptr<AnyTransport> transport_;
  const TaskList tasks_;
  const std::uint32_t self_;
  const ChannelOptions options_;
  mutable std::mutex mutex_;
  PeerListener* listener_;  // null after stop
  std::vector<Peer> peers_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/peers.ipp>
#endif
