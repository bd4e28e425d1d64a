#include <dgraph/ops/sparse.hpp>

#include "support/catch.hpp"

#include <complex>

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"

using namespace dgraph;
using dgraph::test::check_gradients;
using dgraph::test::check_second_gradients;
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

TEST_CASE("sparse tensors give shapes") {
  Building b;
  const auto at = placeholder<std::int64_t>({-1, 2}, "at");
  CHECK(shape_of(sparse_to_dense(at, {4, 5}, placeholder<float>({-1}))) == "[4,5]");
  CHECK_THROWS_WITH(sparse_to_dense(at, {4}, placeholder<float>({-1})),
                    contains("name no elements of shape [4]"));
  const SparseTensor<float> a{at, placeholder<float>({-1}), constant<std::int64_t>({4, 5})};
  CHECK(shape_of(sparse_tensor_dense_matmul(a, placeholder<float>({5, 7}))) == "[4,7]");
  CHECK(shape_of(sparse_tensor_dense_matmul(a, placeholder<float>({-1, 4}), true, true)) ==
        "[5,?]");
  CHECK_THROWS_WITH(sparse_tensor_dense_matmul(a, placeholder<float>({4, 7})),
                    contains("cannot be multiplied"));
}

TEST_CASE("gradients of sparse tensors") {
  const Tensor at = Tensor::of<std::int64_t>({3, 2}, {0, 1, 1, 0, 1, 2}),
               dims = Tensor::vector<std::int64_t>({2, 3});
  check_gradients(
      [](const Ins& in) { return add_op<ops::SparseToDense>({}, in[2], in[3], in[0], in[1]); },
      {varied({3}), doubles({}, {0.5}), at, dims});
  check_gradients(
      [](const Ins& in) { return add_op<ops::SparseToDense>({}, in[2], in[3], in[0], in[1]); },
      {doubles({}, {2}), doubles({}, {0.5}), Tensor::vector<std::int64_t>({0, 2}),
       Tensor::vector<std::int64_t>({4})});
  for (const bool left : {false, true})
    for (const bool right : {false, true}) {
      const std::int64_t inner = left ? 2 : 3;
      const auto build = [=](const Ins& in) {
        return add_op<ops::SparseTensorDenseMatMul>({}, in[2], in[0], in[3], in[1], "adjoint_a",
                                                    left, "adjoint_b", right);
      };
      check_gradients(build,
                      {varied({3}), varied(right ? Shape{2, inner} : Shape{inner, 2}), at, dims});
      check_second_gradients(
          build, {varied({3}), varied(right ? Shape{2, inner} : Shape{inner, 2}), at, dims});
    }
}

TEST_CASE("the product of complex matrices conjugates what is adjoint") {
  using C = std::complex<double>;
  Building b;
  const SparseTensor<C> a{constant<std::int64_t>({{0, 1}}), constant<C>({C(1, 2)}),
                          constant<std::int64_t>({1, 2})};
  const auto x = constant<C>({{C(0, 1)}});
  CHECK(test::evaluate<C>(sparse_tensor_dense_matmul(a, x, true, true)) ==
        std::vector<C>{0, C(1, -2) * C(0, -1)});
}

TEST_CASE("lookups of many ids a row") {
  Building b;
  const auto table = placeholder<double>({4, 2}, "table");
  const SparseTensor<std::int64_t> ids{constant<std::int64_t>({{0, 0}, {0, 1}, {2, 0}, {2, 1}}),
                                       constant<std::int64_t>({3, 1, 3, 3}),
                                       constant<std::int64_t>({3, 2})};
  const SparseTensor<double> weights{ids.indices, constant<double>({1, 3, 2, 2}), ids.dense_shape};
  const auto values = [&](const Op<double>& y) {
    test::Evaluator run;
    run.feed(table, Tensor::of<double>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 9}));
    return run.flat<double>(y);
  };
  CHECK(values(embedding_lookup_sparse(table, ids, "sum")) ==
        std::vector<double>{10, 13, 0, 0, 14, 18});
  CHECK(values(embedding_lookup_sparse(table, ids)) == std::vector<double>{5, 6.5, 0, 0, 7, 9});
  CHECK(values(embedding_lookup_sparse(table, ids, weights, "sum")) ==
        std::vector<double>{16, 21, 0, 0, 28, 36});
  const auto mean = values(embedding_lookup_sparse(table, ids, weights, "mean"));
  CHECK(std::vector<double>(mean.begin(), mean.begin() + 2) == std::vector<double>{4, 5.25});
  CHECK(values(embedding_lookup_sparse(table, ids, weights, "sqrtn"))[4] ==
        test::Approx(28 / std::sqrt(8.0)));
  CHECK(sparse_gradients({embedding_lookup_sparse(table, ids)}, {table})[0].is_sparse());
  CHECK_THROWS_WITH(embedding_lookup_sparse(table, ids, "median"), contains("median"));
}
