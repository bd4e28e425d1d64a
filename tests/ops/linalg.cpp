#include <dgraph/ops/linalg.hpp>

#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/variable.hpp>

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "ops/numeric_gradient.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
Output input(PartialShape shape, DType dtype = DType::Float32) {
  return add_op<ops::Placeholder>({}, "dtype", dtype, "shape", std::move(shape));
}
Tensor ramp(Shape shape) {
  Tensor t(DType::Float64, shape);
  for (std::int64_t i = 0; i < t.elements(); ++i) t.mutable_data<double>()[i] = 0.3 * static_cast<double>((i * 7) % 11) - 1;
  return t;
}
}  // namespace

TEST_CASE("products of matrices, of values and arrays, turned or not") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({{1, 2}, {3, 4}});
  const xt::xarray<float> b = {{5, 6}, {7, 8}};
  CHECK(evaluate<float>(matmul(a, b)) == std::vector<float>{19, 22, 43, 50});
  CHECK(evaluate<float>(matmul(b, a)) == std::vector<float>{23, 34, 31, 46});
  CHECK(evaluate<float>(matmul(a, b, {.transpose_b = true})) == std::vector<float>{17, 23, 39, 53});
  CHECK(evaluate<float>(matmul(a, b, {.transpose_a = true}, "p")) == std::vector<float>{26, 30, 38, 44});
  CHECK(matmul(a, b, "named").name() == "named");
  const auto w = variable("w", b);
  CHECK(text_of(matmul(w, a)) == "MatMul(w/read, Const)");
}

TEST_CASE("stacks of matrices are multiplied pair by pair") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto shape = [](const Output& a, const Output& b, MatMulOptions options = {}) {
    return matmul(Op<float>(a), Op<float>(b), options);
  };
  CHECK(shape(input({5, 2, 3}), input({3, 4})).op_type() == "BatchMatMulV2");
  CHECK(shape(input({5, 2, 3}), input({3, 4})).shape() == PartialShape{5, 2, 4});
  CHECK(shape(input({5, 1, 2, 3}), input({6, 3, 4})).shape() == PartialShape{5, 6, 2, 4});
  CHECK(shape(input({-1, 2, 3}), input({-1, 4, 3}), {.transpose_b = true}).shape() == PartialShape{-1, 2, 4});
  CHECK(shape(input({2, 3}), input(PartialShape())).op_type() == "MatMul");
  CHECK(shape(input(PartialShape()), input(PartialShape())).op_type() == "BatchMatMulV2");
  CHECK(shape(input({-1, 3}), input({3, 4})).shape() == PartialShape{-1, 4});
}

TEST_CASE("transposing a stack of complex matrices does not conjugate") {
  GraphCore core;
  const DefaultGraph building(core);
  using C = std::complex<float>;
  const auto a = Op<C>(constant_output(Tensor::of<C>(Shape{1, 1, 2}, {C(0, 1), C(2, 0)})));
  const auto product = matmul(a, a, {.transpose_b = true});
  CHECK(evaluate(product).item<C>() == C(3, 0));
}

TEST_CASE("factors that do not fit are refused with both shapes") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto product = [](PartialShape a, PartialShape b) { matmul(Op<float>(input(std::move(a))), Op<float>(input(std::move(b)))); };
  REQUIRE_THROWS_WITH(product({2, 3}, {2, 3}), contains("3 and 2") && contains("MatMul"));
  REQUIRE_THROWS_WITH(product({2, 3}, {3}), contains("rank 2"));
  REQUIRE_THROWS_WITH(product({4, 2, 3}, {5, 3, 2}), contains("[4] vs. [5]"));
  REQUIRE_THROWS_WITH(product({4, 2, 3}, {2, 3}), contains("3 and 2"));
}

TEST_CASE("gradients of products in all four turns") {
  for (const bool ta : {false, true})
    for (const bool tb : {false, true}) {
      INFO("transpose_a " << ta << ", transpose_b " << tb);
      check_gradients(
          [&](const std::vector<Output>& x) { return add_op<ops::MatMul>({}, x[0], x[1], "transpose_a", ta, "transpose_b", tb); },
          {ramp(ta ? Shape{3, 2} : Shape{2, 3}), ramp(tb ? Shape{4, 3} : Shape{3, 4})});
      const auto stacked = [&](const std::vector<Output>& x) {
        return add_op<ops::BatchMatMulV2>({}, x[0], x[1], "adj_x", ta, "adj_y", tb);
      };
      check_gradients(stacked, {ramp(ta ? Shape{2, 3, 2} : Shape{2, 2, 3}), ramp(tb ? Shape{2, 4, 3} : Shape{2, 3, 4})});
      check_gradients(stacked, {ramp(ta ? Shape{2, 1, 3, 2} : Shape{2, 1, 2, 3}), ramp(tb ? Shape{3, 2, 3} : Shape{3, 3, 2})});
      check_gradients(stacked, {ramp(ta ? Shape{3, 2} : Shape{2, 3}), ramp(tb ? Shape{2, 4, 3} : Shape{2, 3, 4})});
    }
}

TEST_CASE("the gradient of a matrix product is matrix products alone") {
  GraphCore core;
  const DefaultGraph building(core);
  const Op<float> x(add_op<ops::Placeholder>("x", "dtype", DType::Float32, "shape", PartialShape{-1, 3}));
  const Op<float> w(add_op<ops::Placeholder>("w", "dtype", DType::Float32, "shape", PartialShape{3, 4}));
  CHECK(expression_of(gradients(matmul(x, w), w)) == "MatMul(x, OnesLike(MatMul(x, w)))");
}
