#pragma once
// Link: an ordered, reliable pipe of frames between two tasks; LinkHandler: who receives them; Transport: who
// makes links. Together with Host this is all that a transport has to provide (D1).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/base/buffer.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/function.hpp>
#include <dgraph/base/host.hpp>

namespace dgraph {

/// A piece of counted memory that travels as raw bytes.
struct Body {
  Ref<Buffer> owner;               ///< keeps the bytes alive; null for an empty or skipped body
  std::byte* data = nullptr;
  std::size_t size = 0;

  std::span<const std::byte> bytes() const noexcept { return {data, size}; }
};

/// What is sent at once: a small encoded head and bodies that are never copied by the sender.
struct Frame {
  std::vector<std::byte> head;
  std::vector<Body> bodies;
};

/// What a link believes of the other side; raised after the handshake (D18).
struct FrameLimits {
  std::size_t head = 4096;       ///< bytes of one head
  std::size_t bodies = 0;        ///< number of bodies of one frame
  std::uint64_t body = 0;        ///< bytes of one body
};

class Link;

/// Receives what a link reports. All calls come from the driver, one at a time, never from inside `Link::send`.
class LinkHandler {
 public:
  virtual ~LinkHandler() = default;
  /// Memory for body `index` of a frame that has this head: exactly `bytes` long, or a Body with null
  /// owner to have it read and thrown away. Not asked where the transport delivers memory of its own.
  virtual Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) = 0;
  /// A whole frame has arrived.
  virtual void on_frame(Frame frame) = 0;
  /// Some bytes have arrived, as a sign of life; may be called for each read.
  virtual void on_bytes() {}
  /// The link is gone, by either side or by a fault. Called once; nothing follows.
  virtual void on_closed(const Status& why) = 0;
};

/// Frames without bodies, and frames that fit into one chunk (kChunk), keep their order among themselves and may overtake
/// the rest of a larger frame; a larger frame arrives once it is whole, its bodies in chunks of at most kChunk.
class Link {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  virtual ~Link() = default;
  /// From any thread; never blocks and never runs a handler in the caller's stack. After a close it does nothing.
  virtual void send(Frame frame) = 0;
  /// Sends what is queued as far as that goes without waiting, closes, and reports `why` to this side's
  /// handler later, from the driver. The other side sees Unavailable. Safe to repeat.
  virtual void close(Status why) = 0;
  virtual void set_limits(const FrameLimits& limits) = 0;
  /// Bytes given to `send` that have not left yet.
  virtual std::size_t queued_bytes() const = 0;
  /// The other end, for logs and errors: "tcp://127.0.0.1:4711".
  virtual std::string peer() const = 0;
};

/// Called on the driver with a new link; returns its handler, or null to refuse (the link is closed).
using OnLink = Function<std::shared_ptr<LinkHandler>(std::shared_ptr<Link>)>;
/// Called on the driver, once: with a link, or with null and the reason (Unavailable, DeadlineExceeded, InvalidArgument).
using OnConnect = Function<std::shared_ptr<LinkHandler>(std::shared_ptr<Link>, const Status&)>;

/// What listens; destroying it stops accepting at once (established links stay) and frees the address.
class Listener {
 public:
  virtual ~Listener() = default;
  /// The address with what the system chose filled in: "tcp://127.0.0.1:40123".
  virtual std::string address() const = 0;
};

/// A transport with its type erased; what `Session` and `Server` hand to the rest.
class AnyTransport {
 public:
  virtual ~AnyTransport() = default;
  /// "tcp", "local", "sim", ...
  virtual std::string_view scheme() const = 0;
  virtual std::shared_ptr<Host> host() = 0;
  /// Throws Error: InvalidArgument for a malformed address, Unavailable where it cannot be bound (in use, no permission).
  virtual std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link) = 0;
  /// Returns at once. Names the address in its error; gives up at `deadline` (of `host()`'s time).
  virtual void connect(const std::string& address, Time deadline, OnConnect on_connect) = 0;
};

/// A model of Transport: a copyable handle (copies share one host) with the calls of AnyTransport.
template <class T>
concept Transport = std::copy_constructible<T> && requires(T t, const std::string& address, OnLink on_link,
                                                           OnConnect on_connect, Time deadline) {
  { T::scheme } -> std::convertible_to<std::string_view>;
  { t.host() } -> std::same_as<std::shared_ptr<Host>>;
  { t.listen(address, std::move(on_link)) } -> std::same_as<std::unique_ptr<Listener>>;
  { t.connect(address, deadline, std::move(on_connect)) } -> std::same_as<void>;
};

/// Erases the type of a transport.
template <Transport T>
std::shared_ptr<AnyTransport> erase_transport(T transport) {
  class Erased final : public AnyTransport {
   public:
    explicit Erased(T t) : transport_(std::move(t)) {}
    std::string_view scheme() const override { return T::scheme; }
    std::shared_ptr<Host> host() override { return transport_.host(); }
    std::unique_ptr<Listener> listen(const std::string& address, OnLink on_link) override {
      return transport_.listen(address, std::move(on_link));
    }
    void connect(const std::string& address, Time deadline, OnConnect on_connect) override {
      transport_.connect(address, deadline, std::move(on_connect));
    }

   private:
    T transport_;
  };
  return std::make_shared<Erased>(std::move(transport));
}

}  // namespace dgraph
