#include <dgraph/ops/ctc.hpp>

#include <cmath>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {
struct Building {
  GraphCore core;
  DefaultGraph building{core};
};
}  // namespace

TEST_CASE("ctc_loss counts the ways to write a label") {
  Building b;
  // Two steps, the label and blank as likely: aa, a-, -a.
  const auto even = zeros<float>({2, 1, 2});
  const auto one = constant<std::int64_t>({{0, 0}});
  const auto loss = ctc_loss(one, constant<int>({0}), even, constant<int>({2}));
  CHECK(evaluate<float>(loss)[0] == test::Approx(-std::log(0.75)));
  // The same label twice needs a blank between, and so a third step.
  const auto two = constant<std::int64_t>({{0, 0}, {0, 1}});
  const auto twice =
      ctc_loss(two, constant<int>({0, 0}), zeros<float>({3, 1, 2}), constant<int>({3}));
  CHECK(evaluate<float>(twice)[0] == test::Approx(-std::log(0.125)));
  const CtcOptions ignore{.ignore_longer_outputs_than_inputs = true};
  const auto longer =
      ctc_loss(two, constant<int>({0, 0}), zeros<float>({3, 1, 2}), constant<int>({1}), ignore);
  CHECK(evaluate<float>(longer)[0] == 0);
  CHECK_THROWS_WITH(
      evaluate(ctc_loss(one, constant<int>({0}), zeros<float>({2, 2, 2}), constant<int>({2, 2}))),
      test::contains("zero in batch 1"));
}

TEST_CASE("the gradient of ctc_loss is that of the logits") {
  check_gradients(
      [](const std::vector<Output>& in) {
        const auto at = constant<std::int64_t>({{0, 0}, {0, 1}, {1, 0}});
        return ctc_loss(at, constant<int>({1, 0, 1}), Op<double>(in[0]), constant<int>({4, 2}));
      },
      {varied({4, 2, 3})});
}
