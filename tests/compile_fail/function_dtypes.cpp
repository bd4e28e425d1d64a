// expect: dgraph: operands of different dtypes; convert one of them with dg::cast<T>(x)
#include <dgraph/ops/linalg.hpp>

auto f(const dgraph::Op<float>& a, const dgraph::Op<double>& b) { return dgraph::matmul(a, b); }
