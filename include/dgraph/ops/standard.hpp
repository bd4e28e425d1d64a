#pragma once
// StandardOps: every op that the library brings. Composed of the families, each of which can be used alone.

#include <dgraph/ops/array.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/complex.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/linalg.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/nn.hpp>
#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/random.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/state.hpp>
#include <dgraph/ops/variable.hpp>

namespace dgraph {

using StandardOps = OpSet<ConstantOps, MathOps, ComplexOps, CompareOps, ReductionOps, LinalgOps, ArrayOps, StateOps,
                          NnOps, RandomOps, ControlFlowOps>;

}  // namespace dgraph
