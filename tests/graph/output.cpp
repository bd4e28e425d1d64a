#include <dgraph/graph/output.hpp>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

TEST_CASE("handles are small and compare by what they name") {
  STATIC_REQUIRE(sizeof(Op<float>) == 16);
  STATIC_REQUIRE(sizeof(Op<void>) == 16);
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x");
  CHECK(x == graph.output("x"));
  CHECK_FALSE(x == feed("y"));
  CHECK_FALSE(static_cast<bool>(Output()));
  CHECK(Output().name() == "none");
}

TEST_CASE("an output tells its dtype, shape, op type and name") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x", {2, -1}, DType::Int32);
  CHECK(x.dtype() == DType::Int32);
  CHECK(x.shape() == PartialShape{2, -1});
  CHECK(x.op_type() == "Feed");
  CHECK_FALSE(x.is_ref());
  const Output parts = add_op<Split>("s", x, "num", 3);
  CHECK(parts.name() == "s");
  CHECK(nth(parts, 2).name() == "s:2");
  const Output store = add_op<Store>("v", "dtype", DType::Float32, "shape", PartialShape{3});
  CHECK(store.is_ref());
  CHECK(add_op<Join>("j").dtype() == DType::Invalid);
}

TEST_CASE("a typed handle refuses another dtype and names the node") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x");
  CHECK(Op<float>(x) == x);
  REQUIRE_THROWS_WITH(Op<int>(x), contains("x") && contains("Feed") && contains("float32") && contains("int32"));
  const Op<void> effect = Op<float>(x);
  CHECK(effect.node_id() == x.node_id());
  CHECK_FALSE(static_cast<bool>(Op<float>()));
}
