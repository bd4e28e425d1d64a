#include <dgraph/ops/random.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::pair<std::int64_t, std::int64_t> seeds_of(Output x) {
  // Scaled and moved values lead back to the numbers drawn.
  while (x.node().def->attr_index("seed") < 0) x = Output(x.core(), x.node().inputs[0].node, x.node().inputs[0].index);
  return {x.node().attr<std::int64_t>("seed"), x.node().attr<std::int64_t>("seed2")};
}
using Pair = std::pair<std::int64_t, std::int64_t>;

}  // namespace

TEST_CASE("random ops have the shape asked for") {
  Building b;
  CHECK(random_uniform<float>({2, 3}).shape() == PartialShape{2, 3});
  CHECK(random_uniform<double>({1}, -1., 1.).dtype() == DType::Float64);
  CHECK(random_uniform<int>({4}, 0, 10).op_type() == "RandomUniformInt");
  CHECK(random_normal<float>(placeholder<int>({2})).shape() == PartialShape{-1, -1});
  CHECK(truncated_normal<float>({3}).op_type() == "TruncatedNormal");
  CHECK(random_shuffle(constant<float>({1, 2})).shape() == PartialShape{2});
}

TEST_CASE("bounds become one product and one sum, or nothing") {
  Building b;
  CHECK(expression_of(random_uniform<float>({1}, -1.f, 1.f)) == "AddV2(Mul(RandomUniform([1]), 2), -1)");
  CHECK(expression_of(random_uniform<float>({1}, 0.f, 1.f)) == "RandomUniform([1])");
  CHECK(expression_of(random_normal<float>({1}, 3, 1)) == "AddV2(RandomStandardNormal([1]), 3)");
  CHECK(expression_of(truncated_normal<float>({1}, 0, 0.5)) == "Mul(TruncatedNormal([1]), 0.5)");
}

TEST_CASE("without any seed both attributes are 0") {
  Building b;
  CHECK(seeds_of(random_uniform<float>({1})) == Pair(0, 0));
}

TEST_CASE("an op's own seed does not depend on what else is in the graph") {
  Building a;
  const Pair alone = seeds_of(random_normal<float>({1}, 0, 1, 7));
  Building b;
  for (int i = 0; i < 10; ++i) constant(i);
  CHECK(seeds_of(random_normal<float>({1}, 0, 1, 7)) == alone);
  CHECK(alone == Pair(87654321, 7));
}

TEST_CASE("a graph's seed makes each op's seed from its place") {
  Building b;
  set_random_seed(42);
  const Pair first = seeds_of(random_uniform<float>({1})), second = seeds_of(random_uniform<float>({1}));
  CHECK(first.first == 42);
  CHECK(second.first == 42);
  CHECK(first.second != second.second);
  CHECK(seeds_of(random_uniform<float>({1}, 0.f, 1.f, 5)) == Pair(42, 5));
  Building again;
  set_random_seed(42);
  CHECK(seeds_of(random_uniform<float>({1})) == first);
}

TEST_CASE("two seeds of 0 are not taken for none") {
  Building b;
  set_random_seed(0);
  CHECK(seeds_of(random_uniform<float>({1}, 0.f, 1.f, 0)) == Pair(0, 2147483647));
}
