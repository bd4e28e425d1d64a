#include <dgraph/wire/archive.hpp>

#include <dgraph/wire/bytes.hpp>

#include "support/catch.hpp"

#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include "wire/fill.hpp"
#include "wire/hostile.hpp"

// A user may include cereal's own loaders, as above; those of the library must be chosen all the
// same.

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::hex;

namespace {

enum class Colour : std::uint16_t { Red = 1, Green = 2 };

struct Inner {
  std::string name;
  std::vector<std::int32_t> numbers;
  template <class A>
  void serialize(A& ar) {
    ar(name, numbers);
  }
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::vector<Inner> list;
  std::map<std::string, std::uint64_t> map;
  std::optional<Inner> maybe, nothing;
  std::pair<std::string, double> pair;
  std::vector<bool> bits;
  std::vector<std::vector<std::string>> nested;
  Colour colour = Colour::Red;
  Duration time{};
  bool flag = false;
  Status status;
  template <class A>
  void serialize(A& ar) {
    ar(list, map, maybe, nothing, pair, bits, nested, colour, time, flag, status);
  }
};

struct Endless {
  std::vector<Endless> more;
  template <class A>
  void serialize(A& ar) {
    ar(more);
  }
};

template <class T>
std::vector<std::byte> saved(const T& value) {
  std::vector<std::byte> bytes;
  std::vector<Body> bodies;
  wire::ByteWriter to(bytes);
  wire::OutArchive ar(to, bodies);
  ar(value);
  to.finish();
  CHECK(bodies.empty());
  return bytes;
}

template <class T>
void restore(const std::vector<std::byte>& bytes, T& value) {
  wire::ByteReader from(bytes);
  wire::BodyReader bodies;
  wire::InArchive ar(from, bodies);
  ar(value);
  from.expect_end();
}

Outer example() {
  Outer out;
  out.list = {{"one", {1, -2}}, {"", {}}};
  out.map = {{"a", 1}, {"b", ~std::uint64_t{0}}};
  out.maybe = Inner{"three", {3}};
  out.pair = {"pi", 3.25};
  out.bits = {true, false, true};
  out.nested = {{"x", "y"}, {}, {"z"}};
  out.colour = Colour::Green;
  out.time = std::chrono::milliseconds(5);
  out.flag = true;
  out.status = errors::Aborted("gone");
  return out;
}

}  // namespace

TEST_CASE("values return as they were") {
  const Outer out = example();
  Outer back;
  back.list.resize(7);
  back.nothing.emplace();
  restore(saved(out), back);
  CHECK(back.list == out.list);
  CHECK(back.map == out.map);
  CHECK(back.maybe == out.maybe);
  CHECK_FALSE(back.nothing.has_value());
  CHECK(back.pair == out.pair);
  CHECK(back.bits == out.bits);
  CHECK(back.nested == out.nested);
  CHECK(back.colour == Colour::Green);
  CHECK(back.time == std::chrono::milliseconds(5));
  CHECK(back.flag);
  CHECK(back.status.to_string() == out.status.to_string());
}

TEST_CASE("counts take four bytes, also where cereal would take eight") {
  CHECK(hex(saved(std::string("ab"))) == "020000006162");
  CHECK(hex(saved(std::vector<std::uint16_t>{1, 2})) == "0200000001000200");
  CHECK(hex(saved(std::vector<bool>{true})) == "0100000001");
  CHECK(hex(saved(std::map<std::string, std::uint8_t>{{"a", 2}})) == "0100000001000000 6102");
  CHECK(hex(saved(std::optional<std::uint8_t>(7))) == "0107");
  CHECK(hex(saved(Colour::Green)) == "0200");
}

TEST_CASE("the library's values go through an archive, large tensors beside it") {
  std::vector<std::byte> bytes;
  std::vector<Body> bodies;
  wire::ByteWriter to(bytes);
  wire::OutArchive out(to, bodies);
  const Tensor tensor = Tensor::zeros(DType::Float32, Shape{40});
  out(tensor, AttrValue(3), Shape{1, 2}, PartialShape{-1}, Tensor::scalar(true));
  to.finish();
  REQUIRE(bodies.size() == 1);
  CHECK(bodies[0].data == tensor.raw());

  wire::ByteReader from(bytes);
  wire::BodyReader body_reader(bodies);
  wire::InArchive in(from, body_reader);
  Tensor t, flag;
  AttrValue attr;
  Shape shape;
  PartialShape partial;
  in(t, attr, shape, partial, flag);
  CHECK(t.raw() == tensor.raw());
  CHECK(attr == AttrValue(3));
  CHECK(shape == Shape{1, 2});
  CHECK(partial == PartialShape{-1});
  CHECK(flag.item<bool>());
}

TEST_CASE("a count beyond the bytes is refused before memory is taken") {
  std::vector<std::byte> bytes(64, std::byte{0xff});
  const auto refused = [&](auto value) {
    std::size_t largest = test::largest_allocation([&] {
      try {
        restore(bytes, value);
        FAIL("no error");
      } catch (const Error& error) {
        CHECK(error.code() == Code::DataLoss);
      }
    });
    return largest < 1024;
  };
  for (const std::uint32_t count : {0xffffffffu, 0x7fffffffu, 0x40000000u, 61u}) {
    wire::store(bytes.data(), count);
    CHECK(refused(std::string()));
    CHECK(refused(std::vector<double>()));
    CHECK(refused(std::vector<std::string>()));
    CHECK(refused(std::vector<bool>()));
    CHECK(refused(std::vector<std::byte>()));
    CHECK(refused(std::map<std::string, int>()));
    CHECK(refused(std::vector<std::pair<std::uint8_t, std::uint8_t>>()));
    CHECK(refused(std::vector<Tensor>()));
  }
}

TEST_CASE("containers may lie in each other, but not without end") {
  const auto nested = [](std::uint32_t depth) {
    std::vector<std::byte> bytes;
    wire::ByteWriter to(bytes);
    for (std::uint32_t i = 0; i + 1 < depth; ++i) to.put(std::uint32_t{1});
    to.put(std::uint32_t{0});
    to.finish();
    return bytes;
  };
  Endless value;
  CHECK_NOTHROW(restore(nested(wire::InArchive::kDeepest), value));
  REQUIRE_THROWS_WITH(restore(nested(wire::InArchive::kDeepest + 1), value), contains("too deep"));
  REQUIRE_THROWS_WITH(restore(nested(1000000), value), contains("too deep"));
}

TEST_CASE("mangled archives do no harm") {
  const std::vector<std::byte> bytes = saved(example());
  test::mangle(bytes, [&](const std::vector<std::byte>& changed) {
    Outer back;
    const std::size_t largest = test::largest_allocation([&] {
      try {
        restore(changed, back);
      } catch (const Error& error) {
        CHECK(error.code() == Code::DataLoss);
      }
    });
    CHECK(largest < 16384);
  });
}
