#include <dgraph/base/error.hpp>
#include <dgraph/version.hpp>

int main() { return dgraph::kVersion[0] == '0' ? 0 : 1; }
