#pragma once
#include <dgraph/cluster/session.hpp>

namespace dgraph::detail {

DGRAPH_DECL std::shared_ptr<GraphCore> default_graph() { return need_build_context().core->shared_from_this(); }

}  // namespace dgraph::detail
