// expect: dgraph: a number is no bool and a bool is no number
#include <dgraph/ops/operators.hpp>

auto f(const dgraph::Op<float>& a) { return a * true; }
