#include <dgraph/ops/training_functions.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/standard.hpp>

using namespace dgraph;
using dgraph::test::contains;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

}  // namespace

TEST_CASE("an update takes variables, numbers, arrays and graph values") {
  Building b;
  const auto w = variable("w", zeros<float>({2}));
  const auto m = variable("m", zeros<float>({2}));
  const auto lr = placeholder<float>({});
  const Op<float> step = apply_momentum(w, m, lr, std::vector<float>{1, 2}, 0.9, true, "step");
  CHECK(step.name() == "step");
  CHECK(step.op_type() == "ApplyMomentum");
  CHECK(step.is_ref());
  CHECK(step.shape() == PartialShape{2});
  CHECK(step.node().attr<bool>("use_nesterov"));
  CHECK(step.node().inputs[1].node == m.ref().node_id());
}

TEST_CASE("gradients have the variable's shape, rows of it with indices") {
  Building b;
  const auto w = variable("w", zeros<double>({4, 2}));
  const auto s = variable("s", zeros<double>({4, 2}));
  CHECK_THROWS_WITH(apply_adagrad(w, s, 0.1, zeros<double>({2, 4})), contains("grad has [2,4]"));
  CHECK_THROWS_WITH(apply_adagrad(w, s, zeros<double>({1}), zeros<double>({4, 2})),
                    contains("must have rank 0"));
  CHECK(sparse_apply_adagrad(w, s, 0.1, zeros<double>({3, 2}), {0, 1, 1}).shape() ==
        PartialShape{4, 2});
  CHECK_THROWS_WITH(sparse_apply_adagrad(w, s, 0.1, zeros<double>({4, 2}), {0, 1, 1}),
                    contains("grad must have shape [3,2]"));
}
