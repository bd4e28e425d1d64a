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

DGRAPH_DECL void check_loops_on_one_task(const StepGraph& graph, const LoopFrames& frames) {
  std::vector<std::uint32_t> first(frames.frames.size(), kNoIndex);
  for (std::uint32_t i = graph.num_feeds; i < graph.nodes.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    if (!node.alive || is_free_constant(node)) continue;
    std::uint32_t frame = frames.of_node[i];
    if (node.facts->kind == OpClass::Exit && node.num_inputs > 0)
      frame = frames.of_node[graph.inputs_of(node)[0].node];
    if (frame == 0) continue;
    while (frames.frames[frame].parent != 0) frame = frames.frames[frame].parent;
    std::uint32_t& other = first[frame];
    if (other == kNoIndex) other = i;
    if (graph.nodes[other].task == node.task) continue;
    Status status = errors::Unimplemented(
        "the loop ", frames.frames[frame].name, " spans tasks: ", graph.nodes[other].node->name,
        " is on ", graph.devices[graph.nodes[other].device], ", ", node.node->name, " on ",
        graph.devices[node.device], "; put all of the loop on one task");
    throw Error(status.at(node.node->place()));
  }
}

}  // namespace dgraph::detail
