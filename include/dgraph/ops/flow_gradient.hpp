#pragma once
// Gradients of conditionals and of loops as a whole.

#include <dgraph/graph/gradient_walk.hpp>
#include <dgraph/ops/flow_context.hpp>

namespace dgraph::detail {

/// `GradientOps::flow`: a conditional's gradient is a conditional on the same predicate, with zeros for the branch that was not
/// taken; a loop's is a loop of as many iterations over values that the first one keeps on stacks.
void flow_gradient(GradientWalk& walk, FlowContext& context);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/flow_gradient.ipp>
#endif
