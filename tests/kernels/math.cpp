#include <dgraph/kernels/math.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/kernels.hpp"
#include "support/operations.hpp"

using namespace dgraph;
using test::contains;
using test::run_one;
using test::values;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

template <class T>
double tolerance() {
  if (std::is_same_v<T, bfloat16>) return 1e-2;
  if (std::is_same_v<T, half>) return 1e-3;
  return sizeof(T) == 4 ? 5e-7 : 1e-15;
}

template <class T>
void check_unary(const char* op, double (*exact)(double), double low, double high) {
  const Tensor x = test::numbers<T>({777}, low, high), y = run_one(op, {x});
  CHECK(y.dtype() == x.dtype());
  // Subnormal numbers of float16 are coarser.
  const double least = std::is_same_v<T, half> ? 1e-4 : 1e-30;
  const std::vector<double> in = values(x), out = values(y);
  for (std::size_t i = 0; i < in.size(); ++i) {
    INFO(op << " of " << in[i] << " as " << dtype_name(x.dtype()));
    REQUIRE(std::fabs(out[i] - exact(in[i])) <= tolerance<T>() * (std::fabs(exact(in[i])) + least));
  }
}

template <class T>
void check_binary(const char* op, double (*exact)(double, double), double low, double high) {
  const Tensor x = test::numbers<T>({31, 17}, low, high, 2), y = test::numbers<T>({17}, low, high, 3);
  const std::vector<double> a = values(x), b = values(y), out = values(run_one(op, {x, y}));
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(op << " of " << a[i] << ", " << b[i % 17] << " as " << dtype_name(x.dtype()));
    const double want = exact(a[i], b[i % 17]);
    REQUIRE(std::fabs(out[i] - want) <= tolerance<T>() * (std::fabs(want) + std::fabs(a[i]) + std::fabs(b[i % 17])));
  }
}

template <class T>
void check_floats() {
  check_unary<T>("Neg", [](double x) { return -x; }, -5, 5);
  check_unary<T>("Abs", [](double x) { return std::fabs(x); }, -5, 5);
  check_unary<T>("Sign", [](double x) { return double((x > 0) - (x < 0)); }, -5, 5);
  check_unary<T>("Square", [](double x) { return x * x; }, -5, 5);
  check_unary<T>("Reciprocal", [](double x) { return 1 / x; }, 0.1, 5);
  check_unary<T>("Sqrt", [](double x) { return std::sqrt(x); }, 0, 5);
  check_unary<T>("Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.1, 5);
  check_unary<T>("Exp", [](double x) { return std::exp(x); }, -5, 5);
  check_unary<T>("Log", [](double x) { return std::log(x); }, 0.1, 5);
  check_unary<T>("Log1p", [](double x) { return std::log1p(x); }, -0.9, 5);
  check_unary<T>("Tanh", [](double x) { return std::tanh(x); }, -5, 5);
  check_unary<T>("Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, -5, 5);
  check_unary<T>("Relu", [](double x) { return x < 0 ? 0 : x; }, -5, 5);
  check_binary<T>("AddV2", [](double a, double b) { return a + b; }, -5, 5);
  check_binary<T>("Sub", [](double a, double b) { return a - b; }, -5, 5);
  check_binary<T>("Mul", [](double a, double b) { return a * b; }, -5, 5);
  check_binary<T>("RealDiv", [](double a, double b) { return a / b; }, 0.5, 5);
  check_binary<T>("Div", [](double a, double b) { return a / b; }, 0.5, 5);
  check_binary<T>("Maximum", [](double a, double b) { return std::max(a, b); }, -5, 5);
  check_binary<T>("Minimum", [](double a, double b) { return std::min(a, b); }, -5, 5);
  check_binary<T>("Pow", [](double a, double b) { return std::pow(a, b); }, 0.5, 3);
  check_binary<T>("SquaredDifference", [](double a, double b) { return (a - b) * (a - b); }, -5, 5);
}

// Wrapping arithmetic by a wider type.
template <class T>
void check_integers() {
  const auto low = static_cast<double>(std::numeric_limits<T>::lowest());
  const auto high = static_cast<double>(std::numeric_limits<T>::max());
  const Tensor x = test::numbers<T>({300}, low, high, 7), y = test::numbers<T>({300}, low, high, 8);
  const Tensor sum = run_one("AddV2", {x, y}), difference = run_one("Sub", {x, y}), product = run_one("Mul", {x, y});
  const Tensor larger = run_one("Maximum", {x, y}), rectified = run_one("Relu", {x}), square = run_one("Square", {x});
  for (std::size_t i = 0; i < 300; ++i) {
    const T a = x.data<T>()[i], b = y.data<T>()[i];
    const auto wide_a = static_cast<unsigned __int128>(a), wide_b = static_cast<unsigned __int128>(b);
    REQUIRE(sum.data<T>()[i] == static_cast<T>(wide_a + wide_b));
    REQUIRE(difference.data<T>()[i] == static_cast<T>(wide_a - wide_b));
    REQUIRE(product.data<T>()[i] == static_cast<T>(wide_a * wide_b));
    REQUIRE(square.data<T>()[i] == static_cast<T>(wide_a * wide_a));
    REQUIRE(larger.data<T>()[i] == std::max(a, b));
    REQUIRE(rectified.data<T>()[i] == std::max(a, T(0)));
  }
}

template <class T>
void check_division() {
  std::vector<T> interesting{std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), 0, 1, 2, 3, 7, 100};
  if constexpr (std::is_signed_v<T>) interesting.insert(interesting.end(), {T(-1), T(-2), T(-3), T(-7), T(-100)});
  std::vector<T> a, b;
  for (const T x : interesting)
    for (const T y : interesting)
      if (y != 0) a.push_back(x), b.push_back(y);
  const Shape shape{static_cast<std::int64_t>(a.size())};
  const Tensor x = Tensor::of<T>(shape, a), y = Tensor::of<T>(shape, b);
  const Tensor truncated = run_one("Div", {x, y}), floored = run_one("FloorDiv", {x, y}), rest = run_one("FloorMod", {x, y});
  for (std::size_t i = 0; i < a.size(); ++i) {
    const __int128 p = a[i], q = b[i];
    const __int128 whole = p / q, left = p % q;
    const bool down = left != 0 && (left < 0) != (q < 0);
    INFO(+a[i] << " by " << +b[i] << " as " << dtype_name(dtype_of<T>));
    REQUIRE(truncated.data<T>()[i] == static_cast<T>(whole));
    REQUIRE(floored.data<T>()[i] == static_cast<T>(whole - (down ? 1 : 0)));
    REQUIRE(rest.data<T>()[i] == static_cast<T>(down ? left + q : left));
  }
  const Tensor zero = Tensor::scalar<T>(0);
  for (const char* op : {"Div", "RealDiv", "FloorDiv", "FloorMod"}) {
    CHECK_THROWS_WITH(run_one(op, {x, zero}), contains("Integer division by zero"));
    CHECK(test::code_of([&] { run_one(op, {zero, zero}); }) == Code::InvalidArgument);
  }
}

}  // namespace

TEST_CASE("functions of floats agree with the C library's") {
  check_floats<float>();
  check_floats<double>();
  check_floats<half>();
  check_floats<bfloat16>();
}

TEST_CASE("arithmetic on integers wraps") {
  check_integers<std::int8_t>();
  check_integers<std::int16_t>();
  check_integers<std::int32_t>();
  check_integers<std::int64_t>();
  check_integers<std::uint8_t>();
  check_integers<std::uint16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::uint64_t>();
}

TEST_CASE("integer division: towards zero, down, by -1, by zero") {
  check_division<std::int8_t>();
  check_division<std::int16_t>();
  check_division<std::int32_t>();
  check_division<std::int64_t>();
  check_division<std::uint8_t>();
  check_division<std::uint16_t>();
  check_division<std::uint32_t>();
  check_division<std::uint64_t>();
}

TEST_CASE("the least integer stays when negated or made positive") {
  const Tensor least = Tensor::vector<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -5});
  CHECK(values(run_one("Neg", {least})) == std::vector<double>{-2147483648.0, 5});
  CHECK(values(run_one("Abs", {least})) == std::vector<double>{-2147483648.0, 5});
  CHECK(values(run_one("Sign", {least})) == std::vector<double>{-1, -1});
}

TEST_CASE("integer powers wrap, negative exponents are refused") {
  const Tensor base = Tensor::vector<std::int32_t>({2, -3, 0, 7, 2});
  CHECK(values(run_one("Pow", {base, Tensor::vector<std::int32_t>({10, 3, 0, 1, 40})})) ==
        std::vector<double>{1024, -27, 1, 7, 0});
  CHECK(test::code_of([&] { run_one("Pow", {base, Tensor::scalar<std::int32_t>(-1)}); }) == Code::InvalidArgument);
  CHECK(values(run_one("Pow", {Tensor::scalar<std::int64_t>(3), Tensor::scalar<std::int64_t>(39)})) ==
        std::vector<double>{4052555153018976267.0});
}

TEST_CASE("NaN and infinities go through") {
  const Tensor x = Tensor::vector<float>({float(kNan), 1, float(kInfinity), -float(kInfinity)});
  const Tensor y = Tensor::vector<float>({1, float(kNan), 2, 2});
  for (const char* op : {"Maximum", "Minimum"}) {
    const std::vector<double> out = values(run_one(op, {x, y}));
    CHECK(std::isnan(out[0]));
    CHECK(std::isnan(out[1]));
  }
  CHECK(values(run_one("Maximum", {x, y}))[2] == kInfinity);
  CHECK(values(run_one("Minimum", {x, y}))[3] == -kInfinity);
  CHECK(std::isnan(values(run_one("Relu", {x}))[0]));
  CHECK(std::isnan(values(run_one("Sign", {x}))[0]));
  CHECK(std::isnan(values(run_one("Sqrt", {Tensor::scalar<float>(-1)}))[0]));
  CHECK(values(run_one("RealDiv", {Tensor::scalar<float>(1), Tensor::scalar<float>(0)}))[0] == kInfinity);
  CHECK(values(run_one("Reciprocal", {Tensor::scalar<double>(-0.0)}))[0] == -kInfinity);
}

TEST_CASE("floor division and remainder of floats have the divisor's sign") {
  const Tensor a = Tensor::vector<float>({7, -7, 7, -7, 6, 0}), b = Tensor::vector<float>({3, 3, -3, -3, 3, 5});
  CHECK(values(run_one("FloorDiv", {a, b})) == std::vector<double>{2, -3, -3, 2, 2, 0});
  CHECK(values(run_one("FloorMod", {a, b})) == std::vector<double>{1, 2, -2, -1, 0, 0});
}

TEST_CASE("arithmetic and functions of complex numbers") {
  using C = std::complex<float>;
  const C a(1.5f, -2), b(-0.5f, 3);
  const Tensor x = Tensor::vector<C>({a}), y = Tensor::vector<C>({b});
  const auto check = [&](const char* op, std::vector<Tensor> in, C want) {
    const C got = run_one(op, std::move(in)).data<C>()[0];
    INFO(op << ": " << got.real() << " " << got.imag());
    CHECK(std::abs(got - want) <= 2e-6f * (1 + std::abs(want)));
  };
  check("AddV2", {x, y}, a + b);
  check("Sub", {x, y}, a - b);
  check("Mul", {x, y}, a * b);
  check("RealDiv", {x, y}, a / b);
  check("Pow", {x, y}, std::pow(a, b));
  check("Neg", {x}, -a);
  check("Square", {x}, a * a);
  check("Reciprocal", {x}, C(1) / a);
  check("Sqrt", {x}, std::sqrt(a));
  check("Exp", {x}, std::exp(a));
  check("Log", {x}, std::log(a));
  check("Log1p", {x}, std::log(C(1) + a));
  check("Tanh", {x}, std::tanh(a));
  check("Sigmoid", {x}, C(1) / (C(1) + std::exp(-a)));
  check("Sign", {x}, a / std::abs(a));
  check("SquaredDifference", {x, y}, (a - b) * std::conj(a - b));
  check("TanhGrad", {x, y}, b * (C(1) - std::conj(a) * std::conj(a)));
  // Without loss where the number is small.
  check("Log1p", {Tensor::vector<C>({C(1e-6f, 1e-6f)})}, C(1e-6f, 1e-6f));
}

TEST_CASE("gradients of functions from their results") {
  const Tensor y = Tensor::vector<double>({0.25, -0.5, 2}), dy = Tensor::vector<double>({1, 2, -4});
  CHECK(values(run_one("TanhGrad", {y, dy})) == std::vector<double>{0.9375, 1.5, 12});
  CHECK(values(run_one("SigmoidGrad", {y, dy})) == std::vector<double>{0.1875, -1.5, 8});
  CHECK(values(run_one("SqrtGrad", {y, dy})) == std::vector<double>{2, -2, -1});
  CHECK(values(run_one("RsqrtGrad", {y, dy})) == std::vector<double>{-0.0078125, 0.125, 16});
  CHECK(values(run_one("ReciprocalGrad", {y, dy})) == std::vector<double>{-0.0625, -0.5, 16});
  CHECK(values(run_one("ReluGrad", {dy, y})) == std::vector<double>{1, 0, -4});
  CHECK(values(run_one("ReluGrad", {dy, Tensor::vector<double>({0, kNan, 1})})) == std::vector<double>{0, 0, -4});
  CHECK(test::code_of([&] { run_one("TanhGrad", {y, Tensor::scalar<double>(1)}); }) == Code::InvalidArgument);
}

TEST_CASE("functions give the values of TensorFlow") {
  // math.jsonl: Tanh, Sigmoid and Log1p of float32.
  const Tensor x = Tensor::vector<float>({-1.5f, 0.25f, 3});
  const std::vector<double> tanh = values(run_one("Tanh", {x})), sigmoid = values(run_one("Sigmoid", {x}));
  CHECK(tanh[0] == Approx(-0.905148254).epsilon(2e-7));
  CHECK(tanh[1] == Approx(0.244918662).epsilon(2e-7));
  CHECK(sigmoid[0] == Approx(0.182425524).epsilon(2e-7));
  CHECK(sigmoid[2] == Approx(0.952574127).epsilon(2e-7));
}

TEST_CASE("strings are joined, with broadcasting") {
  const Tensor a = Tensor::of<std::string>({2, 1}, {"x", "yy"}), b = Tensor::of<std::string>({3}, {"1", "", "3"});
  const Tensor out = run_one("Add", {a, b});
  CHECK(out.shape() == Shape{2, 3});
  CHECK(out.data<std::string>()[1] == "x");
  CHECK(out.data<std::string>()[5] == "yy3");
}

TEST_CASE("arithmetic on empty tensors") {
  const Tensor empty(DType::Float32, {0, 3});
  CHECK(run_one("Exp", {empty}).shape() == Shape{0, 3});
  CHECK(run_one("AddV2", {empty, Tensor::vector<float>({1, 2, 3})}).shape() == Shape{0, 3});
  CHECK(run_one("Div", {Tensor(DType::Int32, {0}), Tensor::scalar<std::int32_t>(0)}).shape() == Shape{0});
  CHECK(run_one("AddN", {empty, empty}).shape() == Shape{0, 3});
}

TEST_CASE("arithmetic on shapes that do not fit is refused") {
  CHECK(test::code_of([] { run_one("AddV2", {Tensor(DType::Float32, {2, 3}), Tensor(DType::Float32, {2})}); }) ==
        Code::InvalidArgument);
  CHECK(test::code_of([] { run_one("AddN", {Tensor(DType::Float32, {2}), Tensor(DType::Float32, {2, 1})}); }) ==
        Code::InvalidArgument);
}

TEST_CASE("AddN sums in order, in the first input's memory where it may") {
  Tensor a = test::numbers<float>({5000}, -1, 1, 1);
  const Tensor copy = a.clone(), b = test::numbers<float>({5000}, -1, 1, 2), c = test::numbers<float>({5000}, -1, 1, 3);
  const std::byte* at = a.raw();
  std::vector<Tensor> inputs{Tensor(), b, c};
  inputs[0] = std::move(a);
  const Tensor sum = run_one("AddN", std::move(inputs));
  CHECK(sum.raw() == at);
  for (std::size_t i = 0; i < 5000; ++i)
    REQUIRE(sum.data<float>()[i] == (copy.data<float>()[i] + b.data<float>()[i]) + c.data<float>()[i]);
  CHECK(run_one("AddN", {b}).raw() == b.raw());
  CHECK(values(run_one("AddN", {Tensor::vector<std::uint8_t>({200}), Tensor::vector<std::uint8_t>({100})})) ==
        std::vector<double>{44});
  CHECK(values(run_one("AddN", {Tensor::vector<half>({half(1.5)}), Tensor::vector<half>({half(2)})})) ==
        std::vector<double>{3.5});
}

TEST_CASE("dtypes without a kernel are Unimplemented, by name") {
  CHECK(test::code_of([] { run_one("Reciprocal", {Tensor::scalar<std::int32_t>(2)}); }) == Code::Unimplemented);
  CHECK_THROWS_WITH(run_one("Reciprocal", {Tensor::scalar<std::int32_t>(2)}), contains("Reciprocal"));
}
