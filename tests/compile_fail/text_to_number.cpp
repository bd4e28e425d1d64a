// expect: dgraph: a string meets a value of another dtype
#include <dgraph/ops/operators.hpp>

auto f(const dgraph::Op<float>& a) { return a + "one"; }
