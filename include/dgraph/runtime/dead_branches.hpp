#pragma once
// The pass that removes branches which a constant predicate never takes.

#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// Takes out Switches with constant predicates, what lies in branches that they never take, and Merges that are left with one
/// input. Nothing where a fetch would be dead, which is an error of the step.
void remove_dead_branches(StepGraph& graph);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/dead_branches.ipp>
#endif
