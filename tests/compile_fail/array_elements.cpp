// expect: dgraph: the elements of this value have a type that no tensor can have
#include <dgraph/base/xtensor.hpp>

auto f(const xt::xarray<char>& x) { return dgraph::host_tensor(x); }
