#include <dgraph/ops/norms.hpp>

#include <limits>

#include <dgraph/ops/gather.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
using Floats = std::vector<float>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("norms of vectors and matrices") {
  Building b;
  const auto x = constant<float>({{3, -4}, {0, 12}});
  CHECK(evaluate<float>(norm(x)) == Floats{13});
  CHECK(evaluate<float>(norm(x, {}, {1})) == Floats{5, 12});
  CHECK(evaluate<float>(norm(x, 1, {1})) == Floats{7, 12});
  CHECK(evaluate<float>(norm(x, kInfinity, {0})) == Floats{3, 12});
  CHECK(evaluate<float>(norm(x, 3, {0}))[1] == test::Approx(std::cbrt(64.0 + 1728.0)));
  CHECK(evaluate<float>(norm(x, 1, {0, 1})) == Floats{16});
  CHECK(evaluate<float>(norm(x, kInfinity, {0, 1})) == Floats{12});
  CHECK(norm(x, 1, {0, 1}, true).shape().to_string() == "[1,1]");
  CHECK_THROWS_WITH(norm(x, 0), contains("above 0"));
  CHECK_THROWS_WITH(norm(x, 3, {0, 1}), contains("no norm of order 3"));
}

TEST_CASE("vectors of length one") {
  Building b;
  const auto x = constant<float>({{3, 4}, {0, 0}});
  CHECK(evaluate<float>(l2_normalize(x, {1})) == Floats{0.6f, 0.8f, 0, 0});
}

TEST_CASE("clipping by the norm leaves what is short, and zero with a gradient") {
  Building b;
  const auto x = constant<float>({{3, 4}, {0.3f, 0.4f}});
  const Floats clipped = evaluate<float>(clip_by_norm(x, 1.f, {1}));
  CHECK(clipped[0] == test::Approx(0.6));
  CHECK(clipped[2] == test::Approx(0.3));
  const auto zero = constant<float>({0, 0});
  CHECK(evaluate<float>(gradients(clip_by_norm(zero, 1.f), zero)) == Floats{1, 1});
}

TEST_CASE("clipping by the norm of all values together") {
  Building b;
  const std::vector<Op<float>> values{constant<float>({3, 0}), constant<float>({{4}})};
  CHECK(evaluate<float>(global_norm(values)) == Floats{5});
  const auto [clipped, had] = clip_by_global_norm(values, 2.5f);
  CHECK(evaluate<float>(had) == Floats{5});
  CHECK(evaluate<float>(clipped[0]) == Floats{1.5f, 0});
  CHECK(evaluate<float>(clipped[1]) == Floats{2});
  CHECK(evaluate<float>(clip_by_global_norm(values, 10.f).first[1]) == Floats{4});
  const std::vector<Op<float>> bad{constant<float>({std::numeric_limits<float>::infinity(), 1})};
  CHECK(std::isnan(evaluate<float>(clip_by_global_norm(bad, 1.f).first[0])[1]));
}

TEST_CASE("gradients that are none or sparse stay so") {
  Building b;
  const auto table = constant<float>({{1, 2}, {3, 4}, {5, 6}}), other = constant(1.f);
  const auto loss = reduce_sum(square(gather(table, constant<int>({1}))));
  const auto found = sparse_gradients({loss}, {table, other});
  const auto [clipped, had] = clip_by_global_norm(found, 1.0);
  CHECK(clipped[0].is_sparse());
  CHECK_FALSE(static_cast<bool>(clipped[1]));
  CHECK(evaluate<float>(had) == Floats{10});
  CHECK(evaluate<float>(clipped[0].values())[0] == test::Approx(0.6));
}
