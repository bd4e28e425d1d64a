#pragma once
// Channel: a Link whose other side is known: handshake, heartbeats and the window for bodies (D6,
// D17, D18, D19).

#include <atomic>
#include <chrono>
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

namespace detail {
class ChannelPort;
}

/// Receives what a channel reports. All calls come from the driver, one at a time, never from
/// inside a call of Channel. The channel lets go of it after on_closed, or when its host goes, then
/// without a call.
class ChannelHandler {
 public:
  virtual ~ChannelHandler() = default;
  /// The handshake is done. The first call, unless the channel closes before.
  virtual void on_open(const PeerIdentity& peer) = 0;
  /// A message of type 20 and above; those below are the channel's own. The bytes of each body of a
  /// Data frame that has an owner are to be given back by `Channel::consumed`, once they are no
  /// longer held.
  virtual void on_message(MessageType type, Frame frame) = 0;
  /// As LinkHandler::body_buffer: a null owner refuses. By default refuses bodies of Data and those
  /// above 16 GiB.
  virtual Body body_buffer(MessageType type, std::span<const std::byte> head, std::size_t index,
                           std::uint64_t bytes);
  /// The end, by either side or by a fault; names task and address. The last call.
  virtual void on_closed(const Status& why) = 0;
};

struct ChannelOptions {
  PeerIdentity self;
  std::optional<WantedTask> wanted;  ///< initiator: the task that must be there
  Duration handshake =
      std::chrono::seconds(5);  ///< a connection without a finished handshake closes after it
  Duration heartbeat = std::chrono::milliseconds(500);
  Duration dead_after = std::chrono::seconds(2);  ///< without a byte, while `keep_alive` is held
  std::uint64_t window = std::uint64_t{64}
                         << 20;  ///< bytes of Data bodies that may be unconsumed at the receiver
  FrameLimits limits{std::size_t{16} << 20, std::size_t{1} << 16,
                     std::uint64_t{1} << 48};  ///< after the handshake
  std::shared_ptr<Pulse> pulse;                ///< shared by many channels; null: one of its own
};

/// Made by `connect`, or by an Acceptor for each link that somebody opened. Every call is safe from
/// any thread.
class Channel final : public Pulse::Member, public std::enable_shared_from_this<Channel> {
 public:
  /// Opens a connection; returns at once. `handler` learns by on_open or on_closed how it went:
  /// Unavailable or DeadlineExceeded by `deadline`, FailedPrecondition for another task, cluster or
  /// protocol version than wanted.
  static std::shared_ptr<Channel> connect(AnyTransport& transport, const std::string& address,
                                          Time deadline, ChannelOptions options,
                                          std::shared_ptr<ChannelHandler> handler);

  /// Asked on the driver when a peer has said who it is, before on_open; null refuses it.
  using OnAccept = Function<std::shared_ptr<ChannelHandler>(const std::shared_ptr<Channel>&,
                                                            const PeerIdentity&)>;
  /// How a handshake ended, on the driver, once.
  using OnHandshake = Function<void(const Channel&, const Status&)>;
  /// The accepting side of a link: to be returned as the link's handler. For Acceptor.
  static std::shared_ptr<LinkHandler> accept(std::shared_ptr<Host> host, std::shared_ptr<Link> link,
                                             ChannelOptions options, OnAccept on_accept,
                                             OnHandshake on_handshake);

  /// Sends a message, after the handshake if that is not done yet. Never blocks and never runs a
  /// handler. After a close it does nothing. Bodies of Data count against the window, whether they
  /// fit or not.
  void send(Frame frame);
  template <class Message>
  requires requires(const Message& m) { wire::encode(m); }
  void send(const Message& message) { send(wire::encode(message)); }

  /// True where a Data body of that size may be sent now; false: announce it and wait to be asked
  /// (D6).
  bool fits(std::uint64_t bytes) const noexcept;
  /// Bytes of Data bodies sent that the other side has not said to have consumed.
  std::uint64_t in_flight() const noexcept { return in_flight_.load(std::memory_order_relaxed); }
  /// Returns window to the other side: with the next message, or by one of its own where much has
  /// gathered.
  void consumed(std::uint64_t bytes);
  /// Bytes of Data bodies received and not yet consumed.
  std::uint64_t unconsumed() const noexcept { return unconsumed_.load(std::memory_order_relaxed); }

  /// While a token lives, heartbeats go both ways and a silent peer closes the channel with
  /// Unavailable. Without tokens on either side there are no timers. The token keeps the channel.
  std::shared_ptr<void> keep_alive();

  /// Sends what was given to `send` as far as possible, then closes; on_closed(why) follows. Safe
  /// to repeat.
  void close(Status why);

  bool is_open() const noexcept { return state_.load(std::memory_order_acquire) == State::Open; }
  bool is_closed() const noexcept {
    return state_.load(std::memory_order_acquire) == State::Closed;
  }
  /// The other side; to be asked from on_open on.
  const PeerIdentity& peer() const noexcept { return peer_; }
  const ChannelOptions& options() const noexcept { return options_; }
  /// "/job:ps/replica:0/task:1 at tcp://127.0.0.1:2222", for errors; only the address where nothing
  /// else is known.
  std::string describe() const;
  /// Bytes given to `send` that have not left yet.
  std::size_t queued_bytes() const;

  DGRAPH_DECL Time beat(Time now, bool late) override;
  DGRAPH_DECL ~Channel() override;

 private:
  friend class detail::ChannelPort;
  enum class State : std::uint8_t { Handshake, Open, Closed };

  Channel(std::shared_ptr<Host> host, ChannelOptions options, bool initiator);

  // From the port, on the driver.
  bool start(std::shared_ptr<Link> link, Duration limit);
  Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes);
  void on_frame(Frame frame);
  void on_bytes();
  void on_closed(const Status& why);
  void abandon();

  void on_hello(Frame frame);
  void on_welcome(Frame frame);
  Status check_peer(std::uint16_t version, std::uint16_t flags) const;
  Status check_cluster(const PeerIdentity& peer) const;
  void refuse(const Status& why, std::uint64_t nonce);
  void open(const PeerIdentity& peer);
  void end_handshake(const Status& how);
  Status explain(const Status& why) const;
  void send_now(Frame& frame);
  void take_credit(std::uint64_t credit) noexcept;
  void give_back(std::uint64_t bytes);
  void release_keep_alive();
  void start_beating();
  void stop_beating();

  const std::weak_ptr<Host> host_;
  const ChannelOptions options_;
  const bool initiator_;

  // Touched on the driver only.
  std::shared_ptr<ChannelHandler> handler_;
  OnAccept on_accept_;
  OnHandshake on_handshake_;
  std::uint64_t nonce_ = 0;
  TimerId handshake_timer_ = 0;
  bool reported_ = false;

  PeerIdentity peer_;  // written once, under the lock, before the channel is open
  mutable std::mutex mutex_;
  bool known_ = false;         // peer_ is written
  bool close_posted_ = false;  // closed before there was a link
  std::string address_;
  std::shared_ptr<Link> link_;  // set once; read without the lock where the channel is open
  std::vector<Frame> waiting_;  // given to `send` before the handshake was done
  std::shared_ptr<Pulse> pulse_;
  std::size_t keep_alives_ = 0;

  std::atomic<State> state_{State::Handshake};
  std::atomic<std::uint64_t> in_flight_{0};
  std::atomic<std::uint64_t> unconsumed_{0};
  std::atomic<std::uint64_t> credit_{0};  // consumed, not yet said
  std::atomic<bool> beating_{false};
  std::atomic<bool> sent_{false};  // something, since the last beat
  std::atomic<Time::rep> heard_{0};
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/channel.ipp>
#endif
