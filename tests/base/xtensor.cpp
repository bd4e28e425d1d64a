#include <dgraph/base/xtensor.hpp>

#include <complex>
#include <string>
#include <vector>

#include "support/catch.hpp"

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

using namespace dgraph;
using dgraph::test::contains;

namespace {

template <class T>
std::vector<T> values(const Tensor& t) {
  const auto flat = t.flat<T>();
  return {flat.begin(), flat.end()};
}

}  // namespace

TEST_CASE("an rvalue xarray is moved in and out: one memory all the way") {
  xt::xarray<float> x = {{1, 2, 3}, {4, 5, 6}};
  const float* data = x.data();
  Tensor t = to_tensor<float>(std::move(x));
  CHECK(t.shape() == Shape{2, 3});
  CHECK(t.data<float>() == data);
  CHECK(t.unique());
  const xt::xarray<float> out = from_tensor<float>(std::move(t));
  CHECK(out.data() == data);
  CHECK(out(1, 0) == 4);
  REQUIRE(out.dimension() == 2);
}

TEST_CASE("an lvalue is copied once and stays the caller's") {
  xt::xarray<double> x = {1, 2, 3};
  const Tensor t = to_tensor<double>(x);
  CHECK(t.data<double>() != x.data());
  x(0) = 9;
  CHECK(values<double>(t) == std::vector<double>{1, 2, 3});
  const xt::xarray<double> constant = {4, 5, 6};
  CHECK(values<double>(to_tensor<double>(constant)) == std::vector<double>{4, 5, 6});
}

TEST_CASE("a tensor that others hold is copied on the way out") {
  Tensor t = to_tensor<float>(xt::xarray<float>{1, 2, 3, 4, 5});
  const Tensor other = t;
  xt::xarray<float> out = from_tensor<float>(std::move(t));
  CHECK(out.data() != other.data<float>());
  out(0) = 7;
  CHECK(values<float>(other)[0] == 1);
}

TEST_CASE("a reshaped tensor comes out in its own shape, still without a copy") {
  Tensor t = to_tensor<float>(xt::xarray<float>{1, 2, 3, 4, 5, 6});
  const float* data = t.data<float>();
  const xt::xarray<float> out = from_tensor<float>(std::move(t).reshaped(Shape{2, 3}));
  CHECK(out.data() == data);
  CHECK(out(1, 2) == 6);
}

TEST_CASE("rows of a tensor come out as a copy of the rows") {
  Tensor t = to_tensor<float>(xt::xarray<float>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  Tensor rows = t.rows(1, 2);
  t.reset();
  const xt::xarray<float> out = from_tensor<float>(std::move(rows));
  CHECK(out == xt::xarray<float>{{4, 5, 6}, {7, 8, 9}});
}

TEST_CASE("memory made for the way out is given out") {
  Tensor t = xarray_tensor<std::int32_t>(Shape{2, 3});
  for (std::int32_t i = 0; i < 6; ++i) t.mutable_data<std::int32_t>()[i] = i;
  const std::int32_t* data = t.data<std::int32_t>();
  const auto out = from_tensor<std::int32_t>(std::move(t));
  CHECK(out.data() == data);
  CHECK(out(1, 1) == 4);
}

TEST_CASE("column-major containers, views and expressions arrive in row-major order") {
  xt::xarray<float, xt::layout_type::column_major> columns = {{1, 2, 3}, {4, 5, 6}};
  CHECK(values<float>(to_tensor<float>(columns)) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(values<float>(to_tensor<float>(std::move(columns))) == std::vector<float>{1, 2, 3, 4, 5, 6});

  const xt::xarray<float> x = {{1, 2, 3}, {4, 5, 6}};
  CHECK(values<float>(to_tensor<float>(xt::transpose(x))) == std::vector<float>{1, 4, 2, 5, 3, 6});
  const auto view = xt::view(x, xt::all(), xt::range(0, 3, 2));
  const Tensor part = to_tensor<float>(view);
  CHECK(part.shape() == Shape{2, 2});
  CHECK(values<float>(part) == std::vector<float>{1, 3, 4, 6});
  CHECK(values<float>(to_tensor<float>(x * 2.f + 1.f)) == std::vector<float>{3, 5, 7, 9, 11, 13});
  CHECK(values<double>(to_tensor<double>(xt::cast<double>(x))) == std::vector<double>{1, 2, 3, 4, 5, 6});

  xt::xarray<float, xt::layout_type::dynamic> any(std::vector<std::size_t>{2, 2}, xt::layout_type::column_major);
  any(0, 0) = 1, any(0, 1) = 2, any(1, 0) = 3, any(1, 1) = 4;
  CHECK(values<float>(to_tensor<float>(any)) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("xtensor and adapted memory") {
  const xt::xtensor<float, 2> fixed = {{1, 2}, {3, 4}};
  CHECK(values<float>(to_tensor<float>(fixed)) == std::vector<float>{1, 2, 3, 4});
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  CHECK(to_tensor<float>(xt::adapt(memory, std::vector<std::size_t>{3, 2})).shape() == Shape{3, 2});
}

TEST_CASE("a view is read from where it begins") {
  const xt::xtensor<float, 2> x = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const xt::xarray<float> any = x;
  const xt::xtensor_fixed<float, xt::xshape<3, 3>> fixed = x;
  const std::vector<float> row{4, 5, 6}, rows{4, 5, 6, 7, 8, 9};
  CHECK(values<float>(to_tensor<float>(xt::view(x, 1))) == row);
  CHECK(values<float>(to_tensor<float>(xt::view(any, 1))) == row);
  CHECK(values<float>(to_tensor<float>(xt::view(fixed, 1))) == row);
  CHECK(values<float>(to_tensor<float>(xt::row(x, 1))) == row);
  CHECK(values<float>(to_tensor<float>(xt::col(x, 1))) == std::vector<float>{2, 5, 8});
  CHECK(values<float>(to_tensor<float>(xt::view(x, xt::range(1, 3)))) == rows);
  CHECK(values<float>(to_tensor<float>(xt::view(x, xt::range(1, 3), xt::all()))) == rows);
  CHECK(values<float>(to_tensor<float>(xt::view(x, 1, xt::range(1, 3)))) == std::vector<float>{5, 6});
  CHECK(values<float>(to_tensor<float>(xt::view(x, 1, 1))) == std::vector<float>{5});
  CHECK(values<float>(to_tensor<float>(xt::view(xt::xtensor<float, 2>(x), 1))) == row);
  CHECK(to_tensor<float>(xt::view(x, xt::newaxis(), 1)).shape() == Shape{1, 3});
  const auto second = xt::view(any, 1);
  CHECK(borrow(second).tensor.data<float>() == any.data() + 3);
  xt::xtensor<float, 2, xt::layout_type::column_major> columns = x;
  CHECK(values<float>(to_tensor<float>(xt::view(columns, 1))) == row);
  CHECK(values<float>(to_tensor<float>(xt::view(columns, xt::all(), 1))) == std::vector<float>{2, 5, 8});
}

TEST_CASE("arrays whose shape is part of their type") {
  xt::xtensor_fixed<float, xt::xshape<2, 2>> x = {{1, 2}, {3, 4}};
  CHECK(to_tensor<float>(x).shape() == Shape{2, 2});
  CHECK(values<float>(to_tensor<float>(x)) == std::vector<float>{1, 2, 3, 4});
  CHECK(values<float>(to_tensor<float>(std::move(x))) == std::vector<float>{1, 2, 3, 4});
  CHECK(borrow(x).tensor.data<float>() == x.data());
}

TEST_CASE("bools and strings go in and out") {
  const Tensor flags = to_tensor<bool>(xt::xarray<bool>{true, false, true});
  CHECK(from_tensor<bool>(flags)(2));
  xt::xarray<std::string> names = {"a", std::string(50, 'b')};
  const std::string* data = names.data();
  Tensor t = to_tensor<std::string>(std::move(names));
  CHECK(t.data<std::string>() == data);
  const auto out = from_tensor<std::string>(std::move(t));
  CHECK(out.data() == data);
  CHECK(out(1).size() == 50);
}

TEST_CASE("empty and scalar arrays") {
  const auto none = xt::xarray<float>::from_shape({0, 3});
  const Tensor t = to_tensor<float>(none);
  CHECK(t.shape() == Shape{0, 3});
  CHECK(from_tensor<float>(t).shape()[1] == 3);
  const xt::xarray<float> scalar = 5.f;
  CHECK(to_tensor<float>(scalar).shape() == Shape{});
  CHECK(from_tensor<float>(Tensor::scalar(2.5f))() == 2.5f);
}

TEST_CASE("numbers take the dtype asked for where they fit") {
  CHECK(to_tensor<float>(1).item<float>() == 1.f);
  CHECK(to_tensor<std::uint8_t>(255).item<std::uint8_t>() == 255);
  CHECK(static_cast<float>(to_tensor<half>(0.5).item<half>()) == 0.5f);
  CHECK(to_tensor<std::complex<float>>(2).item<std::complex<float>>() == std::complex<float>(2, 0));
  CHECK(host_tensor(2.5).dtype() == DType::Float64);
  CHECK(host_tensor("text").item<std::string>() == "text");
  REQUIRE_THROWS_WITH(to_tensor<std::uint8_t>(256), contains("256") && contains("uint8"));
  REQUIRE_THROWS_WITH(to_tensor<std::uint32_t>(-1), contains("-1"));
  REQUIRE_THROWS_WITH(to_tensor<std::int32_t>(std::int64_t{1} << 31), contains("int32"));
}

TEST_CASE("vectors and nested lists") {
  std::vector<float> v{1, 2, 3, 4, 5};
  const float* data = v.data();
  CHECK(values<float>(to_tensor<float>(v)) == v);
  const Tensor moved = to_tensor<float>(std::move(v));
  CHECK(moved.data<float>() == data);
  const Tensor matrix = to_tensor<int>(std::vector<std::vector<int>>{{1, 2}, {3, 4}, {5, 6}});
  CHECK(matrix.shape() == Shape{3, 2});
  CHECK(values<int>(matrix) == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(values<bool>(to_tensor<bool>(std::vector<bool>{true, false})) == std::vector<bool>{true, false});
  CHECK(to_tensor<std::string>(std::vector<const char*>{"a", "b"}).shape() == Shape{2});
  CHECK(to_tensor<float>(std::vector<std::vector<float>>{}).shape() == Shape{0, 0});
  CHECK(to_tensor<float>(std::array<float, 2>{1, 2}).shape() == Shape{2});
  REQUIRE_THROWS_WITH(to_tensor<int>(std::vector<std::vector<int>>{{1, 2}, {3}}), contains("2 and 1"));
}

TEST_CASE("a borrowed container is read where it is, and never written") {
  xt::xarray<float> x = {{1, 2}, {3, 4}, {5, 6}};
  const auto borrowed = borrow(x);
  CHECK(borrowed.tensor.data<float>() == x.data());
  CHECK(borrowed.tensor.shape() == Shape{3, 2});
  CHECK_FALSE(borrowed.tensor.unique());
  const Tensor t = to_tensor<float>(borrowed);
  CHECK(t.data<float>() == x.data());
  const xt::xarray<float> out = from_tensor<float>(t);
  CHECK(out.data() != x.data());
  CHECK(out == x);
  const std::vector<int> v{1, 2, 3};
  CHECK(borrow(v).tensor.data<int>() == v.data());
}

TEST_CASE("a view shares the tensor's memory and computes as any container") {
  Tensor t = Tensor::of<float>(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  const auto view = tensor_view<float>(t);
  CHECK(view.data() == t.data<float>());
  CHECK_FALSE(t.unique());
  t.reset();
  CHECK(view(1, 2) == 6);
  const xt::xarray<float> doubled = view * 2.f;
  CHECK(doubled(0, 1) == 4);
  CHECK(xt::sum(view)() == 21);
  const xt::xarray<float> copy = view;
  CHECK(copy == view);
  CHECK(values<float>(to_tensor<float>(view)) == std::vector<float>{1, 2, 3, 4, 5, 6});
  REQUIRE_THROWS_WITH(tensor_view<double>(Tensor::scalar(1.f)), contains("float64"));
}

TEST_CASE("the wrong element type is an error on the way out") {
  REQUIRE_THROWS_WITH(from_tensor<double>(Tensor::scalar(1.f)), contains("float32") && contains("float64"));
  CHECK_THROWS_AS(from_tensor<float>(Tensor()), Error);
}
