#include <dgraph/transport/stream_framing.hpp>

#include <random>

#include "support/catch.hpp"

using namespace dgraph;
using detail::FrameDecoder;
using detail::OutgoingFrame;
using detail::RecordHeader;
using detail::RecordType;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view hex) {
  Bytes bytes;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits.push_back(c);
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

Body body_of(Bytes bytes) {
  Ref<Buffer> buffer = allocate_buffer(bytes.size());
  std::copy(bytes.begin(), bytes.end(), buffer->data());
  return {buffer, buffer->data(), bytes.size()};
}

Body random_body(std::size_t size, std::mt19937_64& random) {
  Bytes bytes(size);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random();
    bytes[i] = static_cast<std::byte>(bits);
  }
  return body_of(std::move(bytes));
}

Frame copy_of(const Frame& frame) { return frame; }

void append(Bytes& to, std::span<const std::byte> from) { to.insert(to.end(), from.begin(), from.end()); }

/// All bytes of a frame, taken in steps of at most `step`; `between` is called between records.
template <class Between>
Bytes encode(Frame frame, std::size_t step, Between between) {
  OutgoingFrame out(std::move(frame), 1);
  Bytes bytes;
  bool right = true;
  while (right && !out.finished()) {
    OutgoingFrame::Piece pieces[3];
    const std::size_t count = out.pieces(pieces);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count && taken < step; ++i) {
      const std::size_t part = std::min(pieces[i].size(), step - taken);
      append(bytes, pieces[i].first(part));
      taken += part;
    }
    right = taken > 0 && out.advance(taken) == taken;
    if (!out.finished() && out.between_records()) between(bytes);
  }
  REQUIRE(right);
  CHECK(out.left() == 0);
  return bytes;
}
Bytes encode(Frame frame) {
  return encode(std::move(frame), SIZE_MAX, [](Bytes&) {});
}

class Sink : public FrameDecoder::Sink {
 public:
  Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) override {
    asked.emplace_back(index, bytes);
    last_head.assign(head.begin(), head.end());
    taken += bytes;
    if (index == skip) return {};
    Ref<Buffer> buffer = allocate_buffer(bytes + wrong_by);
    return {buffer, buffer->data(), buffer->size()};
  }
  bool on_frame(Frame frame) override {
    frames.push_back(std::move(frame));
    return frames.size() < most;
  }
  FrameLimits limits() const override { return allowed; }

  FrameLimits allowed{1 << 20, 1000, std::uint64_t{1} << 30};
  std::size_t skip = SIZE_MAX;
  std::size_t wrong_by = 0;
  std::size_t most = SIZE_MAX;
  std::uint64_t taken = 0;
  std::vector<std::pair<std::size_t, std::uint64_t>> asked;
  Bytes last_head;
  std::vector<Frame> frames;
};

/// Feeds bytes as reads of at most `step` would.
Status feed(FrameDecoder& decoder, Sink& sink, std::span<const std::byte> bytes, std::size_t step = SIZE_MAX) {
  std::vector<std::byte> scratch(8192);
  while (!bytes.empty()) {
    const FrameDecoder::Space space = decoder.space(scratch);
    if (space.first.empty()) return errors::Internal("no room");
    const std::size_t room = space.first.size() + space.second.size();
    const std::size_t count = std::min({room, step, bytes.size()});
    const std::size_t first = std::min(count, space.first.size());
    std::copy_n(bytes.begin(), first, space.first.begin());
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), count - first, space.second.begin());
    bytes = bytes.subspan(count);
    if (Status status = decoder.commit(count, sink); !status.ok()) return status;
    if (sink.frames.size() >= sink.most) return {};
  }
  return {};
}

bool same(const Frame& a, const Frame& b) {
  if (a.head != b.head || a.bodies.size() != b.bodies.size()) return false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const auto x = a.bodies[i].bytes(), y = b.bodies[i].bytes();
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

Bytes header(RecordType type, std::uint32_t head, std::uint32_t bodies, std::uint64_t frame, std::uint64_t data) {
  RecordHeader record;
  record.type = type;
  record.head = head;
  record.bodies = bodies;
  record.frame = frame;
  record.data = data;
  Bytes bytes(RecordHeader::kBytes);
  record.encode(bytes.data());
  return bytes;
}

Code code_of(const Bytes& bytes, FrameLimits limits = {1 << 20, 1000, std::uint64_t{1} << 30}) {
  FrameDecoder decoder;
  Sink sink;
  sink.allowed = limits;
  const Status status = feed(decoder, sink, bytes);
  CHECK(sink.taken <= (1u << 20));
  CHECK(sink.frames.empty());
  return status.code();
}

}  // namespace

TEST_CASE("framing: golden bytes of a small frame") {
  Frame frame{bytes_of("68 65 61 64"), {body_of(bytes_of("01 02 03")), body_of({}), body_of(bytes_of("ff"))}};
  const Bytes expected = bytes_of(
      "44 47 01 01  00 00 00 00  04 00 00 00  03 00 00 00  00 00 00 00 00 00 00 00  04 00 00 00 00 00 00 00"
      "03 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00  68 65 61 64  01 02 03 ff");
  CHECK(encode(copy_of(frame)) == expected);
  FrameDecoder decoder;
  Sink sink;
  REQUIRE(feed(decoder, sink, expected).ok());
  REQUIRE(sink.frames.size() == 1);
  CHECK(same(sink.frames[0], frame));
  CHECK(decoder.between_frames());
}

TEST_CASE("framing: golden bytes of the records of a large frame") {
  const std::size_t size = Link::kChunk + 2;
  std::mt19937_64 random(1);
  const Frame frame{bytes_of("aa"), {random_body(size, random)}};
  const Bytes bytes = encode(copy_of(frame));
  const Bytes first = bytes_of(
      "44 47 01 01  00 00 00 00  01 00 00 00  01 00 00 00  01 00 00 00 00 00 00 00  00 00 10 00 00 00 00 00"
      "02 00 10 00 00 00 00 00  aa");
  const Bytes more = bytes_of(
      "44 47 01 02  00 00 00 00  00 00 00 00  00 00 00 00  01 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00");
  REQUIRE(bytes.size() == first.size() + more.size() + size);
  CHECK(std::equal(first.begin(), first.end(), bytes.begin()));
  CHECK(std::equal(more.begin(), more.end(), bytes.begin() + static_cast<std::ptrdiff_t>(first.size() + Link::kChunk)));
}

TEST_CASE("framing: frames of all shapes survive any cutting of the bytes") {
  std::mt19937_64 random(2);
  const std::size_t body_sizes[] = {0, 1, 100, 4095, 4096, 4097, 9000, 100000, Link::kChunk, Link::kChunk + 1, 3000000};
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{33}, std::size_t{5000}, SIZE_MAX}) {
    std::vector<Frame> frames;
    Bytes bytes;
    const bool small = step < 5000;
    for (int i = 0; i < (small ? 8 : 15); ++i) {
      Frame frame;
      frame.head.resize(random() % 3 == 0 ? 0 : random() % (small ? 300 : 6000));
      for (std::byte& byte : frame.head) byte = static_cast<std::byte>(random());
      for (std::size_t n = random() % 6; n > 0; --n) {
        // Steps of few bytes through megabytes would take long.
        const std::size_t most = small ? 7 : std::size(body_sizes);
        frame.bodies.push_back(random_body(body_sizes[random() % most], random));
      }
      append(bytes, encode(copy_of(frame), step, [](Bytes&) {}));
      frames.push_back(std::move(frame));
    }
    FrameDecoder decoder;
    Sink sink;
    REQUIRE(feed(decoder, sink, bytes, step).ok());
    REQUIRE(sink.frames.size() == frames.size());
    std::size_t right = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) right += same(sink.frames[i], frames[i]);
    CHECK(right == frames.size());
    CHECK(decoder.between_frames());
  }
}

TEST_CASE("framing: whole frames pass between the records of a large one") {
  std::mt19937_64 random(3);
  const Frame large{bytes_of("01"), {random_body(1500000, random), random_body(0, random), random_body(1700000, random)}};
  const Frame small{bytes_of("02"), {random_body(10, random)}};
  int between = 0;
  const Bytes bytes = encode(copy_of(large), 100000, [&](Bytes& so_far) {
    append(so_far, encode(copy_of(small)));
    ++between;
  });
  CHECK(between == 3);
  FrameDecoder decoder;
  Sink sink;
  REQUIRE(feed(decoder, sink, bytes, 60000).ok());
  REQUIRE(sink.frames.size() == 4);
  for (int i = 0; i < 3; ++i) CHECK(same(sink.frames[static_cast<std::size_t>(i)], small));
  CHECK(same(sink.frames[3], large));
}

TEST_CASE("framing: memory is asked for when the bytes of a body come, with its head, and not for empty ones") {
  std::mt19937_64 random(4);
  const Frame frame{bytes_of("0a 0b"), {random_body(2000000, random), random_body(0, random), random_body(5, random)}};
  const Bytes bytes = encode(copy_of(frame));
  FrameDecoder decoder;
  Sink sink;
  REQUIRE(feed(decoder, sink, std::span(bytes).first(1000000)).ok());
  CHECK(sink.asked == std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 2000000}});
  CHECK(sink.last_head == bytes_of("0a 0b"));
  CHECK_FALSE(decoder.between_frames());
  REQUIRE(feed(decoder, sink, std::span(bytes).subspan(1000000)).ok());
  CHECK(sink.asked == std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 2000000}, {2, 5}});
}

TEST_CASE("framing: a large body is read to its own place") {
  FrameDecoder decoder;
  Sink sink;
  Bytes opening = header(RecordType::First, 0, 1, 1, Link::kChunk);
  append(opening, bytes_of("00 00 20 00 00 00 00 00"));
  REQUIRE(feed(decoder, sink, opening).ok());
  std::vector<std::byte> scratch(65536);
  const FrameDecoder::Space space = decoder.space(scratch);
  CHECK(space.first.size() == Link::kChunk);
  CHECK((space.first.data() < scratch.data() || space.first.data() >= scratch.data() + scratch.size()));
  CHECK(space.second.size() == 4096);
}

TEST_CASE("framing: bodies that are not wanted are thrown away") {
  std::mt19937_64 random(5);
  const Frame frame{{}, {random_body(50000, random), random_body(3000000, random), random_body(50000, random)}};
  FrameDecoder decoder;
  Sink sink;
  sink.skip = 1;
  REQUIRE(feed(decoder, sink, encode(copy_of(frame)), 20000).ok());
  REQUIRE(sink.frames.size() == 1);
  CHECK(sink.frames[0].bodies[1].size == 0);
  CHECK_FALSE(sink.frames[0].bodies[1].owner);
  CHECK(std::equal(frame.bodies[2].data, frame.bodies[2].data + 50000, sink.frames[0].bodies[2].data));
}

TEST_CASE("framing: hostile headers are refused before memory is taken") {
  const auto first = [](std::uint32_t head, std::uint32_t bodies, std::uint64_t frame, std::uint64_t data) {
    return header(RecordType::First, head, bodies, frame, data);
  };
  const auto with_size = [](Bytes bytes, std::uint64_t size) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(size >> (8 * i)));
    return bytes;
  };
  CHECK(code_of(Bytes(32, std::byte{0xff})) == Code::DataLoss);
  CHECK(code_of(Bytes(32, std::byte{0})) == Code::DataLoss);
  Bytes odd = first(0, 0, 0, 0);
  odd[2] = std::byte{2};
  CHECK(code_of(odd) == Code::DataLoss);
  odd = first(0, 0, 0, 0);
  odd[3] = std::byte{9};
  CHECK(code_of(odd) == Code::DataLoss);
  odd = first(0, 0, 0, 0);
  odd[7] = std::byte{0x80};
  CHECK(code_of(odd) == Code::DataLoss);
  CHECK(code_of(first(0, 0, 0, Link::kChunk + 1)) == Code::DataLoss);
  CHECK(code_of(first(0, 0, 0, std::uint64_t{1} << 63)) == Code::DataLoss);
  CHECK(code_of(first(0xffffffffu, 0, 0, 0)) == Code::InvalidArgument);
  CHECK(code_of(first(0, 0xffffffffu, 0, 0)) == Code::InvalidArgument);
  CHECK(code_of(with_size(first(0, 1, 1, 1), std::uint64_t{1} << 63)) == Code::InvalidArgument);
  CHECK(code_of(with_size(with_size(first(0, 2, 1, 1), std::uint64_t{1} << 63), std::uint64_t{1} << 63),
                {0, 2, ~std::uint64_t{0}}) == Code::DataLoss);
  // A record whose length is not that of its frame.
  CHECK(code_of(with_size(first(0, 1, 0, 1), 2)) == Code::DataLoss);
  CHECK(code_of(with_size(first(0, 1, 0, 2), 1)) == Code::DataLoss);
  CHECK(code_of(with_size(first(0, 1, 1, 2), 2)) == Code::DataLoss);
  CHECK(code_of(first(0, 0, 1, 0)) == Code::DataLoss);
  // Continuations of nothing, of another frame, of too much, of nothing more.
  CHECK(code_of(header(RecordType::More, 0, 0, 1, 1)) == Code::DataLoss);
  const Bytes opened = with_size(first(0, 1, 7, 0), 10);
  for (const auto& [frame, data] : {std::pair{8, 1}, std::pair{7, 11}, std::pair{7, 0}, std::pair{0, 1}}) {
    Bytes bytes = opened;
    append(bytes, header(RecordType::More, 0, 0, static_cast<std::uint64_t>(frame), static_cast<std::uint64_t>(data)));
    CHECK(code_of(bytes) == Code::DataLoss);
  }
  Bytes twice = opened;
  append(twice, with_size(first(0, 1, 8, 0), 10));
  CHECK(code_of(twice) == Code::DataLoss);
}

TEST_CASE("framing: a sink that errs or has had enough") {
  std::mt19937_64 random(6);
  const Bytes bytes = encode({bytes_of("01"), {random_body(100, random)}});
  Bytes three;
  for (int i = 0; i < 3; ++i) append(three, bytes);
  FrameDecoder decoder;
  Sink sink;
  SECTION("a buffer of the wrong size") {
    sink.wrong_by = 1;
    CHECK(feed(decoder, sink, three).code() == Code::Internal);
  }
  SECTION("no more frames") {
    sink.most = 2;
    CHECK(feed(decoder, sink, three).ok());
    CHECK(sink.frames.size() == 2);
  }
}

TEST_CASE("framing: random changes never do more than end the stream") {
  std::mt19937_64 random(7);
  Bytes base;
  for (int i = 0; i < 5; ++i) {
    append(base, encode({Bytes(random() % 50), {random_body(random() % 5000, random), random_body(random() % 9, random)}}));
  }
  append(base, encode({{}, {random_body(Link::kChunk + 100, random)}}));
  std::size_t refused = 0;
  std::uint64_t most = 0;
  for (int round = 0; round < 1000; ++round) {
    Bytes bytes(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(random() % 30000 + 1));
    for (std::size_t n = random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    FrameDecoder decoder;
    Sink sink;
    sink.allowed = {100, 3, 2 << 20};
    refused += !feed(decoder, sink, bytes, random() % 9000 + 1).ok();
    most = std::max(most, sink.taken);
  }
  CHECK(most < (64u << 20));
  CHECK(refused > 10);
  CHECK(refused < 1000);
}

TEST_CASE("framing: what the format cannot hold is refused when it is sent") {
  // Sizes beyond memory: the bodies claim more bytes than there are, and nothing touches them.
  Frame frame;
  frame.bodies.push_back({nullptr, nullptr, std::size_t{5} << 32});
  OutgoingFrame out(std::move(frame), 3);
  CHECK_FALSE(out.whole());
  CHECK(out.left() == 32 + 8 + (std::uint64_t{5} << 32));
}
