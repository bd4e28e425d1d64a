#include <dgraph/ops/partition.hpp>

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

}  // namespace

TEST_CASE("dealing out and stitching give shapes") {
  Building b;
  const auto x = placeholder<float>({4, 3}, "x");
  const auto parts = dynamic_partition(x, placeholder<int>({4}), 2);
  REQUIRE(parts.size() == 2);
  CHECK(shape_of(parts[1]) == "[?,3]");
  CHECK_THROWS_WITH(dynamic_partition(x, placeholder<int>({3}), 2), contains("no prefix"));
  CHECK(shape_of(dynamic_stitch<float>({constant({0, 5}), constant(2)},
                                       {placeholder<float>({2, 3}), placeholder<float>({-1})})) ==
        "[6,3]");
  CHECK(shape_of(dynamic_stitch<float>({placeholder<int>({2})}, {placeholder<float>({2, 3})})) ==
        "[?,3]");
  CHECK_THROWS_WITH(dynamic_stitch<float>({constant({0, 5})}, {placeholder<float>({3})}),
                    contains("does not fit"));
}

TEST_CASE("gradients of dealing out and stitching") {
  const Tensor x = varied({2, 2, 2}), to = Tensor::of<std::int32_t>({2, 2}, {2, 0, 0, 2});
  check_gradients(
      [](const Ins& in) {
        const auto parts = dynamic_partition(X(in[0]), Op<std::int32_t>(in[1]), 3);
        return concat<double>({parts[0] * 2, parts[1], parts[2] * 3}, 0);
      },
      {x, to});
  check_gradients(
      [](const Ins& in) {
        return add_op<ops::DynamicStitch>({}, std::vector<Output>{in[2], in[3]},
                                          std::vector<Output>{in[0], in[1]});
      },
      {varied({2, 2}), varied({2}), Tensor::vector<std::int32_t>({3, 0}),
       Tensor::scalar<std::int32_t>(1)});
}
