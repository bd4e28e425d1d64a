#pragma once
#include <dgraph/runtime/placement_log.hpp>

namespace dgraph {

DGRAPH_DECL std::string placement_line(const Placement& placement) {
  return errors::text(placement.node, ": (", placement.op_type, "): ", placement.device, " (",
                      placement.reason, ")");
}

DGRAPH_DECL std::string placement_log(std::span<const Placement> placements) {
  std::string out;
  for (const Placement& placement : placements) {
    out += placement_line(placement);
    out += '\n';
  }
  return out;
}

namespace detail {

DGRAPH_DECL std::string reason_text(const StepGraph& graph, const StepNode& node) {
  const std::string& asked = node.node->device->text;
  const auto other = [&] { return graph.graph->node(node.reason_node).name; };
  switch (node.reason) {
    case PlaceReason::None:
      break;
    case PlaceReason::Asked:
      return "asked for " + asked;
    case PlaceReason::AskedAny:
      return errors::text("asked for ", asked, ", the first of several that match");
    case PlaceReason::Soft:
      return errors::text("asked for ", asked, ", which there is not: soft placement");
    case PlaceReason::Colocated:
      return errors::text("colocated with ", other());
    case PlaceReason::Variable:
      return asked.empty() || DeviceSpec(node.node->device->spec)
                                  .matches(DeviceSpec::parse(graph.devices[node.device]))
                 ? errors::text("works on ", other())
                 : errors::text("works on ", other(), ", though asked for ", asked);
    case PlaceReason::Consumer:
      return errors::text("nothing asked: where its consumer ", other(), " is");
    case PlaceReason::Producer:
      return errors::text("nothing asked: where its input ", other(), " is");
    case PlaceReason::Master:
      return "nothing asked: the master's task";
  }
  return {};
}

}  // namespace detail
}  // namespace dgraph
