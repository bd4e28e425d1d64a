#pragma once
// Channel: a Link whose other side is known: handshake, heartbeats and the window for bodies (D6, D17, D18, D19).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/host.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/wire/hello.hpp>
#include <dgraph/wire/message_codec.hpp>
#include <dgraph/wire/messages.hpp>
#include <dgraph/wire/pulse.hpp>

namespace dgraph {

class Channel;

/// Receives what a channel reports. All calls come from the driver, one at a time, never from inside a call of Channel.
class ChannelHandler {
 public:
  virtual ~ChannelHandler() = default;
  /// The handshake is done. First call, unless the channel closes before.
  virtual void on_open(const PeerIdentity& peer) = 0;
  /// A message of type 20 and above (those below are the channel's own). `body_buffer` was asked for its bodies, where the
  /// transport asks; the handler gives the size of every Data body with an owner back by `Channel::consumed`.
  virtual void on_message(MessageType type, Frame frame) = 0;
  /// As LinkHandler::body_buffer; by default allocates what is at most ChannelOptions::message_body and not Data.
  virtual Body body_buffer(MessageType type, std::span<const std::byte> head, std::size_t index, std::uint64_t bytes);
  /// The end, by either side or by a fault. Last call.
  virtual void on_closed(const Status& why) = 0;
};

struct ChannelOptions {
  PeerIdentity self;
  std::optional<WantedTask> wanted;                  ///< initiator: the task that must be there
  Duration handshake = std::chrono::seconds(5);      ///< after which a connection without a finished handshake closes
  Duration heartbeat = std::chrono::milliseconds(500);
  Duration dead_after = std::chrono::seconds(2);     ///< without a byte while `keep_alive` is held
  std::uint64_t window = std::uint64_t{64} << 20;    ///< bytes of Data bodies that may be unconsumed at the receiver
  FrameLimits limits{std::size_t{16} << 20, std::size_t{1} << 16, std::uint64_t{1} << 48};  ///< after the handshake
  std::shared_ptr<Pulse> pulse;                      ///< one timer for the heartbeats of many channels; null: its own
};

/// Made by `Channel::connect`, or by an Acceptor for each link that somebody opened. Every call is safe from any thread.
class Channel final : public LinkHandler, public std::enable_shared_from_this<Channel> {
 public:
  /// Opens a connection; returns at once. `handler->on_open` or `on_closed` tells how it went: Unavailable or
  /// DeadlineExceeded by `deadline`, FailedPrecondition for another task, cluster or protocol version than wanted.
  static std::shared_ptr<Channel> connect(AnyTransport& transport, const std::string& address, Time deadline,
                                          ChannelOptions options, std::shared_ptr<ChannelHandler> handler);

  /// Asked on the driver once a handshake is done, before `on_open`; null refuses the peer.
  using OnAccept =
      Function<std::shared_ptr<ChannelHandler>(const std::shared_ptr<Channel>&, const PeerIdentity&)>;

  /// Sends a message, after the handshake if that is not done yet. Never blocks and never runs a handler. After a close it
  /// does nothing. Bodies of Data count against the window, whether they fit or not.
  void send(Frame frame);
  template <class Message>
    requires requires(const Message& m) { wire::encode(m); }
  void send(const Message& message) {
    send(wire::encode(message));
  }

  /// True where a Data body of that size may be sent now; false: announce it and wait to be asked (D6).
  bool fits(std::uint64_t bytes) const noexcept;
  /// Bytes of Data bodies sent that the other side has not said to have consumed.
  std::uint64_t in_flight() const noexcept { return in_flight_.load(std::memory_order_relaxed); }
  /// Returns window to the other side: with the next message, or by a message of its own where much has gathered.
  void consumed(std::uint64_t bytes);
  /// Bytes of Data bodies received and not yet consumed.
  std::uint64_t unconsumed() const noexcept { return unconsumed_.load(std::memory_order_relaxed); }

  /// While any token lives, both sides send heartbeats and a silent peer closes the channel with Unavailable.
  std::shared_ptr<void> keep_alive();

  /// Sends what was given to `send` as far as possible, then closes; on_closed(why) follows. Safe to repeat.
  void close(Status why);

  bool is_open() const noexcept { return state_.load(std::memory_order_acquire) == State::Open; }
  bool is_closed() const noexcept { return state_.load(std::memory_order_acquire) == State::Closed; }
  /// The other side; empty before on_open.
  const PeerIdentity& peer() const noexcept { return peer_; }
  const ChannelOptions& options() const noexcept { return options_; }
  /// "/job:ps/replica:0/task:1 at tcp://127.0.0.1:2222", for errors.
  std::string describe() const;
  /// Bytes given to `send` that have not left yet.
  std::size_t queued_bytes() const;

  // LinkHandler, and Pulse.
  Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) override;
  void on_frame(Frame frame) override;
  void on_bytes() override;
  void on_closed(const Status& why) override;

 private:
  friend class Acceptor;
  friend class Pulse;
  enum class State : std::uint8_t { Handshake, Open, Closed };
  struct Key {};

 public:
  /// For `connect` and Acceptor only.
  Channel(Key, std::shared_ptr<Host> host, ChannelOptions options);

 private:
  void start(std::shared_ptr<Link> link);
  void on_hello(Frame frame);
  void on_welcome(Frame frame);
  void open();
  void refuse(Status why);
  void stop_handshake_timer();
  Status check_peer(const PeerIdentity& peer) const;
  void send_now(Frame& frame);
  void take_credit(std::span<const std::byte> head);
  void release_keep_alive();
  /// Sends a heartbeat or gives the peer up; returns when it wants to be called next.
  Time beat(Time now, bool late);

  const std::shared_ptr<Host> host_;
  const ChannelOptions options_;
  std::shared_ptr<Pulse> pulse_;
  std::shared_ptr<ChannelHandler> handler_;  // touched on the driver only
  OnAccept on_accept_;                       // likewise; empty at an initiator
  Task on_handshake_end_;                    // likewise
  PeerIdentity peer_;
  std::uint64_t nonce_ = 0;
  std::string address_;
  TimerId handshake_timer_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<Link> link_;   // set once; read without the lock when Open
  std::vector<Frame> waiting_;   // given to send before the handshake was done
  std::optional<Status> closing_;
  std::size_t keep_alives_ = 0;

  std::atomic<State> state_{State::Handshake};
  std::atomic<std::uint64_t> in_flight_{0};
  std::atomic<std::uint64_t> unconsumed_{0};
  std::atomic<std::uint64_t> credit_{0};
  std::atomic<bool> beating_{false};
  std::atomic<std::int64_t> heard_{0};
  std::atomic<bool> sent_{false};
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/channel.ipp>
#endif
