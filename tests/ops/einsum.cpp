#include <dgraph/ops/einsum.hpp>

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

TEST_CASE("einsum of one, two and more values") {
  Building b;
  const auto a = constant<float>({{1, 2}, {3, 4}}), v = constant<float>({1, 10});
  CHECK(evaluate<float>(einsum("ij,j->i", a, v)) == Floats{21, 43});
  CHECK(evaluate<float>(einsum("ij, jk -> ki", a, a)) == Floats{7, 15, 10, 22});
  CHECK(evaluate<float>(einsum("ii", a)) == Floats{5});
  CHECK(evaluate<float>(einsum("ba", a)) == Floats{1, 3, 2, 4});
  CHECK(evaluate<float>(einsum("i,ij,j->", v, a, v)) == Floats{1 + 20 + 30 + 400});
  CHECK(evaluate<float>(einsum("...j,j->...", a, v)) == Floats{21, 43});
  CHECK(evaluate<float>(einsum("i->ii", v)) == Floats{1, 0, 0, 10});
  CHECK_THROWS_WITH(einsum("ij,jk->il", a, a), contains("'l'"));
  CHECK_THROWS_WITH(einsum("ijk->i", a), contains("rank"));
  CHECK_THROWS_WITH(einsum("ij,j->i", a), contains("inputs"));
}

TEST_CASE("gradients of three factors, of both orders") {
  const auto product = [](const std::vector<Output>& in) {
    return einsum("bi,ijk,bj->bk", Op<double>(in[0]), Op<double>(in[1]), Op<double>(in[2]));
  };
  const std::vector<Tensor> xs{varied({2, 3}), varied({3, 2, 4}), varied({2, 2})};
  check_gradients(product, xs);
  check_second_gradients(product, xs, 1e-5);
}
