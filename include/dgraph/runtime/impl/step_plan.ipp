#pragma once
#include <dgraph/runtime/step_plan.hpp>

#include <dgraph/runtime/dead_branches.hpp>
#include <dgraph/runtime/partitioner.hpp>
#include <dgraph/runtime/passes.hpp>
#include <dgraph/runtime/placer.hpp>
#include <dgraph/runtime/prune.hpp>
#include <dgraph/runtime/reads.hpp>

namespace dgraph {

DGRAPH_DECL StepPlan plan_step(const std::shared_ptr<const GraphCore>& graph, std::size_t version,
                               const StepSignature& signature, const PlanOptions& options) {
  PlanOptions passes = options;
  const GraphPasses& on = options.config.passes;
  const bool any = options.config.optimizer_level != 0;
  passes.fold_constants &= any && on.fold_constants;
  passes.merge_common &= any && on.merge_common;
  passes.remove_identities &= any && on.remove_identities;
  passes.remove_dead_branches &= any && on.remove_dead_branches;
  detail::StepGraph step = detail::prune(graph, version, signature, options.kernels);
  if (passes.remove_identities) detail::move_controls(step);
  detail::insert_reads(step);
  detail::place(step, passes);
  if (passes.remove_dead_branches) detail::remove_dead_branches(step);
  detail::optimize(step, passes);
  detail::remove_unneeded(step);
  return detail::partition(step, passes);
}

}  // namespace dgraph
