#include <dgraph/wire/tables.hpp>

#include "support/catch.hpp"

#include <unordered_map>

#include "wire/fill.hpp"
#include "wire/wire_ops.hpp"

using namespace dgraph;
using dgraph::test::contains;
using wire::detail::count_args;
using wire::detail::PointerIds;

TEST_CASE("pointers are numbered as they come") {
  PointerIds ids;
  std::unordered_map<const void*, std::uint32_t> expected;
  std::vector<int> things(5000);
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const int* thing = &things[test::below(random, things.size())];
    const auto [at, fresh] = expected.emplace(thing, static_cast<std::uint32_t>(expected.size()));
    REQUIRE(ids.id(thing) == std::pair(at->second, fresh));
    REQUIRE(ids.id(thing) == std::pair(at->second, false));
  }
  CHECK(ids.size() == expected.size());
}

TEST_CASE("no pointer is a pointer, too") {
  PointerIds ids;
  CHECK(ids.id(nullptr) == std::pair(0u, true));
  CHECK(ids.id(nullptr) == std::pair(0u, false));
}

TEST_CASE("op types are found by name and signature, all that are missing are listed") {
  std::vector<std::byte> bytes;
  wire::ByteWriter to(bytes);
  to.put_count(4);
  for (const OpDef* def : {&signature<test::Const>(), &signature<test::AddN>(),
                           &signature<test::Split>(), &signature<test::Many>()})
    wire::detail::write_op(to, *def);
  to.finish();
  wire::ByteReader from(bytes);
  const auto ops = wire::detail::read_ops(from, &find_signature<test::WireOps>);
  REQUIRE(ops.size() == 4);
  CHECK(ops[1] == find_signature<test::WireOps>("AddN"));

  wire::ByteReader again(bytes);
  try {
    wire::detail::read_ops(again, &find_signature<test::FewerOps>);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == Code::InvalidArgument);
    CHECK_THAT(error.what(), contains("lacks the op types Const, Many"));
    CHECK_THAT(error.what(), contains("another signature: AddN"));
  }
}

TEST_CASE("inputs and outputs are counted by the attributes") {
  const OpDef& split = signature<test::Split>();
  CHECK(count_args(split.inputs, {AttrValue(3), AttrValue(DType::Int32)}) == 1);
  CHECK(count_args(split.outputs, {AttrValue(3), AttrValue(DType::Int32)}) == 3);
  REQUIRE_THROWS_WITH(count_args(split.outputs, {AttrValue(-1), AttrValue(DType::Int32)}),
                      contains("cannot have -1"));
  REQUIRE_THROWS_WITH(
      count_args(split.outputs, {AttrValue(std::int64_t{1} << 40), AttrValue(DType::Int32)}),
      contains("cannot have"));
}
