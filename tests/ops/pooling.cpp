#include <dgraph/ops/pooling.hpp>

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

TEST_CASE("pools move by their own size unless told") {
  Building b;
  const auto x = reshape(constant<float>({1, 2, 3, 4, 5, 6, 7, 8}), {1, 2, 4, 1});
  CHECK(evaluate<float>(max_pool(x, {2, 2})) == Floats{6, 8});
  CHECK(evaluate<float>(avg_pool(x, {2})) == Floats{3.5f, 5.5f});
  CHECK(evaluate<float>(max_pool(x, {1, 2}, {.strides = {1}})) == Floats{2, 3, 4, 6, 7, 8});
  CHECK(evaluate<float>(max_pool(x, {2, 2}, {.padding = {{1, 0}, {1, 1}}})) == Floats{1, 3, 4});
  CHECK(evaluate<float>(avg_pool3d(reshape(x, {1, 2, 2, 2, 1}), {2, 1, 2})) == Floats{3.5f, 5.5f});
  const auto [most, where] = max_pool_with_argmax(x, {2, 2});
  CHECK(evaluate<float>(most) == Floats{6, 8});
  CHECK(evaluate<std::int64_t>(where) == std::vector<std::int64_t>{5, 7});
  CHECK_THROWS_WITH(max_pool(x, {2, 2}, {.dilations = {2}}), contains("dilations"));
  CHECK_THROWS_WITH(max_pool(x, {4, 4}, {.strides = {1}}), contains("does not fit"));
}

TEST_CASE("gradients of pooling, of both orders") {
  const auto most = [](const std::vector<Output>& in) {
    return max_pool(Op<double>(in[0]), {2, 2}, {.strides = {1}, .padding = "SAME"});
  };
  check_gradients(most, {varied({2, 3, 3, 2})});
  check_second_gradients(most, {varied({1, 3, 3, 2})}, 1e-5);
  const auto where = [](const std::vector<Output>& in) {
    return max_pool_with_argmax(Op<double>(in[0]), {2, 2}, {.strides = {1}}).first;
  };
  check_gradients(where, {varied({2, 3, 3, 2})});
  check_second_gradients(where, {varied({1, 3, 3, 2})}, 1e-5);
  const auto mean = [](const std::vector<Output>& in) {
    return avg_pool(Op<double>(in[0]), {2, 3}, {.strides = {2, 1}, .padding = "SAME"});
  };
  check_gradients(mean, {varied({1, 3, 4, 2})});
  check_second_gradients(mean, {varied({1, 3, 4, 2})}, 1e-5);
}
