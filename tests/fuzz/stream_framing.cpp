// Bytes as a peer might send them, through the frame decoder: no crash, and no more memory than the limits allow.
#include <dgraph/transport/stream_framing.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using dgraph::Body;
using dgraph::Frame;
using dgraph::FrameLimits;
using dgraph::detail::FrameDecoder;
using dgraph::detail::OutgoingFrame;

void require(bool holds) {
  if (!holds) std::abort();
}

class Sink final : public FrameDecoder::Sink {
 public:
  Body body_buffer(std::span<const std::byte> head, std::size_t index, std::uint64_t bytes) override {
    require(head.size() <= allowed.head && index < allowed.bodies && bytes > 0 && bytes <= allowed.body);
    if (bytes % 5 == 0) return {};
    auto buffer = dgraph::allocate_buffer(bytes);
    return {buffer, buffer->data(), buffer->size()};
  }
  bool on_frame(Frame frame) override {
    require(frame.head.size() <= allowed.head && frame.bodies.size() <= allowed.bodies);
    frames.push_back(std::move(frame));
    return true;
  }
  FrameLimits limits() const override { return allowed; }

  FrameLimits allowed{1000, 8, 3 << 20};
  std::vector<Frame> frames;
};

/// Feeds bytes in reads of `step`; false where the decoder has refused.
bool feed(FrameDecoder& decoder, Sink& sink, std::span<const std::byte> bytes, std::size_t step) {
  std::vector<std::byte> scratch(4096);
  while (!bytes.empty()) {
    const FrameDecoder::Space space = decoder.space(scratch);
    require(!space.first.empty());
    const std::size_t count = std::min({space.first.size() + space.second.size(), step, bytes.size()});
    const std::size_t first = std::min(count, space.first.size());
    std::copy_n(bytes.begin(), first, space.first.begin());
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), count - first, space.second.begin());
    bytes = bytes.subspan(count);
    if (!decoder.commit(count, sink).ok()) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  FrameDecoder at_once, in_steps;
  Sink whole, pieces;
  const bool accepted = feed(at_once, whole, bytes, SIZE_MAX);
  require(feed(in_steps, pieces, bytes, size > 4096 ? 997 : 1 + size % 7) == accepted);
  require(whole.frames.size() == pieces.frames.size());
  // What was understood can be said again, and is understood in the same way.
  for (const Frame& frame : whole.frames) {
    OutgoingFrame out(Frame(frame), 1);
    std::vector<std::byte> again;
    while (!out.finished()) {
      OutgoingFrame::Piece part[4];
      std::size_t sent = 0;
      for (std::size_t i = 0, count = out.pieces(part); i < count; ++i) {
        again.insert(again.end(), part[i].begin(), part[i].end());
        sent += part[i].size();
      }
      require(sent > 0 && out.advance(sent) == sent);
    }
    FrameDecoder decoder;
    Sink sink;
    require(feed(decoder, sink, again, SIZE_MAX) && decoder.between_frames() && sink.frames.size() == 1);
    require(sink.frames[0].head == frame.head && sink.frames[0].bodies.size() == frame.bodies.size());
  }
  return 0;
}
