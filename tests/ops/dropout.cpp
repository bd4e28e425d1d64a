#include <dgraph/ops/dropout.hpp>

#include <algorithm>

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
}  // namespace

TEST_CASE("dropout keeps a part and scales it up") {
  Building b;
  const auto x = ones<float>({1000});
  const auto y = dropout(x, 0.25f, {.seed = 7});
  Evaluator run;
  const Floats got = run.flat<float>(y);
  const auto kept = std::count(got.begin(), got.end(), 4.f);
  CHECK(std::count(got.begin(), got.end(), 0.f) + kept == 1000);
  CHECK(kept > 180);
  CHECK(kept < 320);
  // The gradient goes where the value was kept.
  CHECK(run.flat<float>(gradients(y, x)) == got);
}

TEST_CASE("dropout of whole rows, of nothing, and of what is not finite") {
  Building b;
  const auto x = ones<float>({50, 2});
  const Floats rows = evaluate<float>(dropout(x, 0.5f, {.noise_shape = {{50, 1}}, .seed = 3}));
  for (std::size_t i = 0; i < 100; i += 2) CHECK(rows[i] == rows[i + 1]);
  CHECK(std::count(rows.begin(), rows.end(), 0.f) > 0);
  CHECK(evaluate<float>(dropout(x, 1.f)) == Floats(100, 1.f));
  const auto huge = fill({64}, std::numeric_limits<float>::infinity());
  const Floats left = evaluate<float>(dropout(huge, 0.5f, {.seed = 3}));
  CHECK(std::count(left.begin(), left.end(), 0.f) > 0);
  CHECK_THROWS_WITH(dropout(x, 0.f), contains("keep_prob"));
  CHECK_THROWS_WITH(dropout(x, 1.5f), contains("keep_prob"));
}
