#pragma once
// Frames on a byte stream (D6): the records, OutgoingFrame (frame to records), FrameDecoder (bytes to frames). No socket here.
//
// A record is a fixed header of 32 bytes, little-endian, and what it announces:
//
//   offset bytes
//        0     2  magic 0x4744 ("DG")
//        2     1  version of the record format, 1
//        3     1  type: 1 First, 2 More; 16 to 31 are kept for windows and announcements, 32 to 47 for handshakes
//        4     4  flags; none defined: a receiver refuses those that it does not know
//        8     4  bytes of the head; First only
//       12     4  number of bodies; First only
//       16     8  number of the frame, counted from 1 by the sender, where its bodies need more records; else 0
//       24     8  bytes of the bodies that follow in this record, at most Link::kChunk
//
// First: 8 bytes for the size of each body, the head, then the beginning of the bodies, one after another without gaps.
// More: more of the bodies of the frame that First opened. One such frame is open at a time; whole frames (all their bodies
// in First) may come between its records.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>
#include <dgraph/base/link.hpp>

namespace dgraph::detail {

enum class RecordType : std::uint8_t { First = 1, More = 2 };

struct RecordHeader {
  static constexpr std::size_t kBytes = 32;
  static constexpr std::uint16_t kMagic = 0x4744;
  static constexpr std::uint8_t kVersion = 1;

  RecordType type = RecordType::First;
  std::uint32_t flags = 0;
  std::uint32_t head = 0;
  std::uint32_t bodies = 0;
  std::uint64_t frame = 0;
  std::uint64_t data = 0;

  void encode(std::byte* to) const noexcept;
  /// DataLoss where the bytes cannot be a record of this version.
  static Status decode(const std::byte* from, RecordHeader& header);
};

/// A frame on its way out, record by record; copies neither head nor bodies. Move-only.
class OutgoingFrame {
 public:
  /// `number` is used only if the frame is not `whole`. Throws Error InvalidArgument for what the format cannot hold: a head
  /// of 4 GiB or 2^32 bodies.
  OutgoingFrame(Frame frame, std::uint64_t number);

  /// True where one record holds all of it.
  bool whole() const noexcept { return whole_; }
  /// True between records: another frame's record may be sent now.
  bool between_records() const noexcept { return record_sent_ == 0; }
  bool finished() const noexcept { return finished_; }
  /// Bytes not sent yet, but for the headers of later records.
  std::uint64_t left() const noexcept { return left_; }

  using Piece = std::span<const std::byte>;
  /// Gives the pieces of the current record that are still to be sent, at most as many as there is room for.
  std::size_t pieces(std::span<Piece> room) const noexcept;
  /// `bytes` of the current record have been sent, at most as many as `pieces` gave. Returns those used: less than `bytes`
  /// where the record ended before.
  std::uint64_t advance(std::uint64_t bytes) noexcept;

 private:
  void begin_record(RecordType type) noexcept;
  const std::byte* opening() const noexcept { return long_opening_ ? long_opening_.get() : short_opening_.data(); }
  std::byte* opening() noexcept { return long_opening_ ? long_opening_.get() : short_opening_.data(); }

  static constexpr std::size_t kShortBodies = 4;

  Frame frame_;
  // Header and sizes of the current record.
  std::array<std::byte, RecordHeader::kBytes + 8 * kShortBodies> short_opening_;
  std::unique_ptr<std::byte[]> long_opening_;
  std::size_t opening_bytes_ = 0;
  std::size_t head_bytes_ = 0;
  std::uint64_t data_ = 0;         ///< bytes of bodies in the current record
  std::uint64_t record_sent_ = 0;  ///< bytes of the current record that have been sent
  std::size_t body_ = 0;           ///< where the current record's bodies begin
  std::uint64_t body_offset_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t bodies_left_ = 0;  ///< bytes of bodies not yet in a finished record
  std::uint64_t left_ = 0;
  bool whole_ = false;
  bool finished_ = false;
};

/// Turns bytes into frames. The caller reads into `space()` as many bytes as it likes and then says so by `commit`. Keeps
/// nothing but the unfinished frame, so that idle links cost no memory.
class FrameDecoder {
 public:
  class Sink {
   public:
    virtual ~Sink() = default;
    /// As in LinkHandler.
    virtual Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) = 0;
    /// Returns false to have no more.
    virtual bool on_frame(Frame frame) = 0;
    /// What lengths are believed now; asked for each record.
    virtual FrameLimits limits() const = 0;
  };

  /// Where the next bytes go: first all of `first`, then `second`. Large bodies are read straight into their memory.
  struct Space {
    std::span<std::byte> first;
    std::span<std::byte> second;
  };
  /// `scratch` takes what is not read straight to its place; at least 4 KiB, and it must stay until `commit`.
  Space space(std::span<std::byte> scratch) noexcept;
  /// Consumes `bytes` just read. Not ok where they are no frames (DataLoss), above the limits (InvalidArgument) or where the
  /// sink gave a buffer of the wrong size (Internal); the decoder must not be used after that, or after on_frame gave false.
  Status commit(std::size_t bytes, Sink& sink);

  /// True where no frame has begun and not ended.
  bool between_frames() const noexcept { return state_ == State::Header && got_ == 0 && !large_.open; }

 private:
  enum class State { Header, Sizes, Head, Data };

  struct Assembly {
    Frame frame;
    std::vector<std::uint64_t> sizes;
    std::uint64_t left = 0;    ///< bytes of bodies still to come
    std::size_t body = 0;      ///< the body that the next byte belongs to
    std::uint64_t offset = 0;  ///< its place there
    bool asked = false;        ///< whether memory for that body has been asked for
    bool open = false;
  };

  static constexpr std::size_t kDirect = 4096;  ///< parts of fewer bytes go through the scratch

  void expect(State state, std::byte* to, std::uint64_t bytes) noexcept;
  /// Called when all bytes of the expected part are there; clears `more` where on_frame gave false.
  Status end_part(Sink& sink, bool& more);
  Status end_header(Sink& sink);
  Status end_sizes(Sink& sink);
  Status next_data(Sink& sink, bool& more);

  std::array<std::byte, RecordHeader::kBytes> header_bytes_{};
  // The part that is expected: where its bytes go (null: nowhere), how many there are and how many have come.
  State state_ = State::Header;
  std::byte* target_ = header_bytes_.data();
  std::uint64_t want_ = RecordHeader::kBytes;
  std::uint64_t got_ = 0;

  std::span<std::byte> direct_;
  std::byte* scratch_ = nullptr;

  RecordHeader header_;
  std::uint64_t record_left_ = 0;  ///< bytes of bodies still to come in this record
  std::uint64_t large_number_ = 0;
  Assembly whole_, large_;
  Assembly* current_ = &whole_;
};

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/transport/impl/stream_framing.ipp>
#endif
