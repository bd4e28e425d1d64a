#pragma once
#include <dgraph/runtime/frames.hpp>

#include <algorithm>

namespace dgraph::detail {

DGRAPH_DECL LoopFrames find_frames(const StepGraph& graph) {
  LoopFrames out;
  out.frames.push_back({});
  out.of_node.assign(graph.nodes.size(), 0);
  const auto wrong = [&](const StepNode& node, const std::string& why) {
    Status status = errors::InvalidArgument(why);
    throw Error(status.at(node.node->place()));
  };
  // True where `inner` is `outer` or inside it.
  const auto within = [&](std::uint32_t inner, std::uint32_t outer) {
    while (inner > outer) inner = out.frames[inner].parent;
    return inner == outer;
  };
  for (std::uint32_t i = graph.num_feeds; i < graph.nodes.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    if (!node.alive || is_free_constant(node)) continue;
    std::uint32_t frame = 0;
    const auto see = [&](std::uint32_t source) {
      if (source > i && source >= graph.num_feeds) return;
      const std::uint32_t other = out.of_node[source];
      if (other == frame || within(frame, other)) return;
      if (!within(other, frame))
        wrong(node, errors::text("has inputs from the loops ", out.frames[frame].name, " and ",
                                 out.frames[other].name, ", neither of which is in the other"));
      frame = other;
    };
    for (const Endpoint& in : graph.inputs_of(node)) see(in.node);
    for (std::uint32_t control : graph.controls_of(node)) see(control);
    if (node.facts->kind == OpClass::Exit && node.kind == PartitionNodeKind::Op) {
      if (frame == 0) wrong(node, "leaves a loop, but none of its inputs is in one");
      frame = out.frames[frame].parent;
    } else if (node.facts->kind == OpClass::Enter && node.kind == PartitionNodeKind::Op) {
      const std::string& name = node.node->attr<std::string>("frame_name");
      const auto at = std::find_if(
          out.frames.begin() + 1, out.frames.end(),
          [&](const LoopFrame& have) { return have.parent == frame && have.name == name; });
      const auto found = static_cast<std::uint32_t>(at - out.frames.begin());
      if (at == out.frames.end()) out.frames.push_back({frame, name});
      frame = found;
    }
    out.of_node[i] = frame;
  }
  return out;
}

}  // namespace dgraph::detail
