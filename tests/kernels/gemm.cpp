#include <dgraph/kernels/gemm.hpp>

#include "support/catch.hpp"

#include <cmath>

#include <dgraph/kernels/simd.hpp>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using detail::GemmBatch;

namespace {

using Multiply = void (*)(const KernelContext&, DType, const GemmBatch&);

template <class T>
void check(Multiply multiply, std::int64_t m, std::int64_t n, std::int64_t k, bool a_transposed, bool b_transposed) {
  const Tensor a = test::numbers<T>({m, k}, 0, 9, 1), b = test::numbers<T>({k, n}, 0, 9, 2);
  Tensor c = test::numbers<T>({m, n}, 100, 200);
  const std::int64_t offset = 0;
  GemmBatch batch{m, n, k, a.raw(), b.raw(), c.mutable_raw(), {k, 1}, {n, 1}, {&offset, 1}, {&offset, 1}};
  if (a_transposed) batch.a_strides = {1, m};
  if (b_transposed) batch.b_strides = {1, k};
  test::ShardedServices services;
  multiply(KernelContext({}, {}, {}, nullptr, nullptr, services), dtype_of<T>, batch);
  INFO(dtype_name(dtype_of<T>) << " " << m << " " << n << " " << k << " " << a_transposed << b_transposed);
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      long double want = 0;
      for (std::int64_t p = 0; p < k; ++p)
        want += static_cast<long double>(a.data<T>()[i * batch.a_strides.row + p * batch.a_strides.column]) *
                static_cast<long double>(b.data<T>()[p * batch.b_strides.row + j * batch.b_strides.column]);
      const auto got = static_cast<long double>(c.data<T>()[i * n + j]);
      wrong += std::fabs(got - want) > (std::is_integral_v<T> ? 0 : sizeof(T) == 4 ? 2e-6L : 1e-14L) * (1 + want);
    }
  }
  REQUIRE(wrong == 0);
}

const std::int64_t kSizes[][3] = {{1, 1, 1}, {3, 5, 2}, {8, 32, 16}, {9, 33, 17}, {1, 100, 50}, {100, 1, 50}, {64, 64, 64},
                                  {65, 63, 300}, {7, 700, 40}, {300, 20, 40}, {33, 17, 600}, {37, 3, 45}, {5, 4, 2500}};

template <class T>
void check_sizes(Multiply multiply) {
  for (const auto& [m, n, k] : kSizes)
    for (const bool a : {false, true})
      for (const bool b : {false, true}) check<T>(multiply, m, n, k, a, b);
}

}  // namespace

TEST_CASE("own loops agree with the definition at every level") {
  for (const SimdLevel level : {SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512}) {
    SimdLimit limit(level);
    check_sizes<float>(&detail::multiply_portably);
    check_sizes<double>(&detail::multiply_portably);
    check_sizes<std::uint32_t>(&detail::multiply_portably);
    check_sizes<std::uint64_t>(&detail::multiply_portably);
  }
}

TEST_CASE("what the build multiplies with agrees with the definition") {
  check_sizes<float>(&detail::multiply);
  check_sizes<double>(&detail::multiply);
  check_sizes<std::uint32_t>(&detail::multiply);
}

TEST_CASE("no depth gives zeros, no rows or columns nothing") {
  EagerServices services;
  const KernelContext context({}, {}, {}, nullptr, nullptr, services);
  const std::int64_t offset = 0;
  float c[6] = {1, 1, 1, 1, 1, 1};
  GemmBatch batch{2, 3, 0, nullptr, nullptr, c, {0, 1}, {3, 1}, {&offset, 1}, {&offset, 1}};
  detail::multiply(context, DType::Float32, batch);
  for (const float x : c) CHECK(x == 0);
  batch.m = 0;
  batch.k = 5;
  batch.c = nullptr;
  detail::multiply(context, DType::Float32, batch);
}

TEST_CASE("a product is the same bits however it is split") {
  const Tensor a = test::numbers<float>({600, 200}, -1, 1, 1), b = test::numbers<float>({200, 700}, -1, 1, 2);
  const std::int64_t offset = 0;
  const auto product = [&](KernelServices& services) {
    Tensor c(DType::Float32, {600, 700});
    detail::multiply(KernelContext({}, {}, {}, nullptr, nullptr, services), DType::Float32,
                     {600, 700, 200, a.raw(), b.raw(), c.mutable_raw(), {200, 1}, {700, 1}, {&offset, 1}, {&offset, 1}});
    return c;
  };
  EagerServices alone;
  test::ShardedServices split;
  CHECK(test::same_bits(product(alone), product(split)));
  CHECK(split.most_shards > 1);
}
