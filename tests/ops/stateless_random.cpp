#include <dgraph/ops/stateless_random.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

#include "evaluate.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::evaluate;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

}  // namespace

TEST_CASE("the same seed gives the same values") {
  Building b;
  CHECK(evaluate<float>(stateless_random_uniform<float>({3}, {1, 2})) ==
        std::vector<float>{0.8440604f, 0.19204533f, 0.9962232f});
  CHECK(evaluate<std::int32_t>(stateless_random_uniform<std::int32_t>({3}, {1, 2}, -5, 11)) ==
        std::vector<std::int32_t>{7, -4, 9});
  CHECK(evaluate<std::uint64_t>(stateless_random_uniform<std::uint64_t>({1}, {1, 2})) ==
        std::vector<std::uint64_t>{7464880146280614444u});
  const auto normal = evaluate<double>(stateless_random_normal<double>({2}, {1, 2}, 10, 2));
  CHECK(normal[0] == Approx(10 + 2 * -0.1423118100189212));
  CHECK(evaluate<float>(stateless_truncated_normal<float>({1000}, {3, 4})) ==
        evaluate<float>(stateless_truncated_normal<float>({1000}, {3, 4})));
}

TEST_CASE("classes are drawn by their probability") {
  Building b;
  // 1/7, 2/7, 4/7 and never the last.
  const auto logits = constant<float>({{0.f, 0.6931472f, 1.3862944f, -1e30f}});
  const auto drawn = evaluate<std::int64_t>(stateless_multinomial(logits, 7000, {5, 6}));
  std::vector<int> counts(4);
  for (const std::int64_t one : drawn) ++counts.at(static_cast<std::size_t>(one));
  CHECK(counts[3] == 0);
  CHECK(std::abs(counts[0] - 1000) < 150);
  CHECK(std::abs(counts[1] - 2000) < 200);
}

TEST_CASE("a seed is two integers") {
  Building b;
  CHECK(stateless_random_uniform<float>(placeholder<int>({2}), {1, 2}).shape() ==
        PartialShape{-1, -1});
  CHECK_THROWS_WITH(stateless_random_uniform<float>({3}, {1, 2, 3}),
                    contains("seed must have shape [2]"));
  CHECK(multinomial(placeholder<double>({4, 3}), 5).shape() == PartialShape{4, 5});
  CHECK_THROWS_WITH(multinomial(placeholder<double>({4}), 5), contains("must have rank 2"));
  CHECK_THROWS_WITH(multinomial(placeholder<double>({4, 3}), -1),
                    contains("num_samples must not be negative"));
}
