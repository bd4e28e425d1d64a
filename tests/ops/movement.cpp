#include <dgraph/ops/movement.hpp>

#include "support/catch.hpp"

#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>

#include "graph_text.hpp"

using namespace dgraph;
using dgraph::test::contains;
using dgraph::test::expression_of;

namespace {

struct Building {
  GraphCore core;
  DefaultGraph building{core};
};

std::string shape_of(const Output& x) { return x.shape().to_string(); }

// The gradient of sum(dy * y) as an expression.
template <class Y, class X>
std::string gradient_of(const Y& y, const X& x, PartialShape dy_shape) {
  GradientOptions options;
  options.grad_ys = {placeholder<float>(dy_shape, "dy")};
  return expression_of(gradients(y, x, options));
}

}  // namespace

TEST_CASE("transpose permutes what is known of the shape") {
  Building b;
  const auto x = placeholder<float>({2, -1, 4}, "x");
  CHECK(shape_of(transpose(x, {2, 0, 1})) == "[4,2,?]");
  CHECK(shape_of(transpose(x)) == "[4,?,2]");
  CHECK(shape_of(transpose(x, placeholder<int>({3}))) == "[?,?,?]");
  CHECK_THROWS_WITH(transpose(x, {0, 1}), contains("a permutation of 2 dimensions for a tensor of shape [2,?,4]"));
  CHECK_THROWS_WITH(transpose(x, {0, 0, 1}), contains("dimension 0 is twice"));
  CHECK_THROWS_WITH(transpose(x, {0, 1, 3}), contains("out of range"));
  CHECK(gradient_of(transpose(x, {2, 0, 1}), x, {4, 2, 3}) == "Transpose(dy, [1,2,0])");
  const auto perm = placeholder<int>({3}, "perm");
  CHECK(gradient_of(transpose(x, perm), x, {4, 2, 3}) == "Transpose(dy_1, InvertPermutation(perm))");
}

TEST_CASE("transpose of a value of unknown rank reverses its axes at run time") {
  Building b;
  const auto x = placeholder<float>({}, "x");
  CHECK(expression_of(transpose(x)) == "Transpose(x, Range(Sub(Rank(x), 1), -1, -1))");
}

TEST_CASE("concat joins along its axis") {
  Building b;
  const auto x = placeholder<float>({2, -1}, "x"), y = placeholder<float>({3, 4}, "y");
  CHECK(shape_of(concat({x, y}, 0)) == "[5,4]");
  CHECK(shape_of(concat({y, y, y}, -1)) == "[3,12]");
  CHECK(shape_of(concat({x, x}, 1)) == "[2,?]");
  CHECK(shape_of(concat({y, placeholder<float>()}, 0)) == "[?,4]");
  CHECK(concat({x}, 0).op_type() == "Identity");
  CHECK_THROWS_WITH(concat({x, y}, 1), contains("value 1 of shape [3,4] cannot be joined"));
  CHECK_THROWS_WITH(concat({y, placeholder<float>({3})}, 0), contains("cannot be joined"));
  CHECK_THROWS_WITH(concat({constant(1.f), constant(2.f)}, 0), contains("see Pack"));
  CHECK_THROWS_WITH(concat({y, y}, 2), contains("axis 2 is out of range"));
}

TEST_CASE("the gradient of concat with a negative axis") {
  Building b;
  const auto x = placeholder<float>({2, 3}, "x"), y = placeholder<float>({2, 4}, "y");
  CHECK(gradient_of(concat({x, y}, -1), y, {2, 7}) == "Slice(dy, [0,3], [2,4])");
  CHECK(gradient_of(concat({x, y}, 1), x, {2, 7}) == "Slice(dy_1, [0,0], [2,3])");
  const auto open = placeholder<float>({2, -1}, "open");
  const std::string dynamic = gradient_of(concat({open, y}, -1), y, {2, -1});
  CHECK_THAT(dynamic, contains("Slice(dy_2, ConcatOffset(-1, Shape(open), [2,4]):1, [2,4])"));
}

TEST_CASE("stack and unstack are each other's gradient") {
  Building b;
  const auto x = placeholder<float>({2, 3}, "x"), y = placeholder<float>({2, 3}, "y");
  const auto both = stack({x, y}, 1);
  CHECK(shape_of(both) == "[2,2,3]");
  CHECK(gradient_of(both, y, {2, 2, 3}) == "Unpack(dy):1");
  CHECK_THROWS_WITH(stack({x, placeholder<float>({2, 4})}), contains("value 1 has shape [2,4]"));
  CHECK_THROWS_WITH(stack({x, y}, 3), contains("out of range"));
  const auto parts = unstack(x, 1);
  REQUIRE(parts.size() == 3);
  CHECK(shape_of(parts[2]) == "[2]");
  CHECK_THAT(gradient_of(parts[1], x, {2}), contains("dy_1") && contains("Pack("));
  CHECK_THROWS_WITH(unstack(placeholder<float>()), contains("how many parts"));
  CHECK_THROWS_WITH(unstack(x, 0, 3), contains("has not the 3 parts"));
}

TEST_CASE("split in equal parts and by sizes") {
  Building b;
  const auto x = placeholder<float>({6, 4}, "x");
  const auto thirds = split(x, 3);
  REQUIRE(thirds.size() == 3);
  CHECK(shape_of(thirds[1]) == "[2,4]");
  const auto sized = split(x, {1, -1}, 1);
  REQUIRE(sized.size() == 2);
  CHECK(shape_of(sized[0]) == "[6,1]");
  CHECK(shape_of(sized[1]) == "[6,3]");
  CHECK_THROWS_WITH(split(x, 4), contains("cannot be split into 4 equal parts"));
  CHECK_THROWS_WITH(split(x, {1, 2}, 1), contains("the sizes add up to 3"));
  CHECK_THROWS_WITH(split(x, {-1, -1}, 1), contains("only one of the sizes"));
  CHECK_THAT(gradient_of(thirds[0], x, {2, 4}), contains("ConcatV2(dy, "));
  CHECK(gradient_of(split(x, 1)[0], x, {6, 4}) == "dy_1");
}

TEST_CASE("slice and its gradient, which pads") {
  Building b;
  const auto x = placeholder<float>({3, 4}, "x");
  const auto y = slice(x, {1, 0}, {-1, 2});
  CHECK(shape_of(y) == "[2,2]");
  CHECK(gradient_of(y, x, {2, 2}) == "Pad(dy, [1,0,0,2])");
  CHECK(shape_of(slice(placeholder<float>(), {1, 0}, {-1, 2})) == "[?,2]");
  CHECK_THROWS_WITH(slice(x, {1, 0}, {3, 2}), contains("a slice of 3 from 1 on is out of range for dimension 0 of [3,4]"));
  CHECK_THROWS_WITH(slice(x, {1}, {1}), contains("begin and size have shape [1]"));
  CHECK_THROWS_WITH(slice(x, {-1, 0}, {1, 1}), contains("begin -1"));
  const auto open = placeholder<float>({-1, 4}, "open");
  const auto part = slice(open, {1, 0}, {-1, 2}, "part");
  CHECK(gradient_of(part, open, {-1, 2}) ==
        "Pad(dy_1, Pack([1,0], Sub(Sub(Shape(open), Shape(Slice(open, [1,0], [-1,2]))), [1,0])))");
}

TEST_CASE("strided slices have numpy's shapes") {
  Building b;
  const auto x = placeholder<float>({5, 6, 7}, "x");
  CHECK(shape_of(strided_slice(x, {1}, {4}, {2})) == "[2,6,7]");
  CHECK(shape_of(strided_slice(x, {-1, 0}, {-6, 6}, {-2, 4})) == "[3,2,7]");
  CHECK(shape_of(strided_slice(x, {9}, {2}, {1})) == "[0,6,7]");
  CHECK(shape_of(strided_slice(x, {0, 1}, {0, 2}, {1, 1}, {.ellipsis = 1})) == "[5,6,1]");
  CHECK(shape_of(strided_slice(x, {0, 1}, {0, 2}, {1, 1}, {.ellipsis = 1, .shrink_axis = 2})) == "[5,6]");
  CHECK(shape_of(strided_slice(x, {0, 2}, {0, 0}, {1, 1}, {.end = 2, .new_axis = 1})) == "[1,3,6,7]");
  CHECK(shape_of(strided_slice(placeholder<float>({-1, 6}), {0, 2}, {3, 4}, {1, 1})) == "[?,2]");
  CHECK(shape_of(strided_slice(x, placeholder<int>({2}), {3, 4}, {1, 1})) == "[?,?,7]");
  CHECK_THROWS_WITH(strided_slice(x, {0}, {1}, {0}), contains("stride must not be 0"));
  CHECK_THROWS_WITH(strided_slice(x, {5}, {6}, {1}, {.shrink_axis = 1}), contains("index 5 is out of range"));
  CHECK_THROWS_WITH(strided_slice(x, {0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}), contains("of 4 dimensions"));
  CHECK_THROWS_WITH(strided_slice(x, {0, 0}, {1, 1}, {1, 1}, {.ellipsis = 3}), contains("only one ellipsis"));
  CHECK_THROWS_AS(strided_slice(x, {0, 0}, {1}, {1}), Error);
}

TEST_CASE("the gradient of a strided slice keeps its masks") {
  Building b;
  const auto x = placeholder<float>({5, 6}, "x");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({6}, "dy")};
  const auto dx = gradients(strided_slice(x, {2}, {3}, {1}, {.shrink_axis = 1}), x, options);
  CHECK(expression_of(dx) == "StridedSliceGrad([5,6], [2], [3], [1], dy)");
  CHECK(dx.node().attr<std::int64_t>("shrink_axis_mask") == 1);
  CHECK(shape_of(dx) == "[5,6]");
}

TEST_CASE("tile and pad") {
  Building b;
  const auto x = placeholder<float>({2, -1}, "x");
  CHECK(shape_of(tile(x, {3, 2})) == "[6,?]");
  CHECK_THROWS_WITH(tile(x, {3}), contains("the multiples have shape [1]"));
  CHECK_THROWS_WITH(tile(x, {-1, 1}), contains("multiple -1"));
  const auto y = placeholder<float>({2, 3}, "y");
  CHECK_THAT(gradient_of(tile(y, {3, 2}), y, {6, 6}), contains("Sum(Reshape(dy, [3,2,2,3]), [0,2])"));
  CHECK(shape_of(pad(y, {{1, 0}, {2, 2}})) == "[3,7]");
  CHECK(gradient_of(pad(y, {{1, 0}, {2, 2}}), y, {3, 7}) == "Slice(dy_1, [1,2], [2,3])");
  CHECK_THROWS_WITH(pad(y, {{1, 0}}), contains("the paddings must have shape [2,2]"));
  CHECK_THROWS_WITH(pad(y, {{1, -1}, {0, 0}}), contains("negative"));
}

TEST_CASE("invert_permutation takes a vector") {
  Building b;
  CHECK(shape_of(invert_permutation(std::vector<int>{2, 0, 1})) == "[3]");
  CHECK_THROWS_WITH(invert_permutation(constant(1)), contains("must have rank 1"));
}
