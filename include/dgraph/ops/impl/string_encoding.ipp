#pragma once
#include <dgraph/ops/string_encoding.hpp>

namespace dgraph::ops {

DGRAPH_DECL void DecodeRaw::shape(ShapeContext& c) {
  if (!c.input(0).has_rank()) return;
  Dims out = c.input(0).dims();
  out.push_back(PartialShape::kUnknown);
  c.set_output(0, PartialShape(std::move(out)));
}

}  // namespace dgraph::ops
