#include <dgraph/ops/operators.hpp>

#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/variable.hpp>

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

#include "ops/evaluate.hpp"
#include "ops/graph_text.hpp"
#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::test;
using dgraph::test::contains;

namespace {
using Floats = std::vector<float>;
}  // namespace

TEST_CASE("operators between values compute what they say") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({6, 8}), b = constant<float>({2, 4});
  CHECK(evaluate<float>(a + b) == Floats{8, 12});
  CHECK(evaluate<float>(a - b) == Floats{4, 4});
  CHECK(evaluate<float>(a * b) == Floats{12, 32});
  CHECK(evaluate<float>(a / b) == Floats{3, 2});
  CHECK(evaluate<float>(-a) == Floats{-6, -8});
  CHECK(evaluate<bool>(a < b * 3) == std::vector<bool>{false, true});
  CHECK(evaluate<bool>(a >= 8) == std::vector<bool>{false, true});
  CHECK(evaluate<bool>(a <= 6.f) == std::vector<bool>{true, false});
  CHECK(evaluate<bool>(3 > b) == std::vector<bool>{true, false});
}

TEST_CASE("numbers of any type take the value's dtype, on both sides") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto x = constant<float>({1, 2});
  CHECK(evaluate<float>(x * 2) == Floats{2, 4});
  CHECK(evaluate<float>(2.5 * x) == Floats{2.5, 5});
  CHECK(evaluate<float>(1 - x) == Floats{0, -1});
  CHECK(evaluate<float>(2 / x) == Floats{2, 1});
  CHECK(evaluate<float>(x + 1L) == Floats{2, 3});
  const auto i = constant<int>({7, -7});
  CHECK(evaluate<int>(i * 2) == std::vector<int>{14, -14});
  CHECK(evaluate<int>(i / 2) == std::vector<int>{3, -3});
  CHECK((i / 2).op_type() == "Div");
  CHECK((x / 2).op_type() == "RealDiv");
  REQUIRE_THROWS_WITH(constant<std::uint8_t>({1}) + 256, contains("256") && contains("uint8"));
}

TEST_CASE("xtensor containers, views and expressions, lvalues and rvalues, on both sides") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2, 3});
  xt::xarray<float> x = {10, 20, 30};
  const xt::xarray<float> fixed = x;
  STATIC_REQUIRE(std::is_same_v<decltype(a * x), Op<float>>);
  STATIC_REQUIRE(std::is_same_v<decltype(x * a), Op<float>>);
  CHECK(evaluate<float>(a * x) == Floats{10, 40, 90});
  CHECK(evaluate<float>(x - a) == Floats{9, 18, 27});
  CHECK(evaluate<float>(fixed / a) == Floats{10, 10, 10});
  CHECK(evaluate<float>(a + fixed) == Floats{11, 22, 33});
  CHECK(evaluate<float>((x * 2.f + 1.f) * a) == Floats{21, 82, 183});
  CHECK(evaluate<float>(xt::view(x, xt::range(0, 1)) * a) == Floats{10, 20, 30});
  CHECK(evaluate<float>(a - xt::xarray<float>{1, 1, 1}) == Floats{0, 1, 2});
  CHECK(evaluate<float>(xt::xarray<float>{1, 1, 1} - a) == Floats{0, -1, -2});
  CHECK(evaluate<float>(a * std::vector<float>{1, 0, 1}) == Floats{1, 0, 3});
  CHECK(evaluate<bool>(x > a) == std::vector<bool>{true, true, true});
}

TEST_CASE("variables are read where they meet an operator") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto w = variable("w", xt::xarray<float>{2, 3});
  const xt::xarray<float> x = {1, 2};
  STATIC_REQUIRE(std::is_same_v<decltype(w * x), Op<float>>);
  CHECK(text_of(w * x) == "Mul(w/read, Const)");
  CHECK(text_of(x * w) == "Mul(Const_1, w/read)");
  CHECK(text_of(w * w) == "Mul(w/read, w/read)");
  CHECK(text_of(w + 1) == "AddV2(w/read, Const_2)");
  CHECK(text_of(1 / w) == "RealDiv(Const_3, w/read)");
  CHECK(text_of(-w) == "Neg(w/read)");
  CHECK(text_of(w < w) == "Less(w/read, w/read)");
}

TEST_CASE("the user's line, or with an array that of the graph value") {
  GraphCore core;
  const DefaultGraph building(core);
  const int line = __LINE__ + 1;
  const auto a = constant<float>({1, 2});
  const xt::xarray<float> x = {1, 2};
  CHECK((a * a).node().location.line == line + 2);
  CHECK((a + 1).node().location.line == line + 3);
  CHECK((1 - a).node().location.line == line + 4);
  CHECK((a * x).node().location.line == line);
  CHECK((x * a).node().location.line == line);
  CHECK((a * a).node().location.to_string().find("operators.cpp") != std::string::npos);
}

TEST_CASE("shapes that do not fit are refused where the operator stands") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant<float>({1, 2}), b = constant<float>({1, 2, 3});
  const int line = __LINE__ + 2;
  try {
    a + b;
    FAIL("built");
  } catch (const Error& error) {
    CHECK(error.code() == Code::InvalidArgument);
    CHECK(error.status().place().op_type == "AddV2");
    CHECK(error.status().place().location.find("operators.cpp:" + std::to_string(line)) != std::string::npos);
    CHECK(error.status().message().find("[2] vs. [3]") != std::string::npos);
  }
}

TEST_CASE("equality compares handles") {
  GraphCore core;
  const DefaultGraph building(core);
  const auto a = constant(1.f), b = constant(1.f);
  const bool same = a == a, other = a == b;
  CHECK(same);
  CHECK_FALSE(other);
}
