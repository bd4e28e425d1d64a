#include <dgraph/ops/checks.hpp>

#include "support/catch.hpp"

#include <cmath>

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

TEST_CASE("values held against something") {
  Building b;
  const auto x = placeholder<float>({-1, 3}, "x");
  CHECK(shape_of(ensure_shape(x, {2, -1})) == "[2,3]");
  CHECK_THROWS_WITH(ensure_shape(x, {2, 4}),
                    contains("not compatible with the expected shape [2,4]"));
  CHECK_THROWS_WITH(test::evaluate(check_numerics(constant<float>({1, INFINITY}), "loss")),
                    contains("loss : Tensor had Inf values"));
  CHECK_THROWS_WITH(test::evaluate(check_numerics(constant<double>({NAN, 1, -INFINITY}), "loss")),
                    contains("Inf and NaN"));
  CHECK(test::evaluate<float>(check_numerics(constant<float>({1, -0.0f}), "loss")) ==
        std::vector<float>{1, 0});
  check_gradients([](const Ins& in) { return check_numerics(ensure_shape(X(in[0]), {2}), "x"); },
                  {varied({2})});
}
