#include <dgraph/graph/constant_value.hpp>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "graph/mini_ops.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

// Ops by the names that the evaluator knows, as the standard set has them.
struct Shape_ {
  static constexpr auto signature = "Shape(input: T) -> (output: int32); T: type";
  static void shape(ShapeContext& c) {
    c.set_output(0, c.input(0).has_rank() ? PartialShape{static_cast<std::int64_t>(c.input(0).rank())} : PartialShape{-1});
  }
};
struct Size {
  static constexpr auto signature = "Size(input: T) -> (output: int32); T: type";
};
struct Rank {
  static constexpr auto signature = "Rank(input: T) -> (output: int32); T: type";
};
struct Pack {
  static constexpr auto signature = "Pack(values: N * T) -> (output: T); N: int >= 1; T: type; axis: int = 0";
};
struct ConcatV2 {
  static constexpr auto signature = "ConcatV2(values: N * T, axis: int32) -> (output: T); N: int >= 2; T: type";
};
struct Sub {
  static constexpr auto signature = "Sub(x: T, y: T) -> (z: T); T: {number}";
};
struct FloorDiv {
  static constexpr auto signature = "FloorDiv(x: T, y: T) -> (z: T); T: {number}";
};
struct Fill {
  static constexpr auto signature = "Fill(dims: int32, value: T) -> (output: T); T: type";
};
struct Range {
  static constexpr auto signature = "Range(start: int32, limit: int32, delta: int32) -> (output: int32)";
};
struct Gather {
  static constexpr auto signature = "Gather(params: T, indices: int32) -> (output: T); T: type";
};
struct StridedSlice {
  static constexpr auto signature =
      "StridedSlice(input: T, begin: int32, end: int32, strides: int32) -> (output: T); T: type; begin_mask: int = 0; "
      "end_mask: int = 0; ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0";
};

std::optional<Dims> value(const Output& x) { return constant_integers(*x.core(), x.endpoint()); }
Output ints(std::initializer_list<std::int32_t> x) { return constant({}, Tensor::vector<std::int32_t>(x)); }
Output one(std::int32_t x) { return constant({}, Tensor::scalar(x)); }
constexpr std::int64_t kOpen = kUnknownValue;

}  // namespace

TEST_CASE("constants are seen through Identity") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output c = constant("c", Tensor::vector<float>({1, 2}));
  const Output twice = add_op<Identity>({}, add_op<Identity>({}, c));
  CHECK(constant_tensor(graph.core(), twice.endpoint())->flat<float>()[1] == 2);
  CHECK_FALSE(constant_tensor(graph.core(), feed("x").endpoint()));
  CHECK(value(ints({3, 4})) == Dims{3, 4});
  CHECK(value(constant({}, Tensor::scalar<std::int64_t>(7))) == Dims{7});
  CHECK_FALSE(value(constant({}, Tensor::zeros(DType::Int32, Shape{2, 2}))));
}

TEST_CASE("what is known of a shape is known of its parts") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output x = feed("x", {-1, 28, 3}), any = feed("any");
  const Output shape = add_op<Shape_>({}, x);
  CHECK(value(shape) == Dims{kOpen, 28, 3});
  CHECK(value(add_op<Rank>({}, x)) == Dims{3});
  CHECK(value(add_op<Size>({}, x)) == Dims{kOpen});
  CHECK(value(add_op<Size>({}, feed("y", {2, 5}))) == Dims{10});
  CHECK_FALSE(value(add_op<Shape_>({}, any)));
  CHECK(value(add_op<Rank>({}, any)) == Dims{kOpen});
}

TEST_CASE("work is bounded where paths multiply") {
  MiniGraph graph;
  const auto building = graph.as_default();
  Output x = ints({1});
  for (int i = 0; i < 30; ++i) x = add_op<Sub>({}, add_op<Mul>({}, x, x), x);
  CHECK_FALSE(value(x).has_value());
}

TEST_CASE("parts are joined, cut and picked") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output shape = add_op<Shape_>({}, feed("x", {-1, 28, 3}));
  CHECK(value(add_op<Pack>({}, std::vector<Output>{one(4), add_op<Rank>({}, feed("y", {1}))})) == Dims{4, 1});
  CHECK(value(add_op<ConcatV2>({}, std::vector<Output>{ints({9}), shape}, one(0))) == Dims{9, kOpen, 28, 3});
  CHECK(value(add_op<StridedSlice>({}, shape, ints({1}), ints({3}), ints({1}))) == Dims{28, 3});
  CHECK(value(add_op<StridedSlice>({}, shape, ints({-1}), ints({0}), ints({1}), "shrink_axis_mask", 1)) == Dims{3});
  CHECK(value(add_op<StridedSlice>({}, shape, ints({1}), ints({0}), ints({1}), "end_mask", 1)) == Dims{28, 3});
  CHECK(value(add_op<StridedSlice>({}, shape, ints({0}), ints({3}), ints({2}))) == Dims{kOpen, 3});
  CHECK(value(add_op<StridedSlice>({}, shape, ints({2}), ints({0}), ints({-1}))) == Dims{3, 28});
  CHECK(value(add_op<Fill>({}, ints({3}), one(7))) == Dims{7, 7, 7});
  CHECK(value(add_op<Range>({}, one(0), add_op<Rank>({}, feed("z", {1, 1, 1})), one(1))) == Dims{0, 1, 2});
  CHECK(value(add_op<Range>({}, one(5), one(0), one(-2))) == Dims{5, 3, 1});
  CHECK(value(add_op<Gather>({}, shape, one(1))) == Dims{28});
  CHECK(value(add_op<Gather>({}, shape, ints({2, 0}))) == Dims{3, kOpen});
}

TEST_CASE("arithmetic keeps what is known and does not overflow") {
  MiniGraph graph;
  const auto building = graph.as_default();
  const Output shape = add_op<Shape_>({}, feed("x", {-1, 28}));
  CHECK(value(add_op<Mul>({}, shape, one(2))) == Dims{kOpen, 56});
  CHECK(value(add_op<Sub>({}, ints({5, 6}), ints({7, 1}))) == Dims{-2, 5});
  CHECK(value(add_op<FloorDiv>({}, ints({-7, 7}), one(2))) == Dims{-4, 3});
  CHECK(value(add_op<FloorDiv>({}, ints({-7, 7}), one(0))) == Dims{kOpen, kOpen});
  const Output big = constant({}, Tensor::scalar(std::numeric_limits<std::int64_t>::max()));
  CHECK(value(add_op<Mul>({}, big, big)) == Dims{kOpen});
}

TEST_CASE("deep chains end, unknown values have their length") {
  MiniGraph graph;
  const auto building = graph.as_default();
  Output x = ints({1, 2});
  for (int i = 0; i < 100; ++i) x = add_op<Identity>({}, x);
  CHECK(value(x) == Dims{kOpen, kOpen});
  CHECK(value(feed("v", {2}, DType::Int32)) == Dims{kOpen, kOpen});
  CHECK_FALSE(value(feed("w", {-1}, DType::Int32)));
}
