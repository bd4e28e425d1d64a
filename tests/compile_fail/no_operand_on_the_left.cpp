// expect: dgraph: this type is no operand
#include <dgraph/ops/operators.hpp>

struct Matrix {};
auto f(const Matrix& a, const dgraph::Op<float>& b) { return a / b; }
