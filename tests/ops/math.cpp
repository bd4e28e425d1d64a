#include <dgraph/ops/math.hpp>

#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/shape.hpp>

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {

template <class OpType>
void check_unary(std::initializer_list<double> at) {
  const auto count = static_cast<std::int64_t>(at.size());
  INFO(definition<OpType>().name);
  check_gradients([](const std::vector<Output>& x) { return add_op<OpType>({}, x[0]); }, {doubles(Shape{count}, at)});
}

template <class OpType>
void check_binary(std::initializer_list<double> a, std::initializer_list<double> b) {
  INFO(definition<OpType>().name);
  const auto build = [](const std::vector<Output>& x) { return add_op<OpType>({}, x[0], x[1]); };
  check_gradients(build, {doubles(Shape{2, 3}, a), doubles(Shape{2, 3}, b)});
  // Every way of broadcasting: a dimension of one, a missing one, both sides, a scalar.
  const std::vector<double> x(a), y(b);
  const auto some = [](const std::vector<double>& from, Shape shape) {
    Tensor t(DType::Float64, shape);
    for (std::int64_t i = 0; i < t.elements(); ++i) t.mutable_data<double>()[i] = from[static_cast<std::size_t>(i)];
    return t;
  };
  check_gradients(build, {some(x, Shape{2, 3}), some(y, Shape{3})});
  check_gradients(build, {some(x, Shape{2, 1}), some(y, Shape{1, 3})});
  check_gradients(build, {some(x, Shape{}), some(y, Shape{2, 1, 3})});
  check_gradients(build, {some(x, Shape{1, 3}), some(y, Shape{2, 2, 1})});
}

// The gradient of the sum of `y` by `x`, as an expression and by value.
std::vector<float> slope(const Op<float>& y, const Op<float>& x) { return evaluate<float>(gradients(y, x)); }
using Floats = std::vector<float>;

}  // namespace

TEST_CASE("gradients of functions of one element are their derivatives") {
  check_unary<ops::Neg>({-1, 2});
  check_unary<ops::Abs>({-1.5, 2});
  check_unary<ops::Square>({-1.5, 0, 2});
  check_unary<ops::Reciprocal>({-1.5, 0.3});
  check_unary<ops::Sqrt>({0.3, 2});
  check_unary<ops::Rsqrt>({0.3, 2});
  check_unary<ops::Exp>({-2, 0, 1.5});
  check_unary<ops::Log>({0.2, 3});
  check_unary<ops::Log1p>({-0.5, 0, 3});
  check_unary<ops::Tanh>({-1, 0, 0.5});
  check_unary<ops::Sigmoid>({-1, 0, 2});
  check_unary<ops::Relu>({-1, 0.5});
  check_unary<ops::Sign>({-1, 2});
  check_unary<ops::Identity>({-1, 2});
}

TEST_CASE("gradients of functions of two elements, however they are broadcast") {
  check_binary<ops::AddV2>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::Add>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::Sub>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::Mul>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::RealDiv>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::Div>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::Maximum>({1, 2, 3, 4, 5, 6}, {-1, 2.5, 2.2, 3.3, 7, 1.7});
  check_binary<ops::Minimum>({1, 2, 3, 4, 5, 6}, {-1, 2.5, 2.2, 3.3, 7, 1.7});
  check_binary<ops::Pow>({1.5, 2, 0.3, 4, 1, 2.5}, {-1, 0.5, 2, 1, -2, 1.5});
  check_binary<ops::SquaredDifference>({1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 3, -2, 1});
  check_binary<ops::FloorMod>({1, 2.2, 3.1, 4.3, 5.2, 6.1}, {0.7, 0.9, 2.3, 1.6, -1.9, 1.7});
}

TEST_CASE("gradients of gradients") {
  const auto twice = [](auto op) {
    using OpType = decltype(op);
    INFO(definition<OpType>().name);
    check_gradients(
        [](const std::vector<Output>& x) {
          const Output y = add_op<OpType>({}, x[0]);
          return gradients(std::vector<Output>{y}, std::vector<Output>{x[0]})[0];
        },
        {doubles(Shape{2}, {0.4, 1.3})}, 1e-5);
  };
  twice(ops::Square{});
  twice(ops::Reciprocal{});
  twice(ops::Sqrt{});
  twice(ops::Rsqrt{});
  twice(ops::Exp{});
  twice(ops::Log{});
  twice(ops::Tanh{});
  twice(ops::Sigmoid{});
}

TEST_CASE("ties and bends have TensorFlow's gradients") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2, 3}), y = constant<float>({1, 3, 2});
  CHECK(slope(maximum(x, y), x) == Floats{1, 0, 1});
  CHECK(slope(maximum(x, y), y) == Floats{0, 1, 0});
  CHECK(slope(minimum(x, y), x) == Floats{1, 1, 0});
  CHECK(slope(minimum(x, y), y) == Floats{0, 0, 1});
  const auto zero = constant<float>({0});
  CHECK(slope(relu(zero), zero) == Floats{0});
  CHECK(slope(dgraph::abs(zero), zero) == Floats{0});
  CHECK(std::isinf(slope(dgraph::sqrt(zero), zero)[0]));
}

TEST_CASE("the gradient by the exponent at a base of zero has no NaN") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({0, 2}), y = constant<float>({2, 3});
  const Floats by_y = slope(dgraph::pow(x, y), y);
  CHECK(by_y[0] == 0);
  CHECK(by_y[1] == test::Approx(8 * std::log(2.0)));
}

TEST_CASE("static shapes leave no shape to be computed in a step") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = Op<float>(add_op<ops::Placeholder>("x", "dtype", DType::Float32, "shape", PartialShape{100, 3}));
  const auto w = Op<float>(add_op<ops::Placeholder>("w", "dtype", DType::Float32, "shape", PartialShape{3}));
  CHECK(expression_of(gradients(x * w, w)) == "Sum(Mul(x, Fill([100,3], 1)), [0])");
  CHECK(expression_of(gradients(square(w), w)) == "Mul([1,1,1], Mul(2, w))");
  CHECK(expression_of(gradients(w - w * 2, w)).find("Shape(") == std::string::npos);
}

TEST_CASE("a batch of unknown size needs shapes only where they decide") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = Op<float>(add_op<ops::Placeholder>("x", "dtype", DType::Float32, "shape", PartialShape{-1, 3}));
  const auto b = Op<float>(add_op<ops::Placeholder>("b", "dtype", DType::Float32, "shape", PartialShape{3}));
  const auto other = Op<float>(add_op<ops::Placeholder>("o", "dtype", DType::Float32, "shape", PartialShape{-1, 3}));
  CHECK(expression_of(gradients(x + b, b)) == "Sum(OnesLike(AddV2(x, b)), [0])");
  CHECK(expression_of(gradients(x * x, x)).find("BroadcastGradientArgs") == std::string::npos);
  // Either of two open dimensions could be one.
  const std::size_t before = core.size();
  gradients(x * other, std::tuple(x, other));
  CHECK(op_types(core, before).count("BroadcastGradientArgs") == 1);
}

TEST_CASE("a cast moves gradients between floats and stops them at integers") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1.5f, 2.5f});
  const auto wide = cast<double>(x);
  STATIC_REQUIRE(std::is_same_v<decltype(wide), const Op<double>>);
  CHECK(expression_of(gradients(wide, x)) == "Cast([1,1])");
  CHECK_FALSE(static_cast<bool>(gradients(cast<float>(cast<int>(x)), x)));
  CHECK(cast<float>(x) == x);
  CHECK(evaluate<int>(cast<int>(x)) == std::vector<int>{1, 2});
}

TEST_CASE("sums of many") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2}), b = constant<float>({3, 4});
  CHECK(evaluate<float>(add_n(std::vector{a, b, a})) == Floats{5, 8});
  CHECK(add_n(std::vector{a}) == a);
  CHECK_THROWS_AS(add_n(std::vector<Op<float>>{}), Error);
  CHECK(slope(add_n(std::vector{a, b, a}), a) == Floats{2, 2});
}

TEST_CASE("integer division and remainders") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<int>({7, -7}), b = constant<int>({2, 2});
  CHECK(evaluate<int>(div(a, b)) == std::vector<int>{3, -3});
  CHECK(evaluate<int>(floordiv(a, b)) == std::vector<int>{3, -4});
  CHECK(evaluate<int>(floormod(a, b)) == std::vector<int>{1, 1});
  CHECK(divide(a, b).op_type() == "Div");
  REQUIRE_THROWS_WITH(evaluate(floordiv(a, 0)), contains("division by zero"));
}

TEST_CASE("dtypes that an op does not take are refused where it is built") {
  GraphCore core;
  const DefaultGraph building(core);
  REQUIRE_THROWS_WITH(exp(constant<int>({1})), contains("int32") && contains("Exp"));
  REQUIRE_THROWS_WITH(maximum(constant(true), constant(false)), contains("bool"));
  CHECK(evaluate(add_op<ops::Add>({}, constant("a"), constant("b"))).item<std::string>() == "ab");
}

TEST_CASE("every op of the family has its rules") {
  for_each_op<MathOps>([]<class OpType>() {
    const OpDef& def = definition<OpType>();
    INFO(def.name);
    CHECK(def.shape != nullptr);
    CHECK(def.gradient != nullptr);
  });
}
