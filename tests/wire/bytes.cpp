#include <dgraph/wire/bytes.hpp>

#include "support/catch.hpp"

#include "wire/hostile.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::hex;
using wire::ByteReader;
using wire::ByteWriter;

TEST_CASE("numbers are fixed-width and little-endian") {
  std::vector<std::byte> bytes;
  ByteWriter to(bytes, 1);
  to.put(std::uint8_t{1});
  to.put(std::uint16_t{0x0203});
  to.put(std::int32_t{-2});
  to.put(std::uint64_t{0x0102030405060708});
  to.put(1.0f);
  to.put(true);
  to.put_text("ab");
  to.finish();
  CHECK(hex(bytes) == "010302feffffff08 0706050403020100 00803f0102000000 6162");

  ByteReader from(bytes);
  CHECK(from.get<std::uint8_t>() == 1);
  CHECK(from.get<std::uint16_t>() == 0x0203);
  CHECK(from.get<std::int32_t>() == -2);
  CHECK(from.get<std::uint64_t>() == 0x0102030405060708);
  CHECK(from.get<float>() == 1.0f);
  CHECK(from.get_bool());
  CHECK(from.get_text() == "ab");
  CHECK_NOTHROW(from.expect_end());
}

TEST_CASE("a writer appends, grows and patches") {
  std::vector<std::byte> bytes(3, std::byte{9});
  ByteWriter to(bytes, 0);
  for (std::uint32_t i = 0; i < 1000; ++i) to.put(i);
  to.patch(3, std::uint32_t{77});
  CHECK(to.size() == 4003);
  to.finish();
  REQUIRE(bytes.size() == 4003);
  ByteReader from(bytes);
  from.take(3);
  CHECK(from.get<std::uint32_t>() == 77);
  for (std::uint32_t i = 1; i < 1000; ++i) REQUIRE(from.get<std::uint32_t>() == i);
}

TEST_CASE("no length is believed") {
  std::vector<std::byte> bytes(8, std::byte{0xff});
  const auto code_of = [&](auto read) {
    ByteReader from(bytes);
    try {
      read(from);
      return Code::Ok;
    } catch (const Error& error) {
      CHECK_THAT(error.what(), contains("malformed message"));
      return error.code();
    }
  };
  CHECK(code_of([](ByteReader& from) { from.get_text(); }) == Code::DataLoss);
  CHECK(code_of([](ByteReader& from) { from.get_count(1); }) == Code::DataLoss);
  CHECK(code_of([](ByteReader& from) { from.take(SIZE_MAX); }) == Code::DataLoss);
  CHECK(code_of([](ByteReader& from) { from.get_bool(); }) == Code::DataLoss);
  CHECK(code_of([](ByteReader& from) { from.expect_end(); }) == Code::DataLoss);
  CHECK(code_of([](ByteReader& from) { from.take(8); }) == Code::Ok);

  bytes = {std::byte{2}, {}, {}, {}, {}, {}, {}, {}};
  CHECK(code_of([](ByteReader& from) { from.get_count(2); }) == Code::Ok);
  CHECK(code_of([](ByteReader& from) { from.get_count(3); }) == Code::DataLoss);
}
