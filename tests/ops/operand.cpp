#include <dgraph/ops/operand.hpp>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/variable.hpp>

#include "ops/graph_text.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {
struct Nonsense {};
}  // namespace

TEST_CASE("what is a graph value and what becomes a constant") {
  STATIC_REQUIRE(GraphValue<Op<float>>);
  STATIC_REQUIRE(GraphValue<const Op<float>&>);
  STATIC_REQUIRE(GraphValue<Variable<double>>);
  STATIC_REQUIRE_FALSE(GraphValue<Op<void>>);
  STATIC_REQUIRE_FALSE(GraphValue<Output>);
  STATIC_REQUIRE_FALSE(GraphValue<xt::xarray<float>>);
  STATIC_REQUIRE_FALSE(GraphValue<float>);
  STATIC_REQUIRE(AnyOperand<int>);
  STATIC_REQUIRE(AnyOperand<xt::xarray<float>&>);
  STATIC_REQUIRE(AnyOperand<std::vector<std::vector<int>>>);
  STATIC_REQUIRE(AnyOperand<const char (&)[3]>);
  STATIC_REQUIRE_FALSE(AnyOperand<Nonsense>);
  STATIC_REQUIRE_FALSE(AnyOperand<Output>);
  STATIC_REQUIRE_FALSE(AnyOperand<void*>);
}

TEST_CASE("the graph value decides the dtype, then the array, then the numbers") {
  STATIC_REQUIRE(std::is_same_v<common_element<Op<float>, double>, float>);
  STATIC_REQUIRE(std::is_same_v<common_element<int, Variable<double>>, double>);
  STATIC_REQUIRE(std::is_same_v<common_element<int, xt::xarray<float>>, float>);
  STATIC_REQUIRE(std::is_same_v<common_element<std::vector<float>, Op<float>>, float>);
  STATIC_REQUIRE(std::is_same_v<common_element<int, double>, double>);
  STATIC_REQUIRE(std::is_same_v<element_of<const char*>, std::string>);
}

TEST_CASE("operands become nodes in the order in which they are written") {
  GraphCore core;
  const DefaultGraph building(core);
  add(xt::xarray<float>{1, 2}, 3.f);
  CHECK(core.node(0).attr<Tensor>("value").rank() == 1);
  CHECK(core.node(1).attr<Tensor>("value").rank() == 0);
  CHECK(core.node(2).is("AddV2"));
}

TEST_CASE("constants of operands carry the line of the call") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  const int line = __LINE__ + 1;
  const auto y = maximum(x, 0);
  CHECK(y.node().location.line == line);
  CHECK(Output(&core, y.node().inputs[1].node, 0).node().location.line == line);
}

TEST_CASE("without a default graph constants join their graph value") {
  GraphCore core;
  Op<float> x;
  {
    const DefaultGraph building(core);
    x = constant<float>({1, 2});
  }
  CHECK(maximum(0, x).core() == &core);
  CHECK(dgraph::maximum(xt::xarray<float>{1, 1}, x).core() == &core);
}
