#pragma once
// For tests of planning: clusters, plans of small graphs, and what is true of every plan.

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <dgraph/graph/graph.hpp>
#include <dgraph/kernels/array.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/kernels/compare.hpp>
#include <dgraph/kernels/constant.hpp>
#include <dgraph/kernels/control_flow.hpp>
#include <dgraph/kernels/math.hpp>
#include <dgraph/kernels/random.hpp>
#include <dgraph/kernels/reduction.hpp>
#include <dgraph/kernels/state.hpp>
#include <dgraph/ops/array.hpp>
#include <dgraph/ops/compare.hpp>
#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/control_flow.hpp>
#include <dgraph/ops/math.hpp>
#include <dgraph/ops/operators.hpp>
#include <dgraph/ops/random.hpp>
#include <dgraph/ops/reduction.hpp>
#include <dgraph/ops/state.hpp>
#include <dgraph/ops/variable.hpp>
#include <dgraph/runtime/step_plan.hpp>

#include "support/catch.hpp"

namespace dgraph::test {

using PlanOps = OpSet<ConstantOps, MathOps, CompareOps, ReductionOps, ArrayOps, StateOps, RandomOps,
                      ControlFlowOps>;
using PlanGraph = BasicGraph<PlanOps>;

/// {{"ps", 2}, {"worker", 2}}: the tasks in that order, each with one CPU.
inline PlanOptions cluster(std::initializer_list<std::pair<const char*, int>> jobs,
                           std::uint32_t master = 0) {
  PlanOptions out;
  for (const auto& [job, count] : jobs)
    for (int i = 0; i < count; ++i) {
      TaskDevices task;
      task.task =
          DeviceSpec::parse("/job:" + std::string(job) + "/replica:0/task:" + std::to_string(i));
      task.devices.push_back(DeviceSpec::parse(task.task.to_string() + "/device:CPU:0"));
      out.tasks.push_back(task);
    }
  out.master = master;
  out.kernels = &find_kernel<PlanOps>;
  return out;
}

inline PlanOptions without_passes(PlanOptions options) {
  options.fold_constants = options.merge_common = options.remove_identities = false;
  return options;
}

inline StepSignature signature(const std::vector<Output>& fetches,
                               const std::vector<Output>& targets = {},
                               const std::vector<Output>& feeds = {}) {
  StepSignature out;
  for (const Output& x : fetches) out.fetches.push_back(x.endpoint());
  for (const Output& x : targets) out.targets.push_back(x.node_id());
  for (const Output& x : feeds) out.feeds.push_back(x.endpoint());
  return out;
}

/// Why a plan is not one that can run; empty where it is.
inline std::string plan_fault(const StepPlan& plan) {
  std::map<std::uint32_t, int> sent, received;
  std::uint32_t last_task = 0;
  for (std::size_t p = 0; p < plan.partitions.size(); ++p) {
    const PartitionDef& part = plan.partitions[p];
    if (p > 0 && part.task <= last_task) return "partitions are not by task";
    last_task = part.task;
    std::set<std::uint32_t> feeds, fetches, sends, recvs;
    for (std::uint32_t i = 0; i < part.nodes.size(); ++i) {
      const PartitionNode& node = part.nodes[i];
      if (node.name.empty() || node.device.empty()) return "a node has no name or device";
      for (const Endpoint& in : node.inputs) {
        if (in.node >= part.nodes.size()) return node.name + ": an input is no node";
        if (in.index >= part.nodes[in.node].outputs.size())
          return node.name + ": an input is no output";
        const bool back = node.kind == PartitionNodeKind::Op && node.def->name == "Merge";
        if (in.node >= i && !back) return node.name + ": an input comes later";
      }
      std::set<std::uint32_t> controls;
      for (std::uint32_t control : node.controls) {
        if (control >= i && node.kind != PartitionNodeKind::Recv)
          return node.name + ": a control input comes later";
        if (!controls.insert(control).second) return node.name + ": a control input twice";
      }
      switch (node.kind) {
        case PartitionNodeKind::Op:
          if (!node.def || !node.attrs || node.attrs->size() != node.def->attrs.size())
            return node.name + ": no op";
          break;
        case PartitionNodeKind::Feed:
          if (!node.inputs.empty() || node.outputs.size() != 1 || !feeds.insert(node.number).second)
            return "a bad Feed";
          break;
        case PartitionNodeKind::Fetch:
          if (node.inputs.size() != 1 || !fetches.insert(node.number).second) return "a bad Fetch";
          break;
        case PartitionNodeKind::Send:
          if (node.inputs.size() + (node.controls.empty() ? 0 : 1) != 1 ||
              !sends.insert(node.number).second)
            return "a bad Send";
          if (!node.inputs.empty() &&
              part.nodes[node.inputs[0].node].outputs[node.inputs[0].index].ref)
            return "a handle is sent";
          break;
        case PartitionNodeKind::Recv:
          // In a loop it waits for the Merge that begins an iteration.
          if (!node.inputs.empty() || node.controls.size() > 1 ||
              (!node.controls.empty() && part.nodes[node.controls[0]].def->name != "Merge") ||
              !recvs.insert(node.number).second)
            return "a bad Recv";
          break;
        case PartitionNodeKind::Read:
          if (node.inputs.size() != 1 ||
              !part.nodes[node.inputs[0].node].outputs[node.inputs[0].index].ref)
            return "a Read of no handle";
          if (node.outputs.size() != 1 || node.outputs[0].ref) return "a Read of no value";
          break;
      }
    }
    if (feeds.size() != part.num_feeds || fetches.size() != part.num_fetches)
      return "numbers of feeds or fetches";
    if (sends.size() != part.sends.size() || recvs.size() != part.recvs.size())
      return "edges without nodes";
    for (const PartitionEdge& edge : part.sends) {
      if (!sends.count(edge.number) || edge.peer == part.task) return "a bad edge";
      ++sent[edge.number];
    }
    for (const PartitionEdge& edge : part.recvs) {
      if (!recvs.count(edge.number)) return "a bad edge";
      ++received[edge.number];
      const auto peer =
          std::find_if(plan.partitions.begin(), plan.partitions.end(),
                       [&](const PartitionDef& other) { return other.task == edge.peer; });
      if (peer == plan.partitions.end()) return "an edge from nowhere";
      const auto other =
          std::find_if(peer->sends.begin(), peer->sends.end(),
                       [&](const PartitionEdge& e) { return e.number == edge.number; });
      if (other == peer->sends.end() || other->peer != part.task || other->dtype != edge.dtype ||
          other->paced != edge.paced || other->name != edge.name)
        return "the two ends of an edge differ";
    }
  }
  if (sent.size() != plan.edges || received.size() != plan.edges) return "the number of edges";
  for (const auto& [number, times] : sent)
    if (times != 1 || received[number] != 1 || number >= plan.edges)
      return "an edge has not two ends";
  for (const auto& ports : plan.feeds)
    for (PlanPort port : ports)
      if (port.partition >= plan.partitions.size() ||
          port.number >= plan.partitions[port.partition].num_feeds)
        return "a bad feed";
  for (const auto& fetch : plan.fetches) {
    if (fetch.is_feed ? fetch.feed >= plan.feeds.size()
                      : fetch.port.partition >= plan.partitions.size() ||
                            fetch.port.number >= plan.partitions[fetch.port.partition].num_fetches)
      return "a bad fetch";
  }
  return {};
}

/// The plan of the whole graph so far, checked.
inline StepPlan plan(const PlanGraph& graph, const StepSignature& signature,
                     const PlanOptions& options) {
  StepPlan out = plan_step(graph.shared_core(), graph.size(), signature, options);
  REQUIRE(plan_fault(out) == "");
  return out;
}

/// The error that planning throws.
inline Status plan_error(const PlanGraph& graph, const StepSignature& signature,
                         const PlanOptions& options) {
  try {
    (void)plan_step(graph.shared_core(), graph.size(), signature, options);
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

inline const char* kind_name(PartitionNodeKind kind) {
  constexpr const char* names[] = {"Op", "Feed", "Fetch", "Send", "Recv", "Read"};
  return names[static_cast<std::size_t>(kind)];
}

/// The nodes of a task, sorted: "MatMul", or "Send a" for what is no op.
inline std::vector<std::string> nodes_on(const StepPlan& plan, std::uint32_t task) {
  std::vector<std::string> out;
  for (const PartitionDef& part : plan.partitions)
    if (part.task == task)
      for (const PartitionNode& node : part.nodes)
        out.push_back(node.kind == PartitionNodeKind::Op
                          ? node.name
                          : kind_name(node.kind) + (" " + node.name));
  std::sort(out.begin(), out.end());
  return out;
}

inline const PartitionNode& node_named(const StepPlan& plan, const std::string& name) {
  for (const PartitionDef& part : plan.partitions)
    for (const PartitionNode& node : part.nodes)
      if (node.name == name && node.kind != PartitionNodeKind::Send &&
          node.kind != PartitionNodeKind::Recv && node.kind != PartitionNodeKind::Fetch)
        return node;
  FAIL("no node " << name);
  return plan.partitions[0].nodes[0];
}

/// "device (reason)" of a node.
inline std::string placement_of(const StepPlan& plan, const std::string& name) {
  for (const Placement& placement : plan.placements)
    if (placement.node == name) return placement.device + " (" + placement.reason + ")";
  return "nowhere";
}

inline Output scalar(float value, const char* name = "") { return constant(value, OpName(name)); }

}  // namespace dgraph::test
