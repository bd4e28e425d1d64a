#pragma once
// place: a task and a device for every node of a step, with the reason.

#include <dgraph/runtime/plan_types.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// In this order: a holder of state (a variable, a queue) goes where its own device and those
/// colocated with it say, whatever else the step needs, so that it is found again; an op on a
/// handle goes where the state is; a colocation group to the merge of its members' devices; a node
/// to its device (of several that match the master's own task, else the first by name); Shape, Size
/// and Rank without a device to their input; constants, Placeholders and NoOps without a device to
/// their consumers where these agree; the rest to the master's task. Throws InvalidArgument as
/// `plan_step` says.
void place(StepGraph& graph, const PlanOptions& options);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/placer.ipp>
#endif
