#include <dgraph/ops/constant.hpp>

#include <dgraph/ops/operand.hpp>
#include <dgraph/ops/operators.hpp>

#include "support/catch.hpp"

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

using namespace dgraph;
using dgraph::test::contains;

namespace {
const Tensor& value_of(const Output& x) { return x.node().attr<Tensor>("value"); }
template <class T>
std::vector<T> flat(const Output& x) {
  const auto elements = value_of(x).flat<T>();
  return {elements.begin(), elements.end()};
}
}  // namespace

TEST_CASE("constants take the dtype and shape of what they are made of") {
  GraphCore core;
  const DefaultGraph building(core);
  STATIC_REQUIRE(std::is_same_v<decltype(constant(1.f)), Op<float>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant(1)), Op<int>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant(0.5)), Op<double>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant(true)), Op<bool>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant("text")), Op<std::string>>);
  CHECK(value_of(constant("text")).item<std::string>() == "text");
  CHECK(constant(xt::xarray<double>{{1, 2, 3}}).shape() == PartialShape{1, 3});
  CHECK(flat<int>(constant(std::vector<int>{4, 5})) == std::vector<int>{4, 5});
  CHECK(flat<float>(constant<float>(7)) == std::vector<float>{7});
  CHECK(flat<float>(constant<float>({1, 2, 3})) == std::vector<float>{1, 2, 3});
  const auto matrix = constant<std::int64_t>({{1, 2}, {3, 4}}, "matrix");
  CHECK(matrix.shape() == PartialShape{2, 2});
  CHECK(matrix.name() == "matrix");
  CHECK(flat<float>(constant(0.5f, {2, 2})) == std::vector<float>(4, 0.5f));
  CHECK(flat<std::string>(constant<std::string>("x", {2})) == std::vector<std::string>{"x", "x"});
  REQUIRE_THROWS_WITH(constant<int>({{1, 2}, {3}}), contains("2 and 1"));
  REQUIRE_THROWS_WITH(constant<std::uint8_t>(300), contains("300"));
}

TEST_CASE("an rvalue array becomes the constant's memory") {
  GraphCore core;
  const DefaultGraph building(core);
  xt::xarray<float> x = {1, 2, 3, 4, 5};
  const float* data = x.data();
  CHECK(value_of(constant(std::move(x))).data<float>() == data);
}

TEST_CASE("a column-major array, or a view, is the constant that its row-major copy is") {
  GraphCore core;
  const DefaultGraph building(core);
  const xt::xarray<float> rows = {{1, 2, 3}, {4, 5, 6}};
  const xt::xarray<float, xt::layout_type::column_major> columns = rows;
  CHECK(flat<float>(constant(columns)) == flat<float>(constant(rows)));
  CHECK(constant(columns).shape() == PartialShape{2, 3});
  CHECK(flat<float>(constant(xt::view(rows, 1))) == std::vector<float>{4, 5, 6});
  CHECK(flat<float>(constant(xt::view(columns, xt::all(), 1))) == std::vector<float>{2, 5});
  // Captured by an operator.
  const Output sum = constant(rows) + columns;
  CHECK(flat<float>(Output(&core, sum.node().inputs[1].node, 0)) == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a constant knows the line that made it") {
  GraphCore core;
  const DefaultGraph building(core);
  const int line = __LINE__ + 1;
  const auto c = constant(1.f);
  CHECK(c.node().location.line == line);
  CHECK(c.node().location.to_string().find("constant.cpp") != std::string::npos);
}

TEST_CASE("a tensor is a constant, too") {
  GraphCore core;
  const DefaultGraph building(core);
  const Output c = constant_output(Tensor::vector<std::int32_t>({1, 2}), "c");
  CHECK(c.dtype() == DType::Int32);
  CHECK(c.name() == "c");
  CHECK(constant<float>(Tensor::scalar(1.f)).dtype() == DType::Float32);
  REQUIRE_THROWS_WITH(constant<float>(Tensor::scalar(1)), contains("int32") && contains("float32"));
}

TEST_CASE("numbers and shapes as tensors of a dtype known at run time") {
  for (unsigned i = 1; i < kDTypeEnd; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!is_plain(dtype)) continue;
    const Tensor three = detail::filled_tensor(dtype, Shape{2}, 1);
    CHECK(three.dtype() == dtype);
    CHECK(std::memcmp(three.raw(), three.raw() + dtype_size(dtype), dtype_size(dtype)) == 0);
  }
  CHECK(detail::scalar_tensor(DType::Float64, 0.1).item<double>() == 0.1);
  CHECK(detail::scalar_tensor(DType::Complex64, 2).item<std::complex<float>>() == std::complex<float>(2));
  CHECK_THROWS_AS(detail::scalar_tensor(DType::String, 1), Error);
  CHECK(detail::shape_tensor(Shape{2, 3}).dtype() == DType::Int32);
  CHECK(detail::index_tensor(Dims{1, std::int64_t{1} << 40}).flat<std::int64_t>()[1] == std::int64_t{1} << 40);
}

TEST_CASE("without a default graph there is nowhere to put one") {
  try {
    constant(1.f);
    FAIL("made");
  } catch (const Error& error) {
    CHECK(error.code() == Code::FailedPrecondition);
  }
  GraphCore core;
  CHECK(detail::add_constant(Tensor::scalar(1.f), {}, &core).core() == &core);
}
