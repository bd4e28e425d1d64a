#include <dgraph/graph/attr.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;

TEST_CASE("values keep their kind") {
  CHECK(AttrValue(3).get<std::int64_t>() == 3);
  CHECK(AttrValue(0.5).get<float>() == 0.5f);
  CHECK(AttrValue(true).get<bool>());
  CHECK(AttrValue("SAME").get<std::string>() == "SAME");
  CHECK(AttrValue(DType::Int32).get<DType>() == DType::Int32);
  CHECK(AttrValue(Shape{2}).get<PartialShape>() == PartialShape{2});
  CHECK_FALSE(AttrValue().has_value());
  REQUIRE_THROWS_WITH(AttrValue(3).get<bool>(), contains("3") && contains("another kind"));
}

TEST_CASE("values print for messages") {
  CHECK(AttrValue().to_string() == "none");
  CHECK(AttrValue(-2).to_string() == "-2");
  CHECK(AttrValue(true).to_string() == "true");
  CHECK(AttrValue("a").to_string() == "\"a\"");
  CHECK(AttrValue(DType::Float32).to_string() == "float32");
  CHECK(AttrValue(PartialShape{-1, 2}).to_string() == "[?,2]");
  CHECK(AttrValue(std::vector<std::int64_t>{1, 2}).to_string() == "[1,2]");
  CHECK(AttrValue(std::vector<bool>{true, false}).to_string() == "[true,false]");
  CHECK(AttrValue(std::vector<DType>{DType::Bool}).to_string() == "[bool]");
}

TEST_CASE("equal values have equal hashes") {
  const std::vector<AttrValue> all{AttrValue(),
                                   AttrValue(1),
                                   AttrValue(2),
                                   AttrValue(1.f),
                                   AttrValue(true),
                                   AttrValue("1"),
                                   AttrValue(DType::Float32),
                                   AttrValue(PartialShape{1}),
                                   AttrValue(PartialShape()),
                                   AttrValue(std::vector<std::int64_t>{1}),
                                   AttrValue(std::vector<float>{1}),
                                   AttrValue(std::vector<std::string>{"1"}),
                                   AttrValue(Tensor::scalar(1.f))};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      CHECK((all[i] == all[j]) == (i == j));
      const AttrValue copy = all[i];
      CHECK(copy.hash() == all[i].hash());
    }
  }
}

TEST_CASE("tensors are equal by value where small, by memory where large") {
  const auto ramp = [](std::int64_t n) {
    Tensor t(DType::Float32, Shape{n});
    for (std::int64_t i = 0; i < n; ++i) t.mutable_data<float>()[i] = static_cast<float>(i);
    return t;
  };
  CHECK(AttrValue(ramp(10)) == AttrValue(ramp(10)));
  CHECK_FALSE(AttrValue(ramp(10)) == AttrValue(ramp(11)));
  CHECK_FALSE(AttrValue(ramp(1000)) == AttrValue(ramp(1000)));
  const Tensor shared = ramp(1000);
  CHECK(AttrValue(shared) == AttrValue(shared));
  CHECK_FALSE(AttrValue(Tensor::scalar(0.f)) == AttrValue(Tensor::scalar(-0.f)));
}
