// expect: dgraph: a fractional number meets a value of integer dtype
#include <dgraph/ops/operators.hpp>

auto f(const dgraph::Op<int>& a) { return 0.5 - a; }
