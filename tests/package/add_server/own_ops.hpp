#pragma once
#include <dgraph/ops.hpp>

namespace own {

using Ops = dgraph::OpSet<dgraph::StandardOps>;

}  // namespace own
