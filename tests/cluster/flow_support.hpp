#pragma once
// What tests of conditionals and loops share.

#include <functional>

#include <dgraph/dgraph.hpp>

namespace dgraph::test {

inline Op<float> scalar_input() { return placeholder<float>(PartialShape(Shape())); }
inline Op<int> count_input() { return placeholder<int>(PartialShape(Shape())); }
inline Op<bool> bool_input() { return placeholder<bool>(PartialShape(Shape())); }

/// Equal in shape and elements; Catch takes xtensor's comparisons apart.
inline bool same(const xt::xarray<float>& a, const xt::xarray<float>& b) { return a == b; }

/// The central difference of a function of one number.
inline double slope(const std::function<double(double)>& f, double x) {
  constexpr double kStep = 1e-6;
  return (f(x + kStep) - f(x - kStep)) / (2 * kStep);
}

}  // namespace dgraph::test
