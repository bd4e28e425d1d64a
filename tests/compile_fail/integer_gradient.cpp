// expect: dgraph: gradients need values of floating or complex dtype
#include <dgraph/ops/gradients.hpp>

auto f(const dgraph::Op<int>& y, const dgraph::Op<float>& x) { return dgraph::gradients(y, x); }
