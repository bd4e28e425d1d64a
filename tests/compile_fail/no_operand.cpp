// expect: dgraph: this type is no operand
#include <dgraph/ops/operators.hpp>

struct Matrix {};
auto f(const dgraph::Op<float>& a, const Matrix& b) { return a + b; }
