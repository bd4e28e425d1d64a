#include <dgraph/base/shape.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

namespace {
Dims counting(std::size_t count) {
  Dims out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<std::int64_t>(i) + 1);
  return out;
}
}  // namespace

TEST_CASE("dims grow beyond their room inside and shrink again") {
  for (std::size_t count : {0, 1, 6, 7, 20}) {
    Dims dims = counting(count);
    REQUIRE(dims.size() == count);
    for (std::size_t i = 0; i < count; ++i) CHECK(dims[i] == static_cast<std::int64_t>(i) + 1);
    Dims copy = dims, moved = std::move(dims);
    CHECK(copy == moved);
    CHECK(dims.size() == 0);
    copy.resize(3, 9);
    REQUIRE(copy.size() == 3);
    if (count >= 3) CHECK(copy == Dims{1, 2, 3});
    copy.resize(8, 5);
    CHECK(copy.back() == 5);
    if (count >= 3) CHECK(copy[2] == 3);
  }
}

TEST_CASE("dims are assigned in every direction between inside and heap") {
  for (std::size_t from : {2, 6, 7, 9}) {
    for (std::size_t to : {0, 6, 7, 9}) {
      Dims target = counting(to);
      const Dims source = counting(from);
      target = source;
      CHECK(target == source);
      Dims other = counting(to), temporary = counting(from);
      other = std::move(temporary);
      CHECK(other == source);
    }
  }
}

TEST_CASE("a shape knows its elements") {
  CHECK(Shape().elements() == 1);
  CHECK(Shape{2, 3}.elements() == 6);
  CHECK(Shape{2, 0, 3}.elements() == 0);
  CHECK(Shape{2, 3}.to_string() == "[2,3]");
  CHECK(Shape().to_string() == "[]");
  CHECK(Shape{1, 2, 3, 4, 5, 6, 7}.rank() == 7);
}

TEST_CASE("impossible shapes are refused") {
  REQUIRE_THROWS_WITH((Shape{2, -1}), contains("negative"));
  REQUIRE_THROWS_WITH((Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}), contains("2^63"));
  REQUIRE_THROWS_WITH(Shape(Dims(255, 1)), contains("254"));
  const std::int64_t large = std::int64_t{1} << 62;
  for (const Shape& empty : {Shape{large, 0}, Shape{0, large}, Shape{3, 0, large / 2}}) CHECK(empty.elements() == 0);
  REQUIRE_THROWS_WITH((Shape{large, 4, 0}), contains("2^63"));
  REQUIRE_THROWS_WITH((Shape{0, large, 4}), contains("2^63"));
  REQUIRE_THROWS_WITH((PartialShape{large, -1, 4}), contains("2^63"));
  REQUIRE_THROWS_AS((PartialShape{-2}), Error);
}

TEST_CASE("partial shapes: what is known, and what fits") {
  const PartialShape unknown, matrix{-1, 3}, full{2, 3};
  CHECK_FALSE(unknown.has_rank());
  CHECK(unknown.to_string() == "<unknown>");
  CHECK(matrix.to_string() == "[?,3]");
  CHECK(full.fully_known());
  CHECK_FALSE(matrix.fully_known());
  CHECK(matrix.compatible_with(full));
  CHECK(unknown.compatible_with(full));
  CHECK_FALSE(matrix.compatible_with(PartialShape{2, 4}));
  CHECK_FALSE(matrix.compatible_with(PartialShape{3}));
  CHECK(matrix.merged_with(PartialShape{2, -1}) == full);
  CHECK(unknown.merged_with(matrix) == matrix);
  CHECK(full.merged_with(unknown) == full);
  REQUIRE_THROWS_WITH(matrix.merged_with(PartialShape{2, 4}), contains("[?,3]") && contains("[2,4]"));
}

TEST_CASE("broadcasting follows numpy") {
  CHECK(broadcast_shapes(Shape{2, 3}, Shape{3}) == Shape{2, 3});
  CHECK(broadcast_shapes(Shape{2, 1}, Shape{1, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes(Shape{}, Shape{4}) == Shape{4});
  CHECK(broadcast_shapes(Shape{0}, Shape{1}) == Shape{0});
  REQUIRE_THROWS_WITH(broadcast_shapes(Shape{2, 3}, Shape{2}), contains("[2,3]") && contains("[2]"));
  REQUIRE_THROWS_AS(broadcast_shapes(Shape{0}, Shape{2}), Error);
}

TEST_CASE("broadcasting of partly known shapes keeps what is certain") {
  CHECK(broadcast_shapes(PartialShape{-1, 3}, PartialShape{3}) == PartialShape{-1, 3});
  CHECK(broadcast_shapes(PartialShape{-1}, PartialShape{5}) == PartialShape{5});
  CHECK(broadcast_shapes(PartialShape{-1}, PartialShape{1}) == PartialShape{-1});
  CHECK(broadcast_shapes(PartialShape{-1}, PartialShape{-1}) == PartialShape{-1});
  CHECK(broadcast_shapes(PartialShape(), PartialShape{2}) == PartialShape());
  REQUIRE_THROWS_AS(broadcast_shapes(PartialShape{-1, 3}, PartialShape{4}), Error);
}
