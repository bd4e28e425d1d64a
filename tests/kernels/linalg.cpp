#include <dgraph/kernels/linalg.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <complex>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::run_one;
using test::values;

namespace {

template <class T>
Tensor transposed(const Tensor& x) {
  Tensor out(x.dtype(), {x.dim(1), x.dim(0)});
  for (std::int64_t i = 0; i < x.dim(0); ++i)
    for (std::int64_t j = 0; j < x.dim(1); ++j) out.mutable_data<T>()[j * x.dim(0) + i] = x.data<T>()[i * x.dim(1) + j];
  return out;
}

template <class T>
void check_dtype(double tolerance) {
  const Tensor a = test::numbers<T>({4, 7}, 0, 5, 1), b = test::numbers<T>({7, 3}, 0, 5, 2);
  const std::vector<double> x = values(a), y = values(b), c = values(run_one("MatMul", {a, b}));
  INFO(dtype_name(dtype_of<T>));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double want = 0;
      for (std::size_t p = 0; p < 7; ++p) want += x[i * 7 + p] * y[p * 3 + j];
      REQUIRE(std::fabs(c[i * 3 + j] - want) <= tolerance * (1 + want));
    }
  }
  const Tensor at = transposed<T>(a), bt = transposed<T>(b);
  CHECK(values(run_one("MatMul", {at, b}, {{"transpose_a", true}})) == c);
  CHECK(values(run_one("MatMul", {a, bt}, {{"transpose_b", true}})) == c);
  CHECK(values(run_one("MatMul", {at, bt}, {{"transpose_a", true}, {"transpose_b", true}})) == c);
}

}  // namespace

TEST_CASE("products of every real dtype, with transposed factors") {
  check_dtype<float>(1e-6);
  check_dtype<double>(1e-15);
  check_dtype<half>(2e-3);
  check_dtype<bfloat16>(2e-2);
  check_dtype<std::int32_t>(0);
  check_dtype<std::int64_t>(0);
  check_dtype<std::uint8_t>(0);
  check_dtype<std::uint16_t>(0);
}

TEST_CASE("integers wrap, signs count") {
  const Tensor a = Tensor::of<std::int32_t>({1, 2}, {-3, 2'000'000'000}), b = Tensor::of<std::int32_t>({2, 1}, {5, 2});
  CHECK(values(run_one("MatMul", {a, b})) == std::vector<double>{-294'967'311});
  const Tensor c = Tensor::of<std::uint8_t>({1, 2}, {20, 20});
  CHECK(values(run_one("MatMul", {c, c}, {{"transpose_b", true}})) == std::vector<double>{32});
}

TEST_CASE("complex products; adjoints conjugate, transposes do not") {
  using C = std::complex<float>;
  const Tensor a = Tensor::of<C>({1, 2}, {{1, 2}, {3, -1}}), b = Tensor::of<C>({2, 1}, {{0, 1}, {2, 2}});
  // (1+2i) i + (3-i)(2+2i) = (-2+i) + (8+4i)
  CHECK(run_one("MatMul", {a, b}).data<C>()[0] == C(6, 5));
  const Tensor column = Tensor::of<C>({2, 1}, {{1, 2}, {3, -1}});
  CHECK(run_one("MatMul", {column, b}, {{"transpose_a", true}}).data<C>()[0] == C(6, 5));
  // (1-2i) i + (3+i)(2+2i) = (2+i) + (4+8i)
  CHECK(run_one("BatchMatMulV2", {column, b}, {{"adj_x", true}}).data<C>()[0] == C(6, 9));
  // (1+2i)(-i) + (3-i)(2-2i) = (2-i) + (4-8i)
  const Tensor row = Tensor::of<C>({1, 2}, {{0, 1}, {2, 2}});
  CHECK(run_one("BatchMatMulV2", {a, row}, {{"adj_y", true}}).data<C>()[0] == C(6, -9));
}

TEST_CASE("batches of products broadcast") {
  const Tensor a = test::numbers<double>({2, 1, 3, 4}, -1, 1, 1), b = test::numbers<double>({5, 4, 2}, -1, 1, 2);
  const Tensor c = run_one("BatchMatMulV2", {a, b});
  REQUIRE(c.shape() == Shape{2, 5, 3, 2});
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      const Tensor one = run_one("MatMul", {a.reshaped({2, 12}).rows(i, 1).reshaped({3, 4}), b.rows(j, 1).reshaped({4, 2})});
      for (std::int64_t k = 0; k < 6; ++k)
        REQUIRE(c.data<double>()[(i * 5 + j) * 6 + k] == Approx(one.data<double>()[k]).epsilon(1e-14));
    }
  }
  CHECK(run_one("BatchMatMulV2", {a, test::numbers<double>({4, 2}, 0, 1)}).shape() == Shape{2, 1, 3, 2});
}

TEST_CASE("products of empty factors") {
  const Tensor none(DType::Float32, {2, 0});
  CHECK(values(run_one("MatMul", {none, Tensor(DType::Float32, {0, 2})})) == std::vector<double>{0, 0, 0, 0});
  CHECK(run_one("MatMul", {Tensor(DType::Float32, {0, 3}), Tensor(DType::Float32, {3, 2})}).shape() == Shape{0, 2});
  CHECK(run_one("BatchMatMulV2", {Tensor(DType::Float32, {0, 2, 3}), Tensor(DType::Float32, {0, 3, 4})}).shape() ==
        Shape{0, 2, 4});
}

TEST_CASE("a product that is large enough for the blocked loops and the library") {
  const Tensor a = test::numbers<float>({90, 310}, -1, 1, 1), b = test::numbers<float>({310, 70}, -1, 1, 2);
  const std::vector<double> x = values(a), y = values(b), c = values(run_one("MatMul", {a, b}));
  for (std::size_t i = 0; i < 90; ++i) {
    for (std::size_t j = 0; j < 70; ++j) {
      double want = 0;
      for (std::size_t p = 0; p < 310; ++p) want += x[i * 310 + p] * y[p * 70 + j];
      REQUIRE(std::fabs(c[i * 70 + j] - want) < 2e-5);
    }
  }
}

TEST_CASE("factors that do not fit are refused") {
  const Tensor a(DType::Float32, {2, 3}), vector(DType::Float32, {3}), cube(DType::Float32, {1, 3, 2});
  CHECK(test::code_of([&] { run_one("MatMul", {a, a}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("MatMul", {a, vector}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("MatMul", {cube, cube}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("BatchMatMulV2", {a, vector}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] {
          run_one("BatchMatMulV2", {Tensor(DType::Float32, {2, 2, 3}), Tensor(DType::Float32, {3, 3, 2})});
        }) == Code::InvalidArgument);
}
