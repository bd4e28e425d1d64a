// expect: dgraph: the elements of this value are of another dtype than the graph value that they meet
#include <dgraph/ops/operators.hpp>

auto f(const dgraph::Op<float>& a, const xt::xarray<double>& x) { return a * x; }
