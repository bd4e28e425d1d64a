#pragma once
// StreamLink: a Link over a connected stream socket. The thread that sends writes; the driver reads, and writes what did not
// go at once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/transport/host_core.hpp>
#include <dgraph/transport/reactor.hpp>
#include <dgraph/transport/stream_framing.hpp>

namespace dgraph::detail {

/// The system's words for an errno.
std::string system_message(int error);

/// What the driver reads through, one for all links of a host; taken at the first read.
class StreamScratch {
 public:
  static constexpr std::size_t kBytes = std::size_t{64} << 10;
  std::span<std::byte> get() {
    if (!memory_) memory_.reset(new std::byte[kBytes]);
    return {memory_.get(), kBytes};
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
};

class StreamLink final : public Link,
                         public WatchHandler,
                         private FrameDecoder::Sink,
                         public std::enable_shared_from_this<StreamLink> {
 public:
  /// Takes a connected, non-blocking socket over.
  StreamLink(std::shared_ptr<HostCore> core, std::shared_ptr<StreamScratch> scratch, int descriptor, std::string peer);
  DGRAPH_DECL ~StreamLink() override;

  /// On the driver, once: begins to read. Without a handler the link is closed.
  void start(Reactor& reactor, std::shared_ptr<LinkHandler> handler);

  DGRAPH_DECL void send(Frame frame) override;
  DGRAPH_DECL void close(Status why) override;
  DGRAPH_DECL void set_limits(const FrameLimits& limits) override;
  std::size_t queued_bytes() const override { return static_cast<std::size_t>(queued_.load()); }
  std::string peer() const override { return peer_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  static constexpr std::size_t kPieces = 64;
  // Bytes that one call writes before it lets the driver go on: the sender does not wait, the driver sees to others.
  static constexpr std::uint64_t kSenderBudget = kChunk;
  static constexpr std::uint64_t kDriverBudget = 2 * kChunk;
  static constexpr std::size_t kReadBudget = 2 * kChunk;

  DGRAPH_DECL bool on_readable() override;
  DGRAPH_DECL void on_writable() override;
  DGRAPH_DECL void on_abandoned() override;
  DGRAPH_DECL Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) override;
  DGRAPH_DECL bool on_frame(Frame frame) override;
  DGRAPH_DECL FrameLimits limits() const override;

  enum class Written { All, Part, WouldBlock, Failed };
  /// Without the lock. Adds to `bytes` what was sent.
  Written write_pieces(std::span<const OutgoingFrame::Piece> pieces, std::uint64_t& bytes);
  /// With the lock and `writing_` set, which it clears; `first` is a frame not queued yet, or null.
  void write(Lock& lock, OutgoingFrame* first, std::uint64_t budget);
  void write_queued(Lock& lock, std::uint64_t budget);
  void leave_to_driver();
  void write_failed(int error);
  void end_output(Lock& lock);
  void lost(Status why);
  void finish();

  const std::shared_ptr<HostCore> core_;
  const std::shared_ptr<StreamScratch> scratch_;
  const int descriptor_;
  const std::string peer_;

  std::mutex mutex_;
  std::deque<OutgoingFrame> whole_frames_;
  std::deque<OutgoingFrame> large_frames_;
  std::shared_ptr<Watch> watch_;
  Status why_;
  bool writing_ = false;    ///< a thread is in `write`; the queues' fronts are its own
  bool waiting_ = false;    ///< the driver will go on with the queues
  bool broken_ = false;     ///< nothing can be written any more, but what came may still be read
  bool abandoned_ = false;  ///< the descriptor is not ours any more
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> queued_{0};
  std::atomic<std::uint64_t> next_number_{1};

  std::atomic<std::size_t> most_head_;
  std::atomic<std::size_t> most_bodies_;
  std::atomic<std::uint64_t> most_body_;

  // The driver's own.
  std::shared_ptr<LinkHandler> handler_;
  FrameDecoder decoder_;
  bool finished_ = false;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/stream_link.ipp>
#endif
