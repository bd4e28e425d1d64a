#pragma once
#include <dgraph/ops/random.hpp>

namespace dgraph::ops {

DGRAPH_DECL void RandomUniformInt::shape(ShapeContext& c) {
  c.with_rank(1, 0);
  c.with_rank(2, 0);
  c.set_output(0, c.as_shape(0));
}

}  // namespace dgraph::ops
