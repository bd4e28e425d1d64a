#pragma once
// FrameWriter and FrameReader: the prefix that all heads begin with, and heads that are too long
// for one (docs/wire.md).

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>
#include <dgraph/wire/bytes.hpp>
#include <dgraph/wire/prefix.hpp>
#include <dgraph/wire/tensor_codec.hpp>

namespace dgraph::wire::detail {

/// In the second byte of a head: what follows the prefix lies in the frame's last body.
inline constexpr std::uint8_t kHeadInBody = 1;

class FrameWriter {
 public:
  explicit FrameWriter(MessageType type, std::size_t room = 120)
      : writer_(frame_.head, kPrefixBytes + room) {
    store(writer_.take(kPrefixBytes), static_cast<std::uint64_t>(type));
  }
  ByteWriter& head() noexcept { return writer_; }
  std::vector<Body>& bodies() noexcept { return frame_.bodies; }
  Frame finish() {
    writer_.finish();
    if (DGRAPH_UNLIKELY(frame_.head.size() > kLongestHead)) move_head();
    return std::move(frame_);
  }

 private:
  void move_head();
  Frame frame_;
  ByteWriter writer_;
};

/// Borrows the frame, which must stay. Throws DataLoss unless it is one of `type`,
/// ResourceExhausted where the body that holds its head was refused.
class FrameReader {
 public:
  FrameReader(Frame& frame, MessageType type)
      : reader_(open(frame, type)),
        bodies_(std::span<Body>(frame.bodies).first(frame.bodies.size() - moved_)) {}
  ByteReader& head() noexcept { return reader_; }
  BodyReader& bodies() noexcept { return bodies_; }
  /// Throws DataLoss where anything is left over.
  void expect_end() const {
    reader_.expect_end();
    bodies_.expect_end();
  }

 private:
  std::span<const std::byte> open(const Frame& frame, MessageType type);
  std::size_t moved_ = 0;
  ByteReader reader_;
  BodyReader bodies_;
};

/// What `read` throws becomes a Status.
template <class Read>
Status guarded(Read read) noexcept {
  try {
    read();
    return {};
  } catch (...) {
    return current_exception_status();
  }
}

}  // namespace dgraph::wire::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/frame_codec.ipp>
#endif
