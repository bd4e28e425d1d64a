#include <dgraph/graph/shape_context.hpp>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {

// Runs what a test wants to see of a context in the rule of a node with two inputs.
std::function<void(ShapeContext&)> probe;
struct Probe {
  static constexpr auto signature = "Probe(a: T, b: int32) -> (x: T, y: float32); T: type; k: int = 3";
  static void shape(ShapeContext& c) { probe(c); }
};
Output run(const Output& a, const Output& b, std::function<void(ShapeContext&)> rule) {
  probe = std::move(rule);
  return add_op<Probe>("probe", a, b);
}

}  // namespace

TEST_CASE("a rule sees inputs, dtypes and attributes, and sets outputs") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output node = run(feed("a", {2, -1}), feed("b", {3}, DType::Int32), [](ShapeContext& c) {
    CHECK(c.num_inputs() == 2);
    CHECK(c.num_outputs() == 2);
    CHECK(c.input(0) == PartialShape{2, -1});
    CHECK(c.input_dtype(1) == DType::Int32);
    CHECK(c.output_dtype(1) == DType::Float32);
    CHECK(c.attr<std::int64_t>("k") == 3);
    CHECK_THROWS_AS(c.attr("none"), Error);
    c.set_output(1, PartialShape{7});
  });
  CHECK_FALSE(nth(node, 0).shape().has_rank());
  CHECK(nth(node, 1).shape() == PartialShape{7});
}

TEST_CASE("ranks are asked for") {
  MiniGraph graph;
  const auto building = graph.as_default();
  run(feed("a", {2, -1}), feed("b", PartialShape(), DType::Int32), [](ShapeContext& c) {
    CHECK(c.with_rank(0, 2) == PartialShape{2, -1});
    CHECK(c.with_rank(1, 2) == PartialShape{-1, -1});
    CHECK(c.with_rank_at_least(0, 1) == PartialShape{2, -1});
    CHECK_FALSE(c.with_rank_at_least(1, 1).has_rank());
  });
  REQUIRE_THROWS_WITH(run(feed("c", {2}), feed("d", {}, DType::Int32), [](ShapeContext& c) { c.with_rank(0, 2); }),
                      contains("input 0 must have rank 2, not shape [2]") && contains("node probe"));
  REQUIRE_THROWS_WITH(run(feed("c", {2}), feed("d", {}, DType::Int32), [](ShapeContext& c) { c.with_rank_at_least(0, 2); }),
                      contains("rank 2 or more"));
}

TEST_CASE("an input's value is read as a shape as far as it is known") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output a = feed("a");
  const auto shape_of = [&](const Output& b) {
    PartialShape out;
    run(a, b, [&](ShapeContext& c) { out = c.as_shape(1); });
    return out;
  };
  CHECK(shape_of(constant({}, Tensor::vector<std::int32_t>({2, -1, 3}))) == PartialShape{2, -1, 3});
  CHECK(shape_of(feed("n", {2}, DType::Int32)) == PartialShape{-1, -1});
  CHECK_FALSE(shape_of(feed("m", {-1}, DType::Int32)).has_rank());
  REQUIRE_THROWS_WITH(shape_of(constant({}, Tensor::vector<std::int32_t>({2, -5}))), contains("negative"));
  run(a, constant({}, Tensor::scalar<std::int32_t>(4)), [](ShapeContext& c) {
    CHECK(c.constant(1)->item<std::int32_t>() == 4);
    CHECK(c.integers(1) == Dims{4});
    CHECK_FALSE(c.constant(0));
    CHECK_FALSE(c.integers(0));
  });
}
