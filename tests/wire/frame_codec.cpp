#include <dgraph/wire/frame_codec.hpp>

#include "support/catch.hpp"

#include "wire/hostile.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::hex;
using wire::detail::FrameReader;
using wire::detail::FrameWriter;

namespace {

Frame frame_of(MessageType type, std::size_t bytes) {
  FrameWriter out(type);
  for (std::size_t i = 0; i < bytes; ++i) out.head().put(static_cast<std::uint8_t>(i));
  return out.finish();
}

}  // namespace

TEST_CASE("a head begins with its prefix") {
  CHECK(hex(frame_of(MessageType::StepDone, 2).head) == "2c00000000000000 0001");
  Frame frame = frame_of(MessageType::StepDone, 2);
  FrameReader in(frame, MessageType::StepDone);
  CHECK(in.head().left() == 2);
  in.head().take(2);
  CHECK_NOTHROW(in.expect_end());
}

TEST_CASE("a long head travels as the last body") {
  const std::size_t size = wire::kLongestHead + 100;
  Frame sent = frame_of(MessageType::RunDone, size);
  CHECK(hex(sent.head) == "1901000000000000");
  REQUIRE(sent.bodies.size() == 1);
  Frame frame = test::arrived(sent);
  FrameReader in(frame, MessageType::RunDone);
  CHECK(in.bodies().left() == 0);
  REQUIRE(in.head().left() == size);
  for (std::size_t i = 0; i < size; ++i)
    REQUIRE(in.head().get<std::uint8_t>() == static_cast<std::uint8_t>(i));

  Frame refused = sent;
  refused.bodies[0] = {};
  REQUIRE_THROWS_WITH(FrameReader(refused, MessageType::RunDone),
                      contains("no memory was given for a large RunDone"));
  CHECK(frame_of(MessageType::Data, size).bodies.empty());
}

TEST_CASE("what is no frame of its type is refused") {
  const auto refused = [](std::vector<std::byte> head, std::size_t bodies = 0) {
    Frame frame;
    frame.head = std::move(head);
    frame.bodies.resize(bodies);
    try {
      FrameReader(frame, MessageType::RunDone);
      return false;
    } catch (const Error& error) {
      return error.code() == Code::DataLoss;
    }
  };
  std::vector<std::byte> head = frame_of(MessageType::RunDone, 0).head;
  CHECK_FALSE(refused(head));
  CHECK(refused({}));
  CHECK(refused({head.begin(), head.begin() + 7}));
  CHECK(refused(frame_of(MessageType::StepDone, 0).head));
  head[1] = std::byte{2};
  CHECK(refused(head));
  head[1] = std::byte{1};  // in a body, but there is none
  CHECK(refused(head));
  head.push_back({});  // in a body, but there is more
  CHECK(refused(head, 1));
  head = frame_of(MessageType::RunDone, 0).head;
  head[3] = std::byte{1};
  CHECK(refused(head));
}

TEST_CASE("what a decoder throws becomes a status") {
  CHECK(wire::detail::guarded([] {}).ok());
  CHECK(wire::detail::guarded([] { fail(Code::DataLoss, "x"); }).code() == Code::DataLoss);
  CHECK(wire::detail::guarded([] { throw std::bad_alloc(); }).code() == Code::ResourceExhausted);
}
