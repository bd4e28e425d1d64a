#include <dgraph/ops/losses.hpp>

#include <cmath>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/evaluate.hpp"
#include "ops/numeric_gradient.hpp"
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

TEST_CASE("the cross entropy of sigmoids neither overflows nor cancels") {
  Building b;
  const auto x = constant<float>({0, 100, -100, 50});
  const auto z = constant<float>({0.25f, 0, 1, 1});
  const Floats loss = evaluate<float>(sigmoid_cross_entropy_with_logits(z, x));
  CHECK(loss[0] == test::Approx(std::log(2.0)));
  CHECK(loss[1] == 100);
  CHECK(loss[2] == 100);
  CHECK(loss[3] == test::Approx(std::exp(-50.0)));
  const auto slope = gradients(sigmoid_cross_entropy_with_logits(z, x), x);
  CHECK(evaluate<float>(slope)[0] == test::Approx(0.25));
  CHECK_THROWS_WITH(sigmoid_cross_entropy_with_logits(constant<float>({1, 2}), x),
                    contains("one shape"));
}

TEST_CASE("a weight of what the labels say") {
  Building b;
  const auto x = constant<float>({1, 1}), z = constant<float>({1, 0});
  const Floats loss = evaluate<float>(weighted_cross_entropy_with_logits(z, x, 3.f));
  CHECK(loss[0] == test::Approx(3 * std::log1p(std::exp(-1.0))));
  CHECK(loss[1] == test::Approx(1 + std::log1p(std::exp(-1.0))));
  const auto build = [](const std::vector<Output>& in) {
    return weighted_cross_entropy_with_logits(Op<double>(in[0]), Op<double>(in[1]),
                                              Op<double>(in[2]));
  };
  check_gradients(build, {varied({4}), varied({4}), doubles({}, {1.5})});
}

TEST_CASE("cross entropies of softmax over the last of several dimensions") {
  Building b;
  const auto logits = zeros<float>({2, 3, 4});
  const auto numbers = zeros<int>({2, 3});
  const auto sparse = sparse_softmax_cross_entropy_with_logits(numbers, logits);
  CHECK(sparse.shape().to_string() == "[2,3]");
  CHECK(evaluate<float>(sparse)[5] == test::Approx(std::log(4.0)));
  const auto dense = softmax_cross_entropy_with_logits(fill({2, 3, 4}, 0.25f), logits);
  CHECK(dense.shape().to_string() == "[2,3]");
  CHECK(evaluate<float>(dense)[5] == test::Approx(std::log(4.0)));
  const auto one =
      softmax_cross_entropy_with_logits(constant<float>({1, 0}), constant<float>({0, 0}));
  CHECK(one.shape().to_string() == "[]");
  CHECK(evaluate<float>(one)[0] == test::Approx(std::log(2.0)));
  CHECK_THROWS_WITH(sparse_softmax_cross_entropy_with_logits(zeros<int>({2}), logits),
                    contains("one dimension less"));
  check_gradients(
      [](const std::vector<Output>& in) {
        const auto labels = reshape(constant<double>({0.25, 0.75, 1, 0}), {2, 1, 2});
        return softmax_cross_entropy_with_logits(labels, Op<double>(in[0]));
      },
      {varied({2, 1, 2})});
}
