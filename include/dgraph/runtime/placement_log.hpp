#pragma once
// The text that log_device_placement prints.

#include <span>
#include <string>

#include <dgraph/runtime/step_graph.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph {

/// "name: (OpType): /job:ps/replica:0/task:0/device:CPU:0 (reason)".
std::string placement_line(const Placement& placement);
/// One such line for each, each ending in '\n', in the order given.
std::string placement_log(std::span<const Placement> placements);

namespace detail {
/// Why a node is where it is, in words: "asked for /job:ps/task:0", "nothing asked: the master's
/// task".
std::string reason_text(const StepGraph& graph, const StepNode& node);
}  // namespace detail
}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/runtime/impl/placement_log.ipp>
#endif
