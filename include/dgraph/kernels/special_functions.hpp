#pragma once
// The special functions of kernels/special.hpp for double: errors are a few units in the last places
// where the function is well conditioned. NaN goes through; outside of a function's domain it is NaN.

namespace dgraph::detail {

/// The inverse of erf: infinite at -1 and 1.
double erfinv(double x);
/// log |gamma(x)|: infinite at 0, -1, ...; unlike std::lgamma it writes to no global.
double log_gamma(double x);
/// The derivative of log_gamma: NaN at 0, -1, ...
double digamma(double x);
/// The derivative of order n of digamma, n = 0, 1, ...
double polygamma(double n, double x);
/// Hurwitz' zeta function, the sum of (q + k)^-x over k >= 0, for x > 1. At a q of 0, -1, ... it is
/// infinite for even x and NaN for others; for other negative q x is to be whole.
double hurwitz_zeta(double x, double q);

/// The regularised incomplete gamma functions for a > 0, x >= 0: P from 0 to x, Q = 1 - P from x on.
double igamma(double a, double x);
double igammac(double a, double x);
/// The derivative of igamma by a.
double igamma_grad_a(double a, double x);
/// The regularised incomplete beta function for a, b > 0 and x in [0, 1].
double betainc(double a, double b, double x);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/special_functions.ipp>
#endif
