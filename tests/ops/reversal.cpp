#include <dgraph/ops/reversal.hpp>

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

TEST_CASE("reversing keeps the shape and says what does not fit") {
  Building b;
  const auto x = placeholder<float>({2, -1}, "x");
  CHECK(shape_of(reverse(x, {1})) == "[2,?]");
  CHECK_THROWS_WITH(reverse(x, {2}), contains("axis 2 is out of range"));
  CHECK_THROWS_WITH(reverse(x, {0, -2}), contains("reversed twice"));
  CHECK(shape_of(reverse_sequence(placeholder<float>({-1, 4}), {1, 2}, 1)) == "[2,4]");
  CHECK_THROWS_WITH(reverse_sequence(x, {1, 2}, 1, 1), contains("two different dimensions"));
  CHECK_THROWS_WITH(reverse_sequence(x, {1, 2, 3}, 1), contains("3 lengths"));
  CHECK(shape_of(roll(x, {1}, {0})) == "[2,?]");
  CHECK_THROWS_WITH(roll(x, {1, 2}, {0}), contains("one shape"));
  CHECK_THROWS_WITH(roll(x, {1}, {5}), contains("axis 5"));
}

TEST_CASE("gradients of reversing") {
  const Tensor x = varied({2, 3, 2});
  check_gradients([](const Ins& in) { return reverse(X(in[0]), {0, -1}); }, {x});
  check_gradients([](const Ins& in) { return reverse_sequence(X(in[0]), {3, 2}, 1); }, {x});
  check_gradients([](const Ins& in) { return roll(X(in[0]), {1, -2, 3}, {0, 1, 1}); }, {x});
}
