#include <dgraph/ops/shape.hpp>

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

Op<float> unknown_shape() { return placeholder<float>(); }

}  // namespace

TEST_CASE("a placeholder has the shape that it is given") {
  Building b;
  CHECK(shape_of(placeholder<float>({-1, 3}, "x")) == "[?,3]");
  CHECK(shape_of(placeholder<float>()) == "<unknown>");
  CHECK(b.core.find("x") != kNoNode);
  CHECK(shape_of(placeholder_with_default(constant<float>({1, 2}), {-1})) == "[?]");
  CHECK_THROWS_WITH(placeholder_with_default(constant<float>({1, 2}), {3}), contains("does not fit [3]"));
}

TEST_CASE("shape, size and rank") {
  Building b;
  const auto x = placeholder<float>({-1, 3});
  CHECK(shape_of(shape(x)) == "[2]");
  CHECK(shape(x).dtype() == DType::Int32);
  CHECK(shape<std::int64_t>(x).dtype() == DType::Int64);
  CHECK(shape_of(shape(unknown_shape())) == "[?]");
  CHECK(shape_of(size(x)) == "[]");
  CHECK(shape_of(rank(x)) == "[]");
}

TEST_CASE("reshape infers one dimension") {
  Building b;
  const auto x = placeholder<float>({4, 6});
  CHECK(shape_of(reshape(x, {-1, 3})) == "[8,3]");
  CHECK(shape_of(reshape(x, {2, 12})) == "[2,12]");
  CHECK(shape_of(reshape(x, {24})) == "[24]");
  CHECK(shape_of(reshape(constant(1.f), Dims())) == "[]");
  const auto open = placeholder<float>({-1, 6});
  CHECK(shape_of(reshape(open, {-1, 3})) == "[?,3]");
  CHECK(shape_of(reshape(x, placeholder<std::int32_t>({3}))) == "[?,?,?]");
  CHECK(shape_of(reshape(x, placeholder<std::int32_t>())) == "<unknown>");
}

TEST_CASE("reshape throws where it is built, with the user's line") {
  Building b;
  const auto x = placeholder<float>({4, 6});
  CHECK_THROWS_WITH(reshape(x, {5, -1}), contains("cannot reshape a tensor of shape [4,6] (24 elements) to [5,?]"));
  CHECK_THROWS_WITH(reshape(x, {5, 5}), contains("24 elements"));
  CHECK_THROWS_WITH(reshape(x, {-1, -1}), contains("only one dimension"));
  CHECK_THROWS_WITH(reshape(x, {-2, 12}), contains("negative dimension -2"));
  CHECK_THROWS_WITH(reshape(x, {0, -1}), contains("cannot reshape"));
  const auto line = __LINE__ + 1;
  CHECK_THROWS_WITH(reshape(x, {7}, "r"), contains("node r (Reshape") && contains("shape.cpp:" + std::to_string(line)));
  CHECK(b.core.find("r") == kNoNode);
}

TEST_CASE("a reshape by what is known of a shape at build time") {
  Building b;
  const auto x = placeholder<float>({-1, 6});
  CHECK(shape_of(reshape(placeholder<float>(), shape(x))) == "[?,6]");
  const auto dims = shape(placeholder<float>({2, 3, 5}));
  CHECK(shape_of(reshape(placeholder<float>(), slice(dims, {1}, {2}))) == "[3,5]");
  CHECK(shape_of(reshape(placeholder<float>(), strided_slice(dims, {-1}, {0}, {-1}, {.end = 1}))) == "[5,3,2]");
  CHECK(shape_of(reshape(placeholder<float>(), gather(dims, std::vector<int>{2, 0}))) == "[5,2]");
  CHECK(shape_of(zeros<float>(range(2, 6, 2))) == "[2,4]");
  const auto product = reduce_prod(dims);
  CHECK(shape_of(reshape(placeholder<float>(), stack({product}))) == "[30]");
  CHECK(shape_of(reshape(placeholder<float>(), slice(shape(x), {0}, {1}))) == "[?]");
}

TEST_CASE("parts of a shape that is known in part") {
  Building b;
  const auto x = placeholder<float>({-1, 4, 3}, "x");
  const auto parts = unstack(shape(x));
  CHECK(shape_of(reshape(x, stack<std::int32_t>({parts[0], parts[1] * parts[2]}))) == "[?,12]");
  CHECK(shape_of(reshape(x, stack<std::int32_t>({parts[2] - 1, constant(-1)}))) == "[2,?]");
  const auto halves = split(concat<std::int32_t>({shape(x), constant({2})}, 0), 2);
  CHECK(shape_of(reshape(placeholder<float>(), halves[1])) == "[3,2]");
  const auto rest = strided_slice(shape(x), {1}, {0}, {1}, {.end = 1});
  CHECK(shape_of(zeros<float>(concat<std::int32_t>({constant({2}), rest}, 0))) == "[2,4,3]");
  CHECK(shape_of(reshape(x, stack<std::int32_t>({constant(-1), reduce_prod(rest)}))) == "[?,12]");
  CHECK(shape_of(fill(expand_dims(floormod(reduce_max(rest), 3), 0), 1.f)) == "[1]");
  CHECK(shape_of(reshape(x, cast<std::int64_t>(shape(placeholder<float>({12, -1}))))) == "[12,?]");
  CHECK(shape_of(broadcast_to(constant(1.f), shape(x))) == "[?,4,3]");
}

TEST_CASE("what a step may compute otherwise is not foretold") {
  Building b;
  const auto many = constant(1 << 20);
  CHECK(shape_of(fill(expand_dims(many * many, 0), 1.f)) == "[?]");
  // Rows of a matrix are not elements of a vector.
  const auto table = reshape(constant({1, 2, 3, 4}), {2, 2});
  CHECK(shape_of(fill(unstack(table, 1)[0], 1.f)) == "[?,?]");
}

TEST_CASE("errors show what is known of shapes") {
  Building b;
  const auto x = placeholder<float>({-1, 3});
  CHECK_THROWS_WITH(matmul(x, placeholder<float>({4, -1})), contains("[?,3]") && contains("[4,?]"));
  CHECK_THROWS_WITH(concat<float>({x, placeholder<float>({2, 4})}, 0), contains("[2,4]"));
  CHECK_THROWS_WITH(reshape(placeholder<float>({2, 3}), {4, -1}), contains("[2,3]") && contains("[4,?]"));
  CHECK_THROWS_WITH(x + placeholder<float>({-1, 2}), contains("[?,3]") && contains("[?,2]"));
}

TEST_CASE("a long chain of sums over itself is not followed along each of its paths") {
  Building b;
  Op<std::int32_t> x = slice(shape(placeholder<float>({1, 1})), {0}, {1});
  for (int i = 0; i < 40; ++i) x = x + x;
  CHECK(shape_of(zeros<float>(x)) == "[?]");
}

TEST_CASE("expand_dims and squeeze") {
  Building b;
  const auto x = placeholder<float>({2, -1});
  CHECK(shape_of(expand_dims(x, 0)) == "[1,2,?]");
  CHECK(shape_of(expand_dims(x, -1)) == "[2,?,1]");
  CHECK(shape_of(expand_dims(x, -3)) == "[1,2,?]");
  CHECK_THROWS_WITH(expand_dims(x, 3), contains("axis 3 is out of range"));
  const auto y = placeholder<float>({1, 2, 1});
  CHECK(shape_of(squeeze(y)) == "[2]");
  CHECK(shape_of(squeeze(y, {0})) == "[2,1]");
  CHECK(shape_of(squeeze(y, {-1})) == "[1,2]");
  CHECK(shape_of(squeeze(x)) == "<unknown>");
  CHECK(shape_of(squeeze(x, {1})) == "[2]");
  CHECK_THROWS_WITH(squeeze(y, {1}), contains("dimension 1 is 2, not 1"));
}

TEST_CASE("fill, zeros and ones: small ones are constants") {
  Building b;
  CHECK(zeros<float>({2, 3}).op_type() == "Const");
  CHECK(expression_of(ones<int>({2})) == "[1,1]");
  CHECK(expression_of(zeros<bool>({2})) == "[false,false]");
  CHECK(zeros<std::string>({2}).dtype() == DType::String);
  const auto large = ones<float>({1000});
  CHECK(large.op_type() == "Fill");
  CHECK(shape_of(large) == "[1000]");
  CHECK(shape_of(fill({2, 3}, 1.5f)) == "[2,3]");
  CHECK_THROWS_WITH(fill({-1}, 1.f), contains("negative dimension -1"));
  CHECK_THROWS_WITH(fill({2}, constant<float>({1, 2})), contains("must have rank 0"));
}

TEST_CASE("broadcast_to by numpy's rules") {
  Building b;
  const auto x = placeholder<float>({3, 1});
  CHECK(shape_of(broadcast_to(x, {2, 3, 4})) == "[2,3,4]");
  CHECK_THROWS_WITH(broadcast_to(x, {3}), contains("fewer dimensions"));
  CHECK_THROWS_WITH(broadcast_to(x, {4, 4}), contains("shape [3,1] cannot be broadcast to [4,4]"));
}

TEST_CASE("range knows its length") {
  Building b;
  CHECK(shape_of(range(5)) == "[5]");
  CHECK(shape_of(range(1, 10, 3)) == "[3]");
  CHECK(shape_of(range(10, 0, -3)) == "[4]");
  CHECK(shape_of(range(0.f, 1.f, 0.25f)) == "[4]");
  CHECK(shape_of(range(placeholder<int>(PartialShape(Shape())))) == "[?]");
  CHECK_THROWS_WITH(range(0, 5, 0), contains("delta that is not 0"));
  CHECK_THROWS_WITH(range(0, 5, -1), contains("never reaches"));
}

TEST_CASE("gradients of what only changes the shape") {
  Building b;
  const auto x = placeholder<float>({2, 3}, "x");
  const auto g6 = constant<float>({1, 2, 3, 4, 5, 6}, "g6");
  GradientOptions options;
  options.grad_ys = {g6};
  CHECK(expression_of(gradients(reshape(x, {6}), x, options)) == "Reshape(g6, [2,3])");
  const auto open = placeholder<float>({-1, 3}, "open");
  CHECK(expression_of(gradients(reshape(open, {-1}), open, options)) == "Reshape(g6, Shape(open))");
  options.grad_ys = {reshape(g6, {1, 2, 3}, "g123")};
  CHECK(expression_of(gradients(expand_dims(x, 0), x, options)) == "Reshape(Reshape(g6, [1,2,3]), [2,3])");
  options.grad_ys = {g6};
  const auto flat = placeholder<float>({6}, "flat");
  CHECK(expression_of(gradients(squeeze(flat), flat, options)) == "g6");
}

TEST_CASE("the gradient of a broadcast sums over what was repeated") {
  Building b;
  const auto x = placeholder<float>({3, 1}, "x");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({2, 3, 4}, "dy")};
  CHECK(expression_of(gradients(broadcast_to(x, {2, 3, 4}), x, options)) == "Reshape(Sum(dy, [0,2]), [3,1])");
  const auto same = placeholder<float>({2, 3, 4}, "same");
  CHECK(expression_of(gradients(broadcast_to(same, {2, 3, 4}), same, options)) == "dy");
  const auto scalar = placeholder<float>(PartialShape(Shape()), "scalar");
  CHECK(expression_of(gradients(fill({2, 3, 4}, scalar), scalar, options)) == "Sum(dy, [0,1,2])");
}

TEST_CASE("nothing flows through stop_gradient, zeros_like or shape") {
  Building b;
  const auto x = placeholder<float>({3}, "x");
  CHECK_FALSE(gradients(stop_gradient(x), x));
  CHECK_FALSE(gradients(zeros_like(x), x));
  CHECK_FALSE(gradients(ones_like(x), x));
  CHECK(expression_of(gradients(identity(x) * stop_gradient(x), x)).find("StopGradient(x)") != std::string::npos);
}

TEST_CASE("a fed value that replaces a default still passes the gradient") {
  Building b;
  const auto x = placeholder<float>({2}, "x");
  GradientOptions options;
  options.grad_ys = {placeholder<float>({2}, "dy")};
  CHECK(expression_of(gradients(placeholder_with_default(x, {2}), x, options)) == "dy");
}
