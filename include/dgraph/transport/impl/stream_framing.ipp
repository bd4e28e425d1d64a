#pragma once
#include <dgraph/transport/stream_framing.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace dgraph::detail {

template <class T>
void store_little(std::byte* to, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

template <class T>
T load_little(const std::byte* from) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<T>(from[i]) << (8 * i));
  return value;
}

DGRAPH_DECL void RecordHeader::encode(std::byte* to) const noexcept {
  store_little(to, kMagic);
  to[2] = std::byte{kVersion};
  to[3] = static_cast<std::byte>(type);
  store_little(to + 4, flags);
  store_little(to + 8, head);
  store_little(to + 12, bodies);
  store_little(to + 16, frame);
  store_little(to + 24, data);
}

DGRAPH_DECL Status RecordHeader::decode(const std::byte* from, RecordHeader& header) {
  if (load_little<std::uint16_t>(from) != kMagic) return errors::DataLoss("these bytes are no record of dgraph");
  const auto version = std::to_integer<unsigned>(from[2]);
  if (version != kVersion) {
    return errors::DataLoss("records of version ", version, " where version ", unsigned{kVersion}, " is understood");
  }
  const auto type = std::to_integer<std::uint8_t>(from[3]);
  if (type != static_cast<std::uint8_t>(RecordType::First) && type != static_cast<std::uint8_t>(RecordType::More)) {
    return errors::DataLoss("a record of unknown type ", unsigned{type});
  }
  header.type = static_cast<RecordType>(type);
  header.flags = load_little<std::uint32_t>(from + 4);
  header.head = load_little<std::uint32_t>(from + 8);
  header.bodies = load_little<std::uint32_t>(from + 12);
  header.frame = load_little<std::uint64_t>(from + 16);
  header.data = load_little<std::uint64_t>(from + 24);
  if (header.flags != 0) return errors::DataLoss("a record with unknown flags ", header.flags);
  if (header.data > Link::kChunk) return errors::DataLoss("a record with ", header.data, " bytes of bodies");
  if (header.type == RecordType::More &&
      (header.head != 0 || header.bodies != 0 || header.frame == 0 || header.data == 0)) {
    return errors::DataLoss("a malformed continuation record");
  }
  return {};
}

DGRAPH_DECL OutgoingFrame::OutgoingFrame(Frame frame, std::uint64_t number) : frame_(std::move(frame)) {
  constexpr std::size_t kMost = 0xffffffffu;
  if (frame_.head.size() > kMost || frame_.bodies.size() > kMost) {
    fail(Code::InvalidArgument, "a frame with a head of ", frame_.head.size(), " bytes and ", frame_.bodies.size(),
         " bodies cannot be sent");
  }
  if (frame_.bodies.size() > kShortBodies) {
    long_opening_ = std::make_unique<std::byte[]>(RecordHeader::kBytes + 8 * frame_.bodies.size());
  }
  std::byte* size = opening() + RecordHeader::kBytes;
  for (const Body& body : frame_.bodies) {
    store_little(size, std::uint64_t{body.size});
    size += 8;
    bodies_left_ += body.size;
  }
  whole_ = bodies_left_ <= Link::kChunk;
  number_ = whole_ ? 0 : number;
  left_ = frame_.head.size() + 8 * frame_.bodies.size() + bodies_left_;
  begin_record(RecordType::First);
}

DGRAPH_DECL void OutgoingFrame::begin_record(RecordType type) noexcept {
  const bool first = type == RecordType::First;
  head_bytes_ = first ? frame_.head.size() : 0;
  opening_bytes_ = RecordHeader::kBytes + (first ? 8 * frame_.bodies.size() : 0);
  data_ = std::min<std::uint64_t>(bodies_left_, Link::kChunk);
  record_sent_ = 0;
  left_ += RecordHeader::kBytes;
  RecordHeader header;
  header.type = type;
  header.head = static_cast<std::uint32_t>(head_bytes_);
  header.bodies = first ? static_cast<std::uint32_t>(frame_.bodies.size()) : 0;
  header.frame = number_;
  header.data = data_;
  header.encode(opening());
}

DGRAPH_DECL std::size_t OutgoingFrame::pieces(std::span<Piece> room) const noexcept {
  std::size_t count = 0;
  std::uint64_t skip = record_sent_;
  const auto add = [&](const std::byte* data, std::uint64_t bytes) {
    const std::uint64_t skipped = std::min(skip, bytes);
    skip -= skipped;
    if (skipped < bytes) room[count++] = {data + skipped, static_cast<std::size_t>(bytes - skipped)};
  };
  if (room.empty()) return 0;
  add(opening(), opening_bytes_);
  if (count < room.size()) add(frame_.head.data(), head_bytes_);
  std::uint64_t offset = body_offset_;
  std::uint64_t left = data_;
  for (std::size_t i = body_; left > 0 && count < room.size(); ++i) {
    const Body& body = frame_.bodies[i];
    const std::uint64_t part = std::min<std::uint64_t>(body.size - offset, left);
    if (part > 0) add(body.data + offset, part);
    left -= part;
    offset = 0;
  }
  return count;
}

DGRAPH_DECL std::uint64_t OutgoingFrame::advance(std::uint64_t bytes) noexcept {
  const std::uint64_t record = opening_bytes_ + head_bytes_ + data_;
  const std::uint64_t used = std::min(bytes, record - record_sent_);
  record_sent_ += used;
  left_ -= used;
  if (record_sent_ < record) return used;
  bodies_left_ -= data_;
  for (std::uint64_t sent = data_; sent > 0;) {
    const std::uint64_t part = std::min<std::uint64_t>(frame_.bodies[body_].size - body_offset_, sent);
    sent -= part;
    body_offset_ += part;
    if (body_offset_ == frame_.bodies[body_].size) {
      ++body_;
      body_offset_ = 0;
    }
  }
  if (bodies_left_ == 0) {
    finished_ = true;
  } else {
    begin_record(RecordType::More);
  }
  return used;
}

DGRAPH_DECL FrameDecoder::Space FrameDecoder::space(std::span<std::byte> scratch) noexcept {
  scratch_ = scratch.data();
  direct_ = {};
  if (target_ == nullptr || want_ - got_ < kDirect) return {scratch, {}};
  direct_ = {target_ + got_, static_cast<std::size_t>(want_ - got_)};
  // What follows a large part is read with it, but little of it: it might be large, too.
  return {direct_, scratch.first(std::min(scratch.size(), kDirect))};
}

DGRAPH_DECL Status FrameDecoder::commit(std::size_t bytes, Sink& sink) {
  const std::size_t direct = std::min(bytes, direct_.size());
  got_ += direct;
  bytes -= direct;
  const std::byte* from = scratch_;
  for (bool more = true; more;) {
    if (got_ == want_) {
      if (Status status = end_part(sink, more); !status.ok()) return status;
      continue;
    }
    if (bytes == 0) break;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, want_ - got_));
    if (target_ != nullptr) std::memcpy(target_ + got_, from, part);
    got_ += part;
    from += part;
    bytes -= part;
  }
  return {};
}

DGRAPH_DECL void FrameDecoder::expect(State state, std::byte* to, std::uint64_t bytes) noexcept {
  state_ = state;
  target_ = to;
  want_ = bytes;
  got_ = 0;
}

DGRAPH_DECL Status FrameDecoder::end_part(Sink& sink, bool& more) {
  switch (state_) {
    case State::Header: return end_header(sink);
    case State::Sizes: return end_sizes(sink);
    case State::Head: record_left_ = header_.data; return next_data(sink, more);
    case State::Data: {
      Assembly& in = *current_;
      in.offset += want_;
      in.left -= want_;
      record_left_ -= want_;
      if (in.offset == in.sizes[in.body]) {
        ++in.body;
        in.offset = 0;
        in.asked = false;
      }
      return next_data(sink, more);
    }
  }
  return {};
}

DGRAPH_DECL Status FrameDecoder::end_header(Sink& sink) {
  if (Status status = RecordHeader::decode(header_bytes_.data(), header_); !status.ok()) return status;
  if (header_.type == RecordType::More) {
    if (!large_.open || header_.frame != large_number_ || header_.data > large_.left) {
      return errors::DataLoss("a continuation of a frame that is not open");
    }
    current_ = &large_;
    expect(State::Head, nullptr, 0);
    return {};
  }
  if (header_.frame != 0 && large_.open) return errors::DataLoss("a second large frame before the first has ended");
  const FrameLimits limits = sink.limits();
  if (header_.head > limits.head) {
    return errors::InvalidArgument("a frame with a head of ", header_.head, " bytes, more than the limit of ", limits.head);
  }
  if (header_.bodies > limits.bodies) {
    return errors::InvalidArgument("a frame with ", header_.bodies, " bodies, more than the limit of ", limits.bodies);
  }
  current_ = header_.frame == 0 ? &whole_ : &large_;
  *current_ = Assembly();
  current_->sizes.resize(header_.bodies);
  expect(State::Sizes, reinterpret_cast<std::byte*>(current_->sizes.data()), std::uint64_t{8} * header_.bodies);
  return {};
}

DGRAPH_DECL Status FrameDecoder::end_sizes(Sink& sink) {
  Assembly& in = *current_;
  const std::uint64_t most = sink.limits().body;
  for (std::uint64_t& size : in.sizes) {
    size = load_little<std::uint64_t>(reinterpret_cast<const std::byte*>(&size));
    if (size > most) return errors::InvalidArgument("a body of ", size, " bytes, more than the limit of ", most);
    if (__builtin_add_overflow(in.left, size, &in.left)) return errors::DataLoss("bodies of more than 2^64 bytes");
  }
  const bool whole = header_.frame == 0;
  if (whole ? header_.data != in.left : header_.data >= in.left) {
    return errors::DataLoss("a record with ", header_.data, " bytes of bodies for a frame with ", in.left);
  }
  if (!whole) {
    in.open = true;
    large_number_ = header_.frame;
  }
  in.frame.head.resize(header_.head);
  in.frame.bodies.resize(header_.bodies);
  expect(State::Head, in.frame.head.data(), header_.head);
  return {};
}

DGRAPH_DECL Status FrameDecoder::next_data(Sink& sink, bool& more) {
  Assembly& in = *current_;
  while (in.body < in.sizes.size() && in.sizes[in.body] == 0) ++in.body;
  if (record_left_ == 0) {
    expect(State::Header, header_bytes_.data(), RecordHeader::kBytes);
    if (in.left > 0) return {};
    in.open = false;
    more = sink.on_frame(std::move(in.frame));
    return {};
  }
  Body& body = in.frame.bodies[in.body];
  const std::uint64_t size = in.sizes[in.body];
  if (!in.asked) {
    body = sink.body_buffer(in.frame.head, in.body, size);
    if (!body.owner) {
      body = Body();
    } else if (body.size != size) {
      return errors::Internal("a buffer of ", body.size, " bytes for a body of ", size);
    }
    in.asked = true;
  }
  expect(State::Data, body.owner ? body.data + in.offset : nullptr, std::min(record_left_, size - in.offset));
  return {};
}

}  // namespace dgraph::detail
