#pragma once
// partition: cuts a placed StepGraph into one PartitionDef a task (D5, D9, D11).

#include <dgraph/runtime/plan_types.hpp>
#include <dgraph/runtime/step_graph.hpp>

namespace dgraph::detail {

/// One edge for each (output, consuming task), shared by all consumers there; one of control only
/// for each (node, consuming task) that no data edge of the node goes to and that nothing else
/// implies. Constants and feeds are copied to each task that uses them. An edge between tasks that
/// no cycle of edges joins is paced. Throws what `check_loops_on_one_task` throws; Internal for a
/// handle that would cross.
StepPlan partition(StepGraph& graph, const PlanOptions& options);

}  // namespace dgraph::detail

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/partitioner.ipp>
#endif
