#include <dgraph/ops/sets.hpp>

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

TEST_CASE("sets give shapes, and several results at once") {
  Building b;
  const auto [y, idx] = unique(placeholder<float>({6}));
  CHECK(shape_of(y) == "[?]");
  CHECK(shape_of(idx) == "[6]");
  const auto [values, at, count] = unique_with_counts<std::int64_t>(constant({4, 4, 1}));
  CHECK(test::evaluate<int>(values) == std::vector<int>{4, 1});
  CHECK(test::evaluate<std::int64_t>(count) == std::vector<std::int64_t>{2, 1});
  const auto [left, from] = setdiff1d(constant({1, 2, 3, 2}), constant({1}));
  CHECK(test::evaluate<int>(left) == std::vector<int>{2, 3, 2});
  CHECK(test::evaluate<int>(from) == std::vector<int>{1, 2, 3});
  CHECK_THROWS_WITH(unique(placeholder<float>({2, 2})), contains("rank 1"));
}

TEST_CASE("searchsorted takes rows of any rank") {
  Building b;
  CHECK(test::evaluate<int>(searchsorted(constant({1, 3, 3}), constant({3, 0, 9}))) ==
        std::vector<int>{1, 0, 3});
  CHECK(test::evaluate<int>(searchsorted(constant({1, 3, 3}), constant({3, 0, 9}), "right")) ==
        std::vector<int>{3, 0, 3});
  const auto found = searchsorted<std::int64_t>(constant({{1, 3}, {5, 7}}), constant({{2}, {9}}));
  CHECK(shape_of(found) == "[2,1]");
  CHECK(test::evaluate<std::int64_t>(found) == std::vector<std::int64_t>{1, 2});
  CHECK_THROWS_WITH(searchsorted(constant({1}), constant({1}), "middle"), contains("middle"));
}
