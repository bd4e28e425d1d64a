#include <dgraph/ops/gather_nd.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"

using namespace dgraph;
using dgraph::test::check_gradients;
using dgraph::test::contains;
using dgraph::test::varied;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::string shape_of(const Output& x) { return x.shape().to_string(); }
using Ins = std::vector<Output>;
using X = Op<double>;
using dgraph::test::doubles;

}  // namespace

TEST_CASE("slices by index vectors give shapes") {
  Building b;
  const auto x = placeholder<float>({5, 6, 7}, "x");
  CHECK(shape_of(gather_nd(x, placeholder<int>({-1, 2}))) == "[?,7]");
  CHECK(shape_of(gather_nd(x, placeholder<int>({4, -1}))) == "<unknown>");
  CHECK_THROWS_WITH(gather_nd(x, placeholder<int>({4, 4})), contains("index vectors of length 4"));
  CHECK(shape_of(scatter_nd(placeholder<std::int64_t>({4, 1}), placeholder<float>({4, 2}),
                            {3, 2})) == "[3,2]");
  CHECK_THROWS_WITH(scatter_nd(placeholder<int>({4, 1}), placeholder<float>({4, 3}), {3, 2}),
                    contains("updates must have shape [4,2]"));
  CHECK_THROWS_WITH(
      scatter_nd(placeholder<int>({4, 1}), placeholder<float>({4}), {std::int64_t{1} << 40}),
      contains("does not fit int32"));
  CHECK(shape_of(tensor_scatter_add(x, placeholder<int>({3, 1}), placeholder<float>({3, 6, 7}))) ==
        "[5,6,7]");
  CHECK_THROWS_WITH(tensor_scatter_add(x, placeholder<int>({3, 1}), placeholder<float>({3, 6})),
                    contains("updates must have shape [3,6,7]"));
}

TEST_CASE("the gradient of rows by index vectors of one is rows") {
  Building b;
  const auto table = placeholder<float>({100000, 8}, "table");
  const auto found = sparse_gradients({gather_nd(table, placeholder<int>({3, 1}, "at"))}, {table});
  REQUIRE(found[0].is_sparse());
  CHECK(test::expression_of(found[0].slices().indices) == "Reshape(at, [-1])");
}

TEST_CASE("gradients of slices by index vectors") {
  const Tensor x = varied({3, 2}), places = Tensor::of<std::int32_t>({3, 2}, {0, 1, 2, 0, 0, 1}),
               rows = Tensor::of<std::int64_t>({2, 1}, {2, 0});
  check_gradients([](const Ins& in) { return add_op<ops::GatherNd>({}, in[0], in[1]); },
                  {x, places});
  check_gradients([](const Ins& in) { return add_op<ops::GatherNd>({}, in[0], in[1]); }, {x, rows});
  check_gradients([](const Ins& in) { return add_op<ops::GatherNd>({}, in[0], in[1]); },
                  {x, Tensor::vector<std::int16_t>({1})});
  check_gradients([](const Ins& in) { return add_op<ops::ScatterNd>({}, in[1], in[0], in[2]); },
                  {varied({3}), places, Tensor::vector<std::int32_t>({3, 2})});
  check_gradients(
      [](const Ins& in) { return add_op<ops::TensorScatterUpdate>({}, in[0], in[1], in[2]); },
      {x, rows, doubles({2, 2}, {1, 2, 3, 4})});
  check_gradients(
      [](const Ins& in) { return add_op<ops::TensorScatterAdd>({}, in[0], in[1], in[2]); },
      {x, places, doubles({3}, {1, 2, 3})});
  check_gradients(
      [](const Ins& in) { return add_op<ops::TensorScatterSub>({}, in[0], in[1], in[2]); },
      {x, places, doubles({3}, {1, 2, 3})});
  for (const double by : {-1.0, 1.0}) {
    const Tensor updates = doubles({3}, {by * 3, 0.25, by * 5});
    const auto least = [](const Ins& in) {
      return add_op<ops::TensorScatterMin>({}, in[0], in[1], in[2]);
    };
    const auto most = [](const Ins& in) {
      return add_op<ops::TensorScatterMax>({}, in[0], in[1], in[2]);
    };
    check_gradients(least, {x, places, updates});
    check_gradients(most, {x, places, updates});
  }
}

TEST_CASE("equal elements share the gradient of the greatest") {
  Building b;
  const auto x = constant<double>({2, 7}), updates = constant<double>({2, 2, 1});
  const auto y = tensor_scatter_max(x, constant({{0}, {0}, {1}}), updates);
  const auto [dx, du] = gradients(y, std::tuple(x, updates));
  CHECK(test::evaluate<double>(dx) == std::vector<double>{1.0 / 3, 1});
  CHECK(test::evaluate<double>(du) == std::vector<double>{1.0 / 3, 1.0 / 3, 0});
}
