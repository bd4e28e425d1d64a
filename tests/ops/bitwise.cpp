#include <dgraph/ops/bitwise.hpp>

#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("bits of integers") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<int>({12, -1}), b = constant<int>({10, 7});
  CHECK(evaluate<int>(bitwise_and(a, b)) == std::vector<int>{8, 7});
  CHECK(evaluate<int>(bitwise_or(a, b)) == std::vector<int>{14, -1});
  CHECK(evaluate<int>(bitwise_xor(a, b)) == std::vector<int>{6, -8});
  CHECK(evaluate<int>(bitwise_invert(a)) == std::vector<int>{-13, 0});
}

TEST_CASE("shifts beyond the width are those of the width less one") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<std::int8_t>({1, -128, 5});
  const auto by = constant<std::int8_t>({100, 100, -3});
  CHECK(evaluate<std::int8_t>(left_shift(x, by)) == std::vector<std::int8_t>{-128, 0, 5});
  CHECK(evaluate<std::int8_t>(right_shift(x, by)) == std::vector<std::int8_t>{0, -1, 5});
}
