#include <dgraph/kernels/arguments.hpp>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using namespace dgraph::detail;
using dgraph::test::contains;

TEST_CASE("Integers are read whatever their dtype") {
  CHECK(integer_at(Tensor::vector<std::int8_t>({1, -2}), 1, "x") == -2);
  CHECK(integer_at(Tensor::vector<std::uint8_t>({200}), 0, "x") == 200);
  CHECK(integer_at(Tensor::vector<std::int16_t>({-300}), 0, "x") == -300);
  CHECK(integer_at(Tensor::vector<std::uint16_t>({65535}), 0, "x") == 65535);
  CHECK(integer_at(Tensor::vector<std::uint32_t>({4294967295u}), 0, "x") == 4294967295);
  CHECK(integer_at(Tensor::vector<std::int64_t>({INT64_MIN}), 0, "x") == INT64_MIN);
  CHECK_THROWS_WITH(integer_at(Tensor::scalar(1.0f), 0, "the axis"),
                    contains("the axis must be integers, not float32"));
  CHECK(integer_argument(Tensor::scalar(std::int32_t{4}), "x") == 4);
  CHECK(integer_argument(Tensor::vector<std::int32_t>({4}), "x") == 4);
  CHECK_THROWS_WITH(integer_argument(Tensor::vector<std::int32_t>({4, 5}), "the axis"),
                    contains("the axis must be one number"));
}

TEST_CASE("Shapes are vectors of sizes that fit") {
  CHECK(shape_argument(Tensor::vector<std::int64_t>({2, 0, 3}), "x") == Shape{2, 0, 3});
  CHECK(shape_argument(Tensor::scalar(std::int32_t{7}), "x") == Shape{7});
  CHECK(shape_argument(Tensor(DType::Int32, Shape{0}), "x") == Shape());
  const std::int64_t huge = std::int64_t{1} << 62;
  for (const Tensor& bad :
       {Tensor::vector<std::int64_t>({-1}), Tensor::vector<std::int64_t>({huge, 4}),
        Tensor::of<std::int64_t>({1, 1}, {1}), Tensor::zeros(DType::Int32, {255}),
        Tensor::vector<float>({1})})
    CHECK(test::code_of([&] { shape_argument(bad, "x"); }) == Code::InvalidArgument);
}

TEST_CASE("Axes count from the end where negative") {
  CHECK(axis_of(0, 3, "axis") == 0);
  CHECK(axis_of(-1, 3, "axis") == 2);
  CHECK(axis_of(-3, 3, "axis") == 0);
  for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, INT64_MAX, INT64_MIN})
    CHECK_THROWS_WITH(axis_of(bad, 3, "axis"), contains("is not in [-3, 3)"));
  CHECK_THROWS(axis_of(0, 0, "axis"));
}

TEST_CASE("Products of dimensions before and after an axis") {
  CHECK(elements_before({2, 3, 5}, 0) == 1);
  CHECK(elements_before({2, 3, 5}, 2) == 6);
  CHECK(elements_from({2, 3, 5}, 1) == 15);
  CHECK(elements_from({2, 3, 5}, 3) == 1);
}

TEST_CASE("An index out of range is named with its position and bound") {
  check_indices(Tensor::vector<std::int32_t>({0, 4}), 5);
  check_indices(Tensor(DType::Int32, Shape{0}), 0);
  CHECK_THROWS_WITH(check_indices(Tensor::vector<std::int32_t>({0, 7, 9}), 5),
                    contains("indices[1] = 7 is not in [0, 5)"));
  CHECK_THROWS_WITH(check_indices(Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, -1}), 5, "ids"),
                    contains("ids[1,1] = -1 is not in [0, 5)"));
  CHECK_THROWS_WITH(check_indices(Tensor::scalar(std::int64_t{INT64_MIN}), 5),
                    contains("indices = -9223372036854775808 is not in [0, 5)"));
  CHECK_THROWS_WITH(check_indices(Tensor::vector<std::int16_t>({3, -3}), 3),
                    contains("indices[0] = 3 is not in [0, 3)"));
  CHECK(position_text({3, 4, 5}, 27) == "[1,1,2]");
}
