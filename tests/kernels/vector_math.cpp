#include <dgraph/kernels/vector_math.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>

using namespace dgraph::detail;

namespace {

// Distance in units of the last place of the right result.
template <class T>
double ulps(T got, long double want) {
  const T nearest = static_cast<T>(want);
  if (std::isnan(nearest)) return std::isnan(got) ? 0 : 1e30;
  if (got == nearest) return 0;
  if (std::isinf(nearest) || std::isinf(got) || std::isnan(got)) return 1e30;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const T unit = std::max(std::ldexp(T(1), exponent - std::numeric_limits<T>::digits), std::numeric_limits<T>::denorm_min());
  return static_cast<double>(std::fabs((static_cast<long double>(got) - want) / unit));
}

template <class T, class F, class G>
double worst(F f, G exact, double low, double high) {
  double most = 0;
  constexpr int kSteps = 20'000;
  for (int i = 0; i <= kSteps; ++i) {
    const T x = static_cast<T>(low + (high - low) * i / kSteps);
    most = std::max(most, ulps(f(x), exact(static_cast<long double>(x))));
  }
  return most;
}

template <class T>
void check_accuracy() {
  const bool single = sizeof(T) == 4;
  const auto exp_exact = [](long double x) { return std::exp(x); };
  const auto log_exact = [](long double x) { return std::log(x); };
  const auto log1p_exact = [](long double x) { return std::log1p(x); };
  const auto tanh_exact = [](long double x) { return std::tanh(x); };
  const auto sigmoid_exact = [](long double x) { return 1 / (1 + std::exp(-x)); };
  CHECK(worst<T>([](T x) { return exp_of(x); }, exp_exact, -1, 1) < 1.1);
  CHECK(worst<T>([](T x) { return exp_of(x); }, exp_exact, single ? -103 : -745, single ? 88.7 : 709.7) < 1.1);
  CHECK(worst<T>([](T x) { return log_of(x); }, log_exact, 0.5, 2) < 1.1);
  CHECK(worst<T>([](T x) { return log_of(x); }, log_exact, 1e-30, 1e5) < 1.1);
  CHECK(worst<T>([](T x) { return log1p_of(x); }, log1p_exact, -0.99, 3) < 1.7);
  CHECK(worst<T>([](T x) { return log1p_of(x); }, log1p_exact, -1e-3, 1e-3) < 1.7);
  CHECK(worst<T>([](T x) { return tanh_of(x); }, tanh_exact, -1, 1) < 2.6);
  CHECK(worst<T>([](T x) { return tanh_of(x); }, tanh_exact, -25, 25) < 2.6);
  CHECK(worst<T>([](T x) { return sigmoid_of(x); }, sigmoid_exact, single ? -80 : -700, 40) < 2.6);
}

template <class T>
void check_special_values() {
  constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T least = std::numeric_limits<T>::denorm_min();
  CHECK(exp_of(T(0)) == T(1));
  CHECK(exp_of(infinity) == infinity);
  CHECK(exp_of(-infinity) == T(0));
  CHECK(exp_of(T(800)) == infinity);
  CHECK(exp_of(T(-800)) == T(0));
  CHECK(std::isnan(exp_of(nan)));
  CHECK(log_of(T(1)) == T(0));
  CHECK(log_of(T(0)) == -infinity);
  CHECK(log_of(T(-0.0)) == -infinity);
  CHECK(log_of(infinity) == infinity);
  CHECK(std::isnan(log_of(T(-1))));
  CHECK(std::isnan(log_of(-infinity)));
  CHECK(std::isnan(log_of(nan)));
  CHECK(ulps(log_of(least), std::log(static_cast<long double>(least))) < 1);
  CHECK(log1p_of(T(0)) == T(0));
  CHECK(std::signbit(log1p_of(T(-0.0))));
  CHECK(log1p_of(T(-1)) == -infinity);
  CHECK(log1p_of(infinity) == infinity);
  CHECK(std::isnan(log1p_of(T(-2))));
  CHECK(std::isnan(log1p_of(nan)));
  CHECK(log1p_of(least) == least);
  CHECK(tanh_of(T(0)) == T(0));
  CHECK(std::signbit(tanh_of(T(-0.0))));
  CHECK(tanh_of(infinity) == T(1));
  CHECK(tanh_of(-infinity) == T(-1));
  CHECK(std::isnan(tanh_of(nan)));
  CHECK(tanh_of(T(1e-20)) == T(1e-20));
  CHECK(sigmoid_of(T(0)) == T(0.5));
  CHECK(sigmoid_of(infinity) == T(1));
  CHECK(sigmoid_of(-infinity) == T(0));
  CHECK(std::isnan(sigmoid_of(nan)));
  CHECK(root_of(T(2)) == std::sqrt(T(2)));
  CHECK(copy_sign(T(3), T(-0.0)) == T(-3));
  CHECK(abs_of(T(-3)) == T(3));
}

}  // namespace

TEST_CASE("functions of float are within their bounds of the right values") { check_accuracy<float>(); }
TEST_CASE("functions of double are within their bounds of the right values") { check_accuracy<double>(); }
TEST_CASE("infinities, zeros, NaN and subnormal numbers") {
  check_special_values<float>();
  check_special_values<double>();
}
