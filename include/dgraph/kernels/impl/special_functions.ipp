#pragma once
#include <dgraph/kernels/special_functions.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include <dgraph/base/config.hpp>

namespace dgraph::detail {

inline constexpr double kEpsilon = 0x1p-53;
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();
/// Series and continued fractions of the incomplete functions need about the square root of their
/// largest argument in terms; beyond this many what they have is taken.
inline constexpr int kMostTerms = 100'000;

// A first guess (Giles, "Approximating the erfinv function", single precision), then Halley's
// steps; the tails are held against erfc of 1 - |x|, which is exact.
DGRAPH_DECL double erfinv(double x) {
  const double size = std::abs(x);
  if (!(size < 1)) return size == 1 ? std::copysign(kNoBound, x) : kNoNumber;
  const double half_root_pi = 0.5 / std::numbers::inv_sqrtpi;
  if (size < 1e-8) return x * half_root_pi;
  double w = -std::log((1 - size) * (1 + size)), y;
  if (w < 5) {
    w -= 2.5;
    y = 2.81022636e-08;
    for (const double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                           -0.00125372503, -0.00417768164, 0.246640727, 1.50140941})
      y = c + y * w;
  } else if (w < 16) {
    w = std::sqrt(w) - 3;
    y = -0.000200214257;
    for (const double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                           -0.0076224613, 0.00943887047, 1.00167406, 2.83297682})
      y = c + y * w;
  } else {
    // From erfc(y) = e^(-y^2) / (y sqrt(pi)), nearly.
    const double tail = -std::log(1 - size);
    y = std::sqrt(tail + std::log(std::numbers::inv_sqrtpi / std::sqrt(tail)));
  }
  y *= size;
  for (int step = 0; step < 3; ++step) {
    const double error = size < 0.5 ? std::erf(y) - size : (1 - size) - std::erfc(y);
    const double newton = error * half_root_pi * std::exp(y * y);
    y -= newton / (1 + y * newton);
  }
  return std::copysign(y, x);
}

DGRAPH_DECL double log_gamma(double x) {
#if defined(__GLIBC__) || defined(__APPLE__)
  int sign;
  return ::lgamma_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

// The recurrence up to 10 and Bernoulli's series beyond; the reflection formula below 0.
DGRAPH_DECL double digamma(double x) {
  if (x == kNoBound) return x;
  double reflected = 0;
  if (x <= 0) {
    const double whole = std::floor(x);
    if (!(x > whole)) return kNoNumber;
    const double part = x - whole > 0.5 ? x - (whole + 1) : x - whole;
    reflected = part == 0.5 ? 0 : std::numbers::pi / std::tan(std::numbers::pi * part);
    x = 1 - x;
  }
  double below = 0;
  for (; x < 10; x += 1) below += 1 / x;
  const double z = 1 / (x * x);
  double series = 1.0 / 12;
  for (const double c : {-691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12})
    series = c + series * z;
  return std::log(x) - 0.5 / x - series * z - below - reflected;
}

// Euler and Maclaurin's formula behind the first ten terms, q > 0 (Cephes' zeta).
DGRAPH_DECL double zeta_of_positive(double x, double q) {
  double sum = std::pow(q, -x), at = q, term = 0;
  for (int i = 0; i < 9 || at <= 9; ++i) {
    at += 1;
    term = std::pow(at, -x);
    sum += term;
    if (term <= kEpsilon * sum) return sum;
  }
  sum += term * at / (x - 1) - 0.5 * term;
  double factor = 1, k = 0;
  // (2 j)! divided by Bernoulli's number 2 j.
  for (const double divisor :
       {12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10,
        -2.950130727918164224e12, 1.1646782814350067249e14, -4.5979787224074726105e15,
        1.8152105401943546773e17, -7.1661652561756670113e18}) {
    factor *= x + k;
    term /= at;
    const double change = factor * term / divisor;
    sum += change;
    if (std::abs(change) <= kEpsilon * std::abs(sum)) break;
    factor *= x + k + 1;
    term /= at;
    k += 2;
  }
  return sum;
}

DGRAPH_DECL double hurwitz_zeta(double x, double q) {
  if (x == 1) return kNoBound;
  if (!(x > 1) || std::isnan(q)) return kNoNumber;
  if (q > 0) return zeta_of_positive(x, q);
  const double whole = std::floor(q);
  const bool even = std::fmod(x, 2) == 0;
  if (q == whole) return even ? kNoBound : kNoNumber;
  if (x != std::floor(x)) return kNoNumber;
  // Terms below 0 are those of two other series, up to the sign.
  const double part = q - whole;
  const double below = zeta_of_positive(x, 1 - part) - zeta_of_positive(x, 1 - q);
  return zeta_of_positive(x, part) + (even ? below : -below);
}

DGRAPH_DECL double polygamma(double n, double x) {
  if (!(n >= 0) || n != std::floor(n)) return kNoNumber;
  if (n == 0) return digamma(x);
  const double size = std::exp(log_gamma(n + 1)) * hurwitz_zeta(n + 1, x);
  return std::fmod(n, 2) == 0 ? -size : size;
}

// x^a e^-x / gamma(a). Of a large a by Stirling's formula around x = a, where the exponents cancel.
DGRAPH_DECL double gamma_density(double a, double x) {
  const double m = (x - a) / a;
  if (a < 10 || std::abs(m) > 0.4) return std::exp(a * std::log(x) - x - log_gamma(a));
  // log(1 + m) - m by the series of the area tangent.
  const double r = m / (2 + m), y = r * r;
  double series = 0;
  for (int k = 25; k >= 3; k -= 2) series = 1.0 / k + y * series;
  const double exponent = a * (2 * r * y * series - r * m);
  const double z = 1 / (a * a);
  double correction = 1.0 / 156;
  for (const double c :
       {-691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12})
    correction = c + correction * z;
  return std::sqrt(a / (2 * std::numbers::pi)) * std::exp(exponent - correction / a);
}

// P(a, x) and its derivative by a: the series, for x below a or 1.
struct WithSlope {
  double value, slope;
};
DGRAPH_DECL WithSlope igamma_series(double a, double x) {
  double sum = 1, term = 1, dsum = 0, dterm = 0, r = a;
  for (int i = 0; i < kMostTerms; ++i) {
    r += 1;
    dterm = (dterm - term / r) * (x / r);
    term *= x / r;
    sum += term;
    dsum += dterm;
    if (term <= kEpsilon * sum && std::abs(dterm) <= kEpsilon * std::abs(dsum)) break;
  }
  const double scale = gamma_density(a, x) / a;
  return {scale * sum, scale * (sum * (std::log(x) - digamma(a + 1)) + dsum)};
}

// Q(a, x) and its derivative by a: the continued fraction (Cephes' igamc), for x beyond a and 1.
DGRAPH_DECL WithSlope igammac_fraction(double a, double x) {
  constexpr double kLarge = 0x1p52;
  double y = 1 - a, z = x + y + 1, c = 0;
  double p2 = 1, q2 = x, p1 = x + 1, q1 = z * x, ratio = p1 / q1;
  double dp2 = 0, dq2 = 0, dp1 = 0, dq1 = -x, dratio = (dp1 - ratio * dq1) / q1;
  for (int i = 0; i < kMostTerms; ++i) {
    c += 1;
    y += 1;
    z += 2;
    const double yc = y * c;
    const double p = p1 * z - p2 * yc, q = q1 * z - q2 * yc;
    const double dp = dp1 * z - p1 - dp2 * yc + p2 * c, dq = dq1 * z - q1 - dq2 * yc + q2 * c;
    bool done = false;
    if (q != 0) {
      const double before = ratio, dbefore = dratio;
      ratio = p / q;
      dratio = (dp - ratio * dq) / q;
      done = std::abs(ratio - before) <= kEpsilon * std::abs(ratio) &&
             std::abs(dratio - dbefore) <= 4 * kEpsilon * std::abs(dratio);
    }
    p2 = p1, p1 = p, q2 = q1, q1 = q, dp2 = dp1, dp1 = dp, dq2 = dq1, dq1 = dq;
    if (done) break;
    if (std::abs(p) > kLarge)
      for (double* const part : {&p2, &p1, &q2, &q1, &dp2, &dp1, &dq2, &dq1}) *part /= kLarge;
  }
  const double scale = gamma_density(a, x);
  return {scale * ratio, scale * (ratio * (std::log(x) - digamma(a)) + dratio)};
}

DGRAPH_DECL double igamma(double a, double x) {
  if (x == 0) return 0;
  if (!(x > 0) || !(a > 0)) return kNoNumber;
  if (x == kNoBound) return a == kNoBound ? kNoNumber : 1;
  if (a == kNoBound) return 0;
  return x > 1 && x > a ? 1 - igammac_fraction(a, x).value : igamma_series(a, x).value;
}

DGRAPH_DECL double igammac(double a, double x) {
  if (!(x >= 0) || !(a > 0)) return kNoNumber;
  if (x == 0) return 1;
  if (x == kNoBound) return a == kNoBound ? kNoNumber : 0;
  if (a == kNoBound) return 1;
  return x > 1 && x > a ? igammac_fraction(a, x).value : 1 - igamma_series(a, x).value;
}

DGRAPH_DECL double igamma_grad_a(double a, double x) {
  if (x == 0) return 0;
  if (!(x > 0) || !(a > 0)) return kNoNumber;
  if (x == kNoBound || a == kNoBound) return x == a ? kNoNumber : 0;
  return x > 1 && x > a ? -igammac_fraction(a, x).slope : igamma_series(a, x).slope;
}

// The continued fraction of the incomplete beta function by Lentz' method (Numerical Recipes, 6.4).
DGRAPH_DECL double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto no_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / no_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int i = 1; i < kMostTerms; ++i) {
    const double m = i, twice = a + 2 * m;
    const double even = m * (b - m) * x / ((twice - 1) * twice);
    d = 1 / no_zero(1 + even * d);
    c = no_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / (twice * (twice + 1));
    d = 1 / no_zero(1 + odd * d);
    c = no_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) <= 2 * kEpsilon) break;
  }
  return value;
}

DGRAPH_DECL double betainc(double a, double b, double x) {
  if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1)) return kNoNumber;
  if (x == 0 || x == 1) return x;
  const double scale = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) +
                                b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return scale * beta_fraction(a, b, x) / a;
  return 1 - scale * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace dgraph::detail
