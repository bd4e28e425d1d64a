#include <dgraph/kernels/reduction.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::run_one;
using test::values;

namespace {

Tensor axes(std::vector<std::int32_t> of) { return Tensor::of<std::int32_t>({static_cast<std::int64_t>(of.size())}, of); }

// The reduction by a walk of every index, in long double.
std::vector<double> naive(const Tensor& x, const std::vector<std::int32_t>& over, const std::string& op) {
  const std::vector<double> in = values(x);
  const std::size_t rank = x.rank();
  std::vector<bool> reduced(rank, false);
  for (const std::int32_t axis : over) reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis)] = true;
  std::size_t outputs = 1, count = 1;
  for (std::size_t a = 0; a < rank; ++a) (reduced[a] ? count : outputs) *= static_cast<std::size_t>(x.dim(a));
  const bool product = op == "Prod", extreme = op == "Max" || op == "Min";
  const double worst = op == "Max" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  std::vector<long double> out(outputs, product ? 1.0L : extreme ? static_cast<long double>(worst) : 0.0L);
  for (std::size_t flat = 0; flat < in.size(); ++flat) {
    std::size_t left = flat, at = 0, stride = 1;
    for (std::size_t a = rank; a-- > 0;) {
      const std::size_t i = left % static_cast<std::size_t>(x.dim(a));
      left /= static_cast<std::size_t>(x.dim(a));
      if (reduced[a]) continue;
      at += i * stride;
      stride *= static_cast<std::size_t>(x.dim(a));
    }
    const long double value = in[flat];
    if (product) out[at] *= value;
    else if (op == "Max") out[at] = std::max(out[at], value);
    else if (op == "Min") out[at] = std::min(out[at], value);
    else out[at] += value;
  }
  std::vector<double> result;
  for (const long double value : out) result.push_back(static_cast<double>(op == "Mean" ? value / static_cast<long double>(count) : value));
  return result;
}

void check(const char* op, const Tensor& x, const std::vector<std::int32_t>& over, double tolerance) {
  const std::vector<double> want = naive(x, over, op), got = values(run_one(op, {x, axes(over)}));
  INFO(op << " of " << x.shape().to_string() << " " << dtype_name(x.dtype()) << " over " << test::text(axes(over)));
  REQUIRE(got.size() == want.size());
  // Terms of any sign cancel: what is lost depends on how many they are.
  const double scale = 1 + 0.01 * static_cast<double>(x.elements()) / static_cast<double>(std::max<std::size_t>(1, got.size()));
  for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(std::fabs(got[i] - want[i]) <= tolerance * (scale + std::fabs(want[i])));
}

const std::pair<Shape, std::vector<std::int32_t>> kCases[] = {
    {{10}, {0}}, {{}, {}}, {{5, 1}, {1}}, {{3, 4}, {}}, {{3, 4}, {0}}, {{3, 4}, {1}}, {{3, 4}, {0, 1}}, {{3, 4}, {-1}},
    {{2, 3, 4}, {1}}, {{2, 3, 4}, {0, 2}}, {{2, 3, 4}, {0, 1}}, {{2, 3, 4, 5}, {0, 2}}, {{2, 3, 4, 5}, {1, 3}},
    {{2, 3, 4, 5}, {-4, -1}}, {{3000, 2}, {0}}, {{2, 3000}, {1}}, {{1000, 70}, {0}}, {{70, 1000}, {1}}, {{3, 700, 33}, {1}},
    {{200'000}, {0}}, {{40'000, 5}, {0}}, {{300, 600}, {0}}, {{300, 600}, {0, 1}}, {{17, 1, 19}, {0, 1}}, {{1, 1}, {0, 1}},
    {{2, 2, 2, 2, 2, 2, 2, 2}, {1, 3, 5, 7}}, {{65'537, 3}, {0}}, {{100, 64}, {0}}, {{100, 63}, {0}}};

template <class T>
void check_dtype(double low, double high, double tolerance) {
  for (const auto& [shape, over] : kCases) {
    const Tensor x = test::numbers<T>(shape, low, high);
    if constexpr (!std::is_integral_v<T>) {
      check("Sum", x, over, tolerance);
      check("Mean", x, over, tolerance);
    }
    check("Max", x, over, 0);
    check("Min", x, over, 0);
  }
}

}  // namespace

TEST_CASE("reductions over any axes agree with a walk of every index") {
  check_dtype<float>(-1, 1, 2e-6);
  check_dtype<double>(-1, 1, 1e-14);
  check_dtype<half>(0, 0.25, 1e-3);
  check_dtype<bfloat16>(0, 1, 1e-2);
  check_dtype<std::int8_t>(-100, 100, 0);
  check_dtype<std::uint8_t>(0, 200, 0);
  check_dtype<std::int16_t>(-100, 100, 0);
  check_dtype<std::uint16_t>(0, 200, 0);
  check_dtype<std::int32_t>(-100, 100, 0);
  check_dtype<std::uint32_t>(0, 200, 0);
  check_dtype<std::int64_t>(-100, 100, 0);
  check_dtype<std::uint64_t>(0, 200, 0);
}

TEST_CASE("sums and products of integers wrap, means do not") {
  const Tensor bytes = Tensor::vector<std::uint8_t>({200, 100, 7});
  CHECK(values(run_one("Sum", {bytes, axes({0})})) == std::vector<double>{51});
  CHECK(values(run_one("Mean", {bytes, axes({0})})) == std::vector<double>{102});
  CHECK(values(run_one("Prod", {bytes, axes({0})})) == std::vector<double>{224});
  const Tensor large = Tensor::vector<std::int32_t>({2'000'000'000, 2'000'000'000, 1'000'000'000});
  CHECK(values(run_one("Mean", {large, axes({0})})) == std::vector<double>{1'666'666'666});
  CHECK(values(run_one("Mean", {Tensor::vector<std::int32_t>({-3, -4}), axes({0})})) == std::vector<double>{-3});
  check("Sum", test::numbers<std::int32_t>({50, 60}, -1000, 1000), {1}, 0);
  check("Prod", test::numbers<double>({20, 7}, 0.5, 1.5), {0}, 1e-14);
  check("Prod", test::numbers<std::int64_t>({6, 3}, 1, 4), {0}, 0);
}

TEST_CASE("keep_dims and axes of int64") {
  const Tensor x = test::numbers<float>({2, 3, 4}, 0, 1);
  CHECK(run_one("Sum", {x, axes({1})}, {{"keep_dims", true}}).shape() == Shape{2, 1, 4});
  CHECK(run_one("Sum", {x, Tensor::vector<std::int64_t>({0, -1})}, {{"keep_dims", true}}).shape() == Shape{1, 3, 1});
  CHECK(run_one("Max", {x, Tensor::scalar<std::int32_t>(2)}).shape() == Shape{2, 3});
}

TEST_CASE("a reduction of nothing gives the neutral value") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor x(DType::Float32, {0, 2}), ints(DType::Int32, {0});
  CHECK(values(run_one("Sum", {x, axes({0})})) == std::vector<double>{0, 0});
  CHECK(values(run_one("Prod", {x, axes({0})})) == std::vector<double>{1, 1});
  CHECK(values(run_one("Max", {x, axes({0})})) == std::vector<double>{-infinity, -infinity});
  CHECK(values(run_one("Min", {x, axes({0})})) == std::vector<double>{infinity, infinity});
  CHECK(std::isnan(values(run_one("Mean", {x, axes({0})}))[0]));
  CHECK(values(run_one("Max", {ints, axes({0})})) == std::vector<double>{-2147483648.0});
  CHECK(values(run_one("Mean", {ints, axes({0})})) == std::vector<double>{0});
  CHECK(run_one("Sum", {x, axes({1})}).shape() == Shape{0});
  CHECK(run_one("All", {Tensor(DType::Bool, {0}), axes({0})}).item<bool>());
  CHECK_FALSE(run_one("Any", {Tensor(DType::Bool, {0}), axes({0})}).item<bool>());
}

TEST_CASE("NaN goes through the largest, the smallest and the sum, wherever it is") {
  for (const std::int64_t at : {0, 5, 63, 64, 999, 70'000}) {
    Tensor x = test::numbers<float>({70'001}, 0, 1);
    x.mutable_data<float>()[at] = std::numeric_limits<float>::quiet_NaN();
    for (const char* op : {"Max", "Min", "Sum"}) {
      INFO(op << " at " << at);
      CHECK(std::isnan(values(run_one(op, {x, axes({0})}))[0]));
    }
  }
}

TEST_CASE("a sum of a million floats is accurate") {
  const Tensor x = test::numbers<float>({1'000'000}, 0, 1);
  long double exact = 0;
  for (const float value : x.flat<float>()) exact += value;
  CHECK(std::fabs(static_cast<double>(run_one("Sum", {x, axes({0})}).item<float>() - exact)) < 1e-6 * static_cast<double>(exact));
  Tensor tenths(DType::Float32, {1'000'000, 2});
  for (float& value : tenths.mutable_flat<float>()) value = 0.1f;
  for (const double sum : values(run_one("Sum", {tenths, axes({0})}))) CHECK(sum == Approx(100'000).epsilon(1e-6));
}

TEST_CASE("float16 is summed in float32") {
  Tensor x(DType::Float16, {5000});
  for (half& value : x.mutable_flat<half>()) value = half(1);
  // In float16 the sum would stop at 2048.
  CHECK(values(run_one("Sum", {x, axes({0})})) == std::vector<double>{5000});
}

TEST_CASE("a reduction is the same however the work is split") {
  for (const auto& [shape, over] : std::vector<std::pair<Shape, std::vector<std::int32_t>>>{
           {{1'000'003}, {0}}, {{1'000'003, 2}, {0}}, {{1000, 1001}, {1}}, {{1000, 1001}, {0}}, {{100, 100, 100}, {0, 2}}}) {
    const Tensor x = test::numbers<float>(shape, -1, 1);
    test::ShardedServices services;
    for (const char* op : {"Sum", "Mean", "Max"})
      CHECK(test::same_bits(run_one(op, {x, axes(over)}, {}, services), run_one(op, {x, axes(over)})));
    CHECK(services.most_shards > 1);
  }
}

TEST_CASE("all and any") {
  const Tensor x = Tensor::of<bool>({2, 3}, {true, true, true, false, true, false});
  CHECK(values(run_one("All", {x, axes({1})})) == std::vector<double>{1, 0});
  CHECK(values(run_one("Any", {x, axes({0})})) == std::vector<double>{1, 1, 1});
  CHECK(values(run_one("All", {x, axes({0})})) == std::vector<double>{0, 1, 0});
  CHECK(values(run_one("All", {x, axes({})})) == values(x));
}

TEST_CASE("complex sums and means") {
  using C = std::complex<float>;
  const Tensor x = Tensor::vector<C>({{1, 2}, {3, -4}, {5, 5}, {-1, 1}});
  CHECK(run_one("Sum", {x, axes({0})}).item<C>() == C(8, 4));
  CHECK(run_one("Mean", {x, axes({0})}).item<C>() == C(2, 1));
  CHECK(run_one("Prod", {Tensor::vector<C>({{0, 1}, {0, 1}}), axes({0})}).item<C>() == C(-1, 0));
}

TEST_CASE("axes out of range or given twice are refused") {
  const Tensor x(DType::Float32, {2, 3});
  for (const std::vector<std::int32_t>& over : {std::vector<std::int32_t>{2}, {-3}, {0, 0}, {0, -2}})
    CHECK(test::code_of([&] { run_one("Sum", {x, axes(over)}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("Sum", {Tensor::scalar<float>(1), axes({0})}); }) == Code::InvalidArgument);
}

namespace {

template <class T>
void check_arg() {
  const Tensor x = test::numbers<T>({3, 50, 4}, 0, 90);
  const Tensor most = run_one("ArgMax", {x, Tensor::scalar<std::int32_t>(1)});
  const Tensor least = run_one("ArgMin", {x, Tensor::scalar<std::int32_t>(-2)});
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t k = 0; k < 4; ++k) {
      std::int64_t want_most = 0, want_least = 0;
      const auto at = [&](std::int64_t j) { return x.data<T>()[(i * 50 + j) * 4 + k]; };
      for (std::int64_t j = 1; j < 50; ++j) {
        if (at(j) > at(want_most)) want_most = j;
        if (at(j) < at(want_least)) want_least = j;
      }
      REQUIRE(most.data<std::int64_t>()[i * 4 + k] == want_most);
      REQUIRE(least.data<std::int64_t>()[i * 4 + k] == want_least);
    }
  }
  const Tensor rows = x.reshaped({3, 200}), in_rows = run_one("ArgMax", {rows, Tensor::scalar<std::int32_t>(1)});
  for (std::int64_t i = 0; i < 3; ++i) {
    const T* row = rows.data<T>() + i * 200;
    REQUIRE(in_rows.data<std::int64_t>()[i] == std::max_element(row, row + 200) - row);
  }
}

}  // namespace

TEST_CASE("the place of the largest and the smallest, for every real dtype") {
  check_arg<float>();
  check_arg<double>();
  check_arg<half>();
  check_arg<bfloat16>();
  check_arg<std::int8_t>();
  check_arg<std::int16_t>();
  check_arg<std::int32_t>();
  check_arg<std::int64_t>();
  check_arg<std::uint8_t>();
  check_arg<std::uint16_t>();
  check_arg<std::uint32_t>();
  check_arg<std::uint64_t>();
  CHECK(run_one("ArgMax", {Tensor::vector<bool>({false, true, true}), Tensor::scalar<std::int32_t>(0)}).item<std::int64_t>() == 1);
}

TEST_CASE("the place is the first of equals, across blocks, in the dtype asked for") {
  Tensor x = Tensor::zeros(DType::Float32, {5000});
  x.mutable_data<float>()[3000] = x.mutable_data<float>()[4000] = 1;
  const Tensor axis = Tensor::scalar<std::int32_t>(0);
  CHECK(run_one("ArgMax", {x, axis}).item<std::int64_t>() == 3000);
  CHECK(run_one("ArgMin", {x, axis}).item<std::int64_t>() == 0);
  const Tensor narrow = run_one("ArgMax", {x, axis}, {{"output_type", DType::Int32}});
  CHECK(narrow.item<std::int32_t>() == 3000);
  CHECK(run_one("ArgMax", {Tensor(DType::Float32, {3, 0}), axis}).shape() == Shape{0});
}

TEST_CASE("the place in an empty row, or along an axis that is not there, is refused") {
  const Tensor empty(DType::Float32, {0}), x(DType::Float32, {2, 3});
  CHECK(test::code_of([&] { run_one("ArgMax", {empty, Tensor::scalar<std::int32_t>(0)}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("ArgMax", {x, Tensor::scalar<std::int32_t>(2)}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("ArgMax", {x, Tensor::scalar<std::int32_t>(-3)}); }) == Code::InvalidArgument);
  CHECK(test::code_of([&] { run_one("ArgMin", {x, Tensor::vector<std::int32_t>({0, 1})}); }) == Code::InvalidArgument);
}
