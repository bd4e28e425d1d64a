// expect: dgraph: Op<T> needs an element type
#include <dgraph/graph/output.hpp>

dgraph::Op<char> f() { return {}; }
