#include <dgraph/ops/sparse_segment.hpp>

#include "support/catch.hpp"

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

}  // namespace

TEST_CASE("picked segments give shapes") {
  Building b;
  const auto data = placeholder<float>({-1, 3}, "data");
  const auto at = placeholder<int>({4}, "at");
  CHECK(shape_of(sparse_segment_sum(data, at, placeholder<int>({4}))) == "[?,3]");
  CHECK(shape_of(sparse_segment_mean(data, at, placeholder<int>({4}), 9)) == "[9,3]");
  CHECK(shape_of(sparse_segment_sqrt_n(data, at, constant({0, 0, 1, 4}))) == "[5,3]");
  CHECK_THROWS_WITH(sparse_segment_sum(data, at, placeholder<int>({3})),
                    contains("must have one shape"));
}

TEST_CASE("gradients of picked segments, dense and sparse") {
  const Tensor x = varied({4, 2}), at = Tensor::vector<std::int32_t>({3, 0, 3, 1}),
               ids = Tensor::vector<std::int64_t>({0, 0, 0, 2}),
               count = Tensor::scalar<std::int32_t>(4);
  for (const bool sparse : {false, true}) {
    const auto check = [&](auto build) {
      check_gradients(build, {x, at, ids, count});
      check_second_gradients(build, {x, at, ids, count});
    };
    check([=](const Ins& in) {
      return add_op<ops::SparseSegmentSum>({}, in[0], in[1], in[2], "sparse_gradient", sparse);
    });
    check([=](const Ins& in) {
      return add_op<ops::SparseSegmentMean>({}, in[0], in[1], in[2], "sparse_gradient", sparse);
    });
    check([=](const Ins& in) {
      return add_op<ops::SparseSegmentSqrtN>({}, in[0], in[1], in[2], "sparse_gradient", sparse);
    });
    check([=](const Ins& in) {
      return add_op<ops::SparseSegmentMeanWithNumSegments>({}, in[0], in[1], in[2], in[3],
                                                           "sparse_gradient", sparse);
    });
  }
}

TEST_CASE("with sparse_gradient the gradient is rows") {
  Building b;
  const auto table = placeholder<float>({100000, 8}, "table");
  const Output y = add_op<ops::SparseSegmentSum>({}, table, placeholder<int>({3}),
                                                 placeholder<int>({3}), "sparse_gradient", true);
  CHECK(sparse_gradients({y}, {table})[0].is_sparse());
}
