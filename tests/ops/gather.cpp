#include <dgraph/ops/gather.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"
#include "numeric_gradient.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;
using dgraph::test::op_types;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::string shape_of(const Output& x) { return x.shape().to_string(); }
Op<std::int32_t> rows_of(const Tensor& rows) { return Op<std::int32_t>(constant_output(rows)); }

}  // namespace

TEST_CASE("gather's shape is that of the indices and of what each picks") {
  Building b;
  const auto x = placeholder<float>({5, 6, 7}, "x");
  const auto rows = placeholder<int>({2, 3}, "rows");
  CHECK(shape_of(gather(x, rows)) == "[2,3,6,7]");
  CHECK(shape_of(gather(x, rows, 1)) == "[5,2,3,7]");
  CHECK(shape_of(gather(x, rows, -1)) == "[5,6,2,3]");
  CHECK(shape_of(gather(x, 2)) == "[6,7]");
  CHECK(shape_of(gather(placeholder<float>({2, 6}), rows, 1, 1)) == "[2,3]");
  CHECK(shape_of(gather(placeholder<float>({2, 6, 4}), rows, 2, -1)) == "[2,6,3]");
  CHECK_THROWS_WITH(gather(x, rows, 3), contains("axis 3 is out of range"));
  CHECK_THROWS_WITH(gather(constant(1.f), rows), contains("rank 1 or more"));
  CHECK_THROWS_WITH(gather(x, rows, 1, 1), contains("differ in batch dimension 0"));
  CHECK_THROWS_WITH(gather(placeholder<float>({2, 6}), rows, 0, 1),
                    contains("must not be below batch_dims 1"));
}

TEST_CASE("the gradient of rows is rows: no dense matrix is made") {
  Building b;
  const auto table = placeholder<float>({100000, 8}, "table");
  const auto picked = gather(table, placeholder<int>({3}, "ids"));
  const auto before = b.core.size();
  const auto found = sparse_gradients({picked}, {table});
  REQUIRE(found[0].is_sparse());
  CHECK(expression_of(found[0].slices().indices) == "ids");
  CHECK(expression_of(found[0].slices().dense_shape) == "[100000,8]");
  CHECK(shape_of(found[0].values()) == "[3,8]");
  CHECK(op_types(b.core, before).count("UnsortedSegmentSum") == 0);
}

TEST_CASE("indices of rank 2 are flattened in the gradient") {
  Building b;
  const auto table = placeholder<float>({10, 8}, "table");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({2, 3, 8}, "dy")};
  const auto found =
      sparse_gradients({gather(table, placeholder<int>({2, 3}, "ids"))}, {table}, options);
  CHECK(expression_of(found[0].values()) == "Reshape(dy, [6,8])");
  CHECK(expression_of(found[0].slices().indices) == "Reshape(ids, [-1])");
}

TEST_CASE("gather along another axis sums slices by index") {
  Building b;
  const auto x = placeholder<float>({5, 6}, "x");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({5, 3}, "dy")};
  const auto dx = gradients(gather(x, placeholder<int>({3}, "ids"), 1), x, options);
  CHECK(shape_of(dx) == "[5,6]");
  CHECK_THAT(expression_of(dx),
             contains("UnsortedSegmentSum(Reshape(Transpose(Reshape(dy, [1,5,3,1])"));
}

TEST_CASE(
    "gather's gradient along any axis, with batches, constant or fed, of known or unknown rank") {
  const Tensor x = test::varied({2, 3, 2}), rows = Tensor::of<std::int32_t>({2, 2}, {1, 0, 1, 1});
  for (const std::int64_t axis : {0, 1, 2, -1, -3})
    test::check_gradients(
        [&](const auto& in) { return gather(Op<double>(in[0]), rows_of(rows), axis); }, {x});
  for (const std::int64_t axis : {1, 2})
    test::check_gradients(
        [&](const auto& in) { return gather(Op<double>(in[0]), rows_of(rows), axis, 1); }, {x});
  for (const std::int32_t axis : {0, 2, -2})
    test::check_gradients(
        [&](const auto& in) { return add_op<ops::GatherV2>({}, in[0], in[1], in[2]); },
        {x, Tensor::of<std::int64_t>({1}, {1}), Tensor::scalar(axis)});
  test::check_gradients(
      [&](const auto& in) {
        return add_op<ops::GatherV2>({}, in[0], in[1], in[2], "batch_dims", -1);
      },
      {x, rows, Tensor::scalar<std::int64_t>(-1)});
}

TEST_CASE("one-hot") {
  Building b;
  const auto ids = placeholder<int>({4}, "ids");
  CHECK(shape_of(one_hot(ids, 5)) == "[4,5]");
  CHECK(shape_of(one_hot<int>(ids, 5, 1, 0, 0)) == "[5,4]");
  CHECK(one_hot(ids, 5).dtype() == DType::Float32);
  CHECK_THROWS_WITH(one_hot(ids, -1), contains("depth is negative"));
  CHECK_THROWS_WITH(one_hot(ids, 5, 1.f, 0.f, 2), contains("out of range"));
}
