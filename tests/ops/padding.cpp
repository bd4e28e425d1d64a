#include <dgraph/ops/padding.hpp>

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

TEST_CASE("paddings give shapes, and are checked where they are known") {
  Building b;
  const auto y = placeholder<float>({2, -1}, "y");
  CHECK(shape_of(pad(y, {{1, 0}, {2, 2}})) == "[3,?]");
  CHECK(shape_of(pad(y, {{1, 0}, {2, 2}}, 7)) == "[3,?]");
  CHECK(shape_of(pad(y, {{1, 0}, {2, 2}}, PadMode::Reflect, "mirrored")) == "[3,?]");
  CHECK(shape_of(pad(placeholder<float>(), {{1, 0}, {2, 2}})) == "[?,?]");
  CHECK(shape_of(pad(y, placeholder<std::int64_t>())) == "[?,?]");
  CHECK_THROWS_WITH(pad(y, {{2, 0}, {0, 0}}, PadMode::Reflect),
                    contains("more than the 1 elements"));
  CHECK_THROWS_WITH(pad(y, {{0, 3}, {0, 0}}, PadMode::Symmetric),
                    contains("more than the 2 elements"));
}

TEST_CASE("gradients of padding") {
  const Tensor x = varied({3, 2});
  check_gradients([](const Ins& in) { return pad(X(in[0]), {{1, 0}, {0, 2}}, 3); }, {x});
  for (const PadMode mode : {PadMode::Constant, PadMode::Reflect, PadMode::Symmetric}) {
    check_gradients([&](const Ins& in) { return pad(X(in[0]), {{2, 1}, {0, 1}}, mode); }, {x});
    check_second_gradients(
        [&](const Ins& in) {
          return pad(X(in[0]), {{2, 1}, {0, 1}}, mode);
        },
        {x});
  }
}
