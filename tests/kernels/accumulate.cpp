#include <dgraph/kernels/accumulate.hpp>

#include <complex>
#include <vector>

#include <dgraph/base/tensor.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using namespace dgraph::detail;

namespace {

template <class T>
std::byte* bytes(std::vector<T>& x) {
  return reinterpret_cast<std::byte*>(x.data());
}

// 100 sums and differences against plain arithmetic, into new memory and in place.
template <class T, class Plain>
void check_rows(DType dtype, Plain plain) {
  std::vector<T> a, b, out(100);
  for (int i = 0; i < 100; ++i) {
    a.push_back(T(i * 3 % 50));
    b.push_back(T(7 - i % 11));
  }
  RowSum::add(dtype)(bytes(out), bytes(a), bytes(b), 100);
  std::vector<T> in_place = a;
  RowSum::subtract(dtype)(bytes(in_place), bytes(in_place), bytes(b), 100);
  T scale = T(3);
  std::vector<T> scaled = b;
  scaled_difference(dtype)(bytes(scaled), bytes(a), reinterpret_cast<const std::byte*>(&scale),
                           bytes(scaled), 100);
  int wrong = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    wrong += !(out[i] == plain(a[i], b[i], 1));
    wrong += !(in_place[i] == plain(a[i], b[i], -1));
    wrong += !(scaled[i] == plain(a[i], b[i], -3));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("Rows of every number dtype add, subtract and descend") {
  const auto integers = [](auto a, auto b, int k) {
    return static_cast<decltype(a)>(a + b * static_cast<decltype(a)>(k));
  };
  check_rows<std::int8_t>(DType::Int8, integers);
  check_rows<std::uint8_t>(DType::UInt8, integers);
  check_rows<std::int16_t>(DType::Int16, integers);
  check_rows<std::uint16_t>(DType::UInt16, integers);
  check_rows<std::int32_t>(DType::Int32, integers);
  check_rows<std::uint32_t>(DType::UInt32, integers);
  check_rows<std::int64_t>(DType::Int64, integers);
  check_rows<std::uint64_t>(DType::UInt64, integers);
  check_rows<float>(DType::Float32,
                    [](float a, float b, int k) { return a + b * static_cast<float>(k); });
  check_rows<double>(DType::Float64, [](double a, double b, int k) { return a + b * k; });
  check_rows<half>(DType::Float16,
                   [](half a, half b, int k) { return half(float(a) + float(b) * float(k)); });
  check_rows<bfloat16>(DType::BFloat16, [](bfloat16 a, bfloat16 b, int k) {
    return bfloat16(float(a) + float(b) * float(k));
  });
  check_rows<std::complex<float>>(DType::Complex64,
                                  [](auto a, auto b, int k) { return a + b * float(k); });
  check_rows<std::complex<double>>(DType::Complex128,
                                   [](auto a, auto b, int k) { return a + b * double(k); });
}

TEST_CASE("Integers wrap") {
  std::int32_t a = INT32_MAX, b = 1, out = 0;
  const auto at = [](auto& x) { return reinterpret_cast<std::byte*>(&x); };
  RowSum::add(DType::Int32)(at(out), at(a), at(b), 1);
  CHECK(out == INT32_MIN);
  std::uint16_t c = 0, scale = 65535, d = 65535, e = 0;
  scaled_difference(DType::UInt16)(at(e), at(c), at(scale), at(d), 1);
  CHECK(e == 65535);
}

TEST_CASE("Complex rows have two parts for each element, and a scale that is complex") {
  std::complex<float> a[2] = {{1, 2}, {3, 4}}, scale = {0, 1}, b[2] = {{1, 0}, {0, 1}}, out[2];
  scaled_difference(DType::Complex64)(
      reinterpret_cast<std::byte*>(out), reinterpret_cast<std::byte*>(a),
      reinterpret_cast<std::byte*>(&scale), reinterpret_cast<std::byte*>(b), 2);
  CHECK(out[0] == std::complex<float>(1, 1));
  CHECK(out[1] == std::complex<float>(4, 4));
}

TEST_CASE("What is no number has no sums") {
  CHECK_FALSE(RowSum::add(DType::String));
  CHECK_FALSE(RowSum::subtract(DType::Bool));
  CHECK(scaled_difference(DType::Resource) == nullptr);
  CHECK_FALSE(RowSum());
}
