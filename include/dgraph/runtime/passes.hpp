#pragma once
// Graph passes on a StepGraph: NoOps dissolved, identities removed, constants folded, common
// subexpressions merged.

#include <dgraph/runtime/plan_types.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// Replaces NoOps by their control inputs, in their consumers and as targets, and moves those of
/// constants that are in no branch or loop to their consumers, so that they can be copied; but not
/// where that would multiply edges.
void move_controls(StepGraph& graph);

/// One walk that does what the options leave on. Needs placed nodes. What changes order or liveness
/// is kept: control inputs move along, ops with effects run as before.
void optimize(StepGraph& graph, const PlanOptions& options);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/passes.ipp>
#endif
