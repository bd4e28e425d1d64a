#pragma once
#include <dgraph/ops/complex.hpp>

namespace dgraph::ops {

DGRAPH_DECL void Conj::gradient(GradientContext& g) { g.set(0, g.add<Conj>(g.dy())); }

}  // namespace dgraph::ops
