#pragma once
#include <dgraph/graph.hpp>

namespace own {

using Ops = dgraph::OpSet<dgraph::StandardOps>;

}  // namespace own
