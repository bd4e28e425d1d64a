#include <dgraph/ops/reduction.hpp>

#include <dgraph/ops/gradients.hpp>
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

using Floats = std::vector<float>;

template <class OpType>
void check_reduction(const Tensor& x) {
  INFO(definition<OpType>().name);
  for (const bool keep : {false, true})
    for (const Tensor& axes : {Tensor::vector<std::int32_t>({0}), Tensor::vector<std::int32_t>({-1, 0}),
                               Tensor::vector<std::int32_t>({1}), Tensor::vector<std::int32_t>({0, 1, 2}),
                               Tensor(DType::Int32, Shape{0}), Tensor::scalar<std::int32_t>(2)}) {
      INFO("axes " << axes.to_string() << ", keep_dims " << keep);
      check_gradients(
          [&](const std::vector<Output>& in) { return add_op<OpType>({}, in[0], constant_output(axes), "keep_dims", keep); }, {x});
      // The axes known only in the step.
      check_gradients([&](const std::vector<Output>& in) { return add_op<OpType>({}, in[0], in[1], "keep_dims", keep); }, {x, axes});
    }
}

}  // namespace

TEST_CASE("reductions over everything, some axes, and values for axes") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({{1, 2, 3}, {4, 5, 6}});
  CHECK(evaluate<float>(reduce_sum(x)) == Floats{21});
  CHECK(evaluate<float>(reduce_mean(x)) == Floats{3.5});
  CHECK(evaluate<float>(reduce_sum(x, 0)) == Floats{5, 7, 9});
  CHECK(evaluate<float>(reduce_max(x, -1)) == Floats{3, 6});
  CHECK(evaluate<float>(reduce_min(x, {0, 1})) == Floats{1});
  CHECK(reduce_sum(x, {1}, true).shape() == PartialShape{2, 1});
  CHECK(reduce_prod(x, {}, true).shape() == PartialShape{1, 1});
  CHECK(reduce_prod(x, Dims{}).shape() == PartialShape{2, 3});
  CHECK(evaluate<float>(reduce_prod(x, 1)) == Floats{6, 120});
  CHECK(evaluate<float>(reduce_sum(x, constant(0))) == Floats{5, 7, 9});
  CHECK(evaluate<float>(reduce_sum(xt::xarray<float>{1, 2})) == Floats{3});
  const auto flags = constant<bool>({true, false});
  CHECK_FALSE(evaluate(reduce_all(flags)).item<bool>());
  CHECK(evaluate(reduce_any(flags)).item<bool>());
}

TEST_CASE("a value of unknown rank is reduced by what its rank is in the step") {
  GraphCore core;
  const DefaultGraph building(core);
  const Op<float> x(add_op<ops::Placeholder>("x", "dtype", DType::Float32));
  const auto sum = reduce_sum(x);
  CHECK(expression_of(sum) == "Sum(x, Range(0, Rank(x), 1))");
  Evaluator run;
  run.feed(x, Tensor::of<float>(Shape{2, 2}, {1, 2, 3, 4}));
  CHECK(run.flat<float>(sum) == Floats{10});
}

TEST_CASE("axes that do not exist are refused where the reduction is built") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  REQUIRE_THROWS_WITH(reduce_sum(x, 1), contains("axis 1") && contains("Sum"));
  REQUIRE_THROWS_WITH(reduce_mean(x, {0, 0}), contains("twice"));
}

TEST_CASE("gradients of sums, means and products") {
  const Tensor x = doubles(Shape{2, 3, 2}, {1, -2, 3, 0.5, 2, 1.5, -1, 4, 0.25, 2, 3, 1});
  check_reduction<ops::Sum>(x);
  check_reduction<ops::Mean>(x);
  check_reduction<ops::Prod>(x);
}

TEST_CASE("gradients of extremes where there is no tie") {
  const Tensor x = doubles(Shape{2, 3, 2}, {1, -2, 3, 0.5, 2.1, 1.5, -1, 4, 0.25, 2, 3.3, 1.1});
  check_reduction<ops::Max>(x);
  check_reduction<ops::Min>(x);
}

TEST_CASE("the gradient of a product with zeros in it") {
  check_gradients([](const std::vector<Output>& x) { return add_op<ops::Prod>({}, x[0], constant_output(Tensor::scalar<std::int32_t>(1))); },
                  {doubles(Shape{3, 3}, {2, 0, 3, 0, 0, 4, 1, 2, 3})});
}

TEST_CASE("ties share the gradient evenly") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({{3, 1, 3}, {2, 2, 2}});
  const auto third = 1.f / 3;
  CHECK(evaluate<float>(gradients(reduce_max(x, 1), x)) == Floats{0.5, 0, 0.5, third, third, third});
  CHECK(evaluate<float>(gradients(reduce_min(x, 1), x)) == Floats{0, 1, 0, third, third, third});
}

TEST_CASE("a mean of known size divides by a constant") {
  GraphCore core;
  const DefaultGraph building(core);
  const Op<float> x(add_op<ops::Placeholder>("x", "dtype", DType::Float32, "shape", PartialShape{100}));
  CHECK(expression_of(gradients(reduce_mean(x), x)) == "BroadcastTo(RealDiv(1, 100), [100])");
  const Op<float> batch(add_op<ops::Placeholder>("b", "dtype", DType::Float32, "shape", PartialShape{-1, 4}));
  const std::string rows = expression_of(gradients(reduce_mean(batch, 1), batch));
  CHECK(rows.find("RealDiv(OnesLike(Mean(b, [1])), 4)") != std::string::npos);
  const std::string all = expression_of(gradients(reduce_mean(batch), batch));
  CHECK(all.find("FloorDiv(Size(b)") != std::string::npos);
}

TEST_CASE("the index of the largest and smallest along an axis") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({{1, 5, 5}, {7, 2, 2}});
  STATIC_REQUIRE(std::is_same_v<decltype(argmax(x, 1)), Op<std::int64_t>>);
  CHECK(evaluate<std::int64_t>(argmax(x, 1)) == std::vector<std::int64_t>{1, 0});
  CHECK(evaluate<std::int64_t>(argmin(x, -1)) == std::vector<std::int64_t>{0, 1});
  CHECK(evaluate<int>(argmax<int>(x)) == std::vector<int>{1, 0, 0});
  CHECK(argmax(x, 0).shape() == PartialShape{3});
  REQUIRE_THROWS_WITH(argmax(x, 2), contains("axis 2"));
  REQUIRE_THROWS_WITH(argmax(constant(1.f)), contains("scalar"));
  CHECK_FALSE(static_cast<bool>(gradients(cast<float>(argmax(x, 1)), x)));
}
