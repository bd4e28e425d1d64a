#include <dgraph/wire/prefix.hpp>

#include "support/catch.hpp"

#include <vector>

using namespace dgraph;

TEST_CASE("a head tells its type and its credit") {
  std::vector<std::byte> head(wire::kPrefixBytes);
  head[0] = static_cast<std::byte>(MessageType::StartStep);
  CHECK(wire::peek_type(head) == MessageType::StartStep);
  CHECK(wire::peek_credit(head) == 0);
  wire::patch_credit(head, 0x01020304);
  CHECK(wire::peek_credit(head) == 0x01020304);
  CHECK(head[4] == std::byte{4});
}

TEST_CASE("what is no head is none") {
  std::vector<std::byte> head(wire::kPrefixBytes - 1, static_cast<std::byte>(MessageType::Data));
  CHECK_FALSE(wire::peek_type(head).has_value());
  CHECK(wire::peek_credit(head) == 0);
  wire::patch_credit(head, 7);
  head.resize(wire::kPrefixBytes);
  for (int type : {0, 3, 9, 12, 30 + 9, 59, 65, 255}) {
    head[0] = static_cast<std::byte>(type);
    CHECK_FALSE(wire::peek_type(head).has_value());
  }
}

TEST_CASE("messages have their names") {
  CHECK(wire::message_name(MessageType::Data) == "Data");
  CHECK(wire::message_name(MessageType::RequestBody) == "RequestBody");
  CHECK(wire::message_name(static_cast<MessageType>(200)) == "unknown");
}
