#pragma once
// prune: the nodes that a (feeds, fetches, targets) signature needs of a graph, as a StepGraph.

#include <cstddef>
#include <memory>

#include <dgraph/runtime/plan_types.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// Walks back from fetches and targets, stopping at fed outputs. A fed output hides what is before
/// it; control inputs from a fed Placeholder are dropped. Throws NotFound for a node that is not in
/// the first `version`, InvalidArgument for an output that is none, is a handle or is fed twice,
/// FailedPrecondition for a needed node that `kernels` (where it is given) has no kernel for.
StepGraph prune(const std::shared_ptr<const GraphCore>& graph, std::size_t version,
                const StepSignature& signature, KernelLookup kernels);

/// Drops nodes that neither a fetch nor a target needs any more.
void remove_unneeded(StepGraph& graph);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/prune.ipp>
#endif
