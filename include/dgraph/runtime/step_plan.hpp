#pragma once
// plan_step: from a graph and a (feeds, fetches, targets) signature to one partition a task: prune,
// reads, place, optimise, cut.

#include <cstddef>
#include <memory>

#include <dgraph/graph/core.hpp>
#include <dgraph/runtime/plan_types.hpp>

namespace dgraph {

/// Plans a step over the first `version` nodes of the graph. Throws Error, each naming the node:
/// InvalidArgument for a device that no task has (lists those there are), for contradicting
/// colocation, for a feed or fetch that is no output or a handle, for an output fed twice; NotFound
/// for a node that the graph does not have; FailedPrecondition for a node whose op has no kernel;
/// Unimplemented for a loop that spans tasks. The same arguments give the same plan.
StepPlan plan_step(const std::shared_ptr<const GraphCore>& graph, std::size_t version,
                   const StepSignature& signature, const PlanOptions& options);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/step_plan.ipp>
#endif
