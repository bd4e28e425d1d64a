#pragma once
#include <dgraph/wire/frame_codec.hpp>

namespace dgraph::wire::detail {

DGRAPH_DECL void FrameWriter::move_head() {
  // The head of Data stays, because memory for its bodies is given by what it says.
  if (frame_.head[0] == static_cast<std::byte>(MessageType::Data)) return;
  std::vector<std::byte> prefix(frame_.head.begin(), frame_.head.begin() + kPrefixBytes);
  prefix[1] = std::byte{kHeadInBody};
  const std::size_t size = frame_.head.size() - kPrefixBytes;
  auto owner = make_ref<OwnedBuffer<std::vector<std::byte>>>(
      std::move(frame_.head),
      [](auto& bytes) { return std::pair<void*, std::size_t>(bytes.data(), bytes.size()); });
  std::byte* const data = owner->data() + kPrefixBytes;
  frame_.bodies.push_back({std::move(owner), data, size});
  frame_.head = std::move(prefix);
}

DGRAPH_DECL std::span<const std::byte> FrameReader::open(const Frame& frame, MessageType type) {
  if (frame.head.size() < kPrefixBytes) fail(Code::DataLoss, "malformed message: no prefix");
  const auto flags = std::to_integer<std::uint8_t>(frame.head[1]);
  if (frame.head[0] != static_cast<std::byte>(type) ||
      load<std::uint16_t>(frame.head.data() + 2) != 0 || (flags & ~kHeadInBody) != 0)
    fail(Code::DataLoss, "malformed message: no ", message_name(type));
  const std::span<const std::byte> after = std::span(frame.head).subspan(kPrefixBytes);
  if (flags == 0) return after;
  if (!after.empty() || frame.bodies.empty() || type == MessageType::Data)
    fail(Code::DataLoss, "malformed message: a head that lies in no body");
  moved_ = 1;
  const Body& body = frame.bodies.back();
  if (!body.owner)
    fail(Code::ResourceExhausted, "no memory was given for a large ", message_name(type));
  return body.bytes();
}

}  // namespace dgraph::wire::detail
