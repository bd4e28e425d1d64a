// expect: dgraph: this type is no operand
#include <dgraph/ops/operators.hpp>

auto f(const dgraph::Op<float>& a, const dgraph::Output& b) { return a + b; }
