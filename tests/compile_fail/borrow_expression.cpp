// expect: dgraph: borrow needs a row-major container
#include <dgraph/base/xtensor.hpp>

auto f(const xt::xarray<float, xt::layout_type::column_major>& x) { return dgraph::borrow(x); }
