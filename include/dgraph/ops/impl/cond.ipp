#pragma once
#include <dgraph/ops/cond.hpp>

#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/flow_context.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/movement.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/shape.hpp>

namespace dgraph {
namespace detail {

DGRAPH_DECL std::vector<Output> values_of(const FlowItems& items) {
  std::vector<Output> out;
  for (const FlowItem& item : items) out.push_back(item.value);
  return out;
}

DGRAPH_DECL Output add_merge(GraphCore& core, const std::vector<Output>& values, SourceLocation at) {
  Scope scope = need_build_context().scope;
  scope.controls.clear();
  std::vector<Endpoint> inputs;
  for (const Output& value : values) inputs.push_back(value.endpoint());
  AddOptions options;
  options.location = at;
  options.scope = &scope;
  options.own_flow = true;
  options.flow = scope.flow;
  return Output(&core, core.add(definition<ops::Merge>(), inputs, {}, options), 0);
}

// One branch: what its function returns, as nodes that are alive only where it is taken.
DGRAPH_DECL std::vector<Output> build_branch(GraphCore& core, BranchContext& branch, BuildBranch build) {
  const auto inside = flow_scope(&branch);
  std::vector<Output> out;
  for (const FlowItem& item : build()) {
    core.check_mine(item.value);
    const NodeId id = item.value.node_id();
    const Endpoint at = item.effect ? branch.done(core, std::span(&id, 1)) : branch.result(core, item.value.endpoint());
    out.push_back(output_at(core, at));
  }
  return out;
}

DGRAPH_DECL std::vector<Output> build_cond(const Output& pred, BuildBranch if_true, BuildBranch if_false,
                                           const OpName& name) {
  GraphCore& core = *pred.core();
  const auto names = name_scope(name.name.empty() ? "cond" : name.name);
  ValueContext* const around = value_context();
  // Under the control dependencies of this moment: all that is inside waits for it.
  Endpoint decides = pred.endpoint();
  if (!need_build_context().scope.controls.empty() || pred.is_ref())
    decides = add_op<ops::Identity>(OpName("pred_id", name.location), pred).endpoint();
  if (around) decides = around->stand_in(core, decides);
  const auto make = [&](bool taken_if) -> BranchContext& {
    return core.adopt(std::make_unique<BranchContext>(around, decides, taken_if, nullptr, name.location));
  };
  BranchContext &t = make(true), &f = make(false);
  const std::vector<Output> yes = build_branch(core, t, if_true), no = build_branch(core, f, if_false);
  if (yes.size() != no.size())
    fail(Code::InvalidArgument, "cond: if_true gives ", yes.size(), " values, if_false gives ", no.size());
  std::vector<NodeId> merges;
  std::vector<Output> out;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    if (yes[i].dtype() != no[i].dtype())
      fail(Code::InvalidArgument, "cond: value ", i, " of if_true, ", yes[i].name(), ", is of ",
           dtype_name(yes[i].dtype()), ", that of if_false, ", no[i].name(), ", is of ", dtype_name(no[i].dtype()));
    out.push_back(add_merge(core, {no[i], yes[i]}, name.location));
    merges.push_back(out.back().node_id());
  }
  BranchContext::join(f, t, std::move(merges));
  return out;
}

DGRAPH_DECL Output check_cases(const std::vector<Output>& preds, bool exclusive, bool any, SourceLocation at) {
  if (!exclusive && !any) return {};
  GraphCore& core = *preds[0].core();
  const OpName name(at);
  const Output all = add_op<ops::Pack>(name, preds);
  const Output count = add_op<ops::Sum>(name, add_op<ops::Cast>(name, all, "DstT", DType::Int32),
                                        add_constant(Tensor::scalar<std::int32_t>(0), name, &core));
  const Output one = add_constant(Tensor::scalar<std::int32_t>(1), name, &core);
  std::vector<Output> checks;
  const auto check = [&](const Output& right, const char* why) {
    const std::vector<Output> data{add_constant(Tensor::scalar<std::string>(why), name, &core), all};
    checks.push_back(add_op<ops::Assert>(name, right, data));
  };
  if (exclusive) check(add_op<ops::LessEqual>(name, count, one), "case_: more than one predicate is true:");
  if (any) check(add_op<ops::GreaterEqual>(name, count, one), "case_: no predicate is true and there is no default:");
  return run_all(checks, OpName("checked", at));
}

}  // namespace detail
}  // namespace dgraph
