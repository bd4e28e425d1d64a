#pragma once
// Ids: a node of a graph, and one output of a node.

#include <cstdint>

namespace dgraph {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

/// One output of a node of a known graph.
struct Endpoint {
  NodeId node = kNoNode;
  std::uint32_t index = 0;
  friend bool operator==(const Endpoint&, const Endpoint&) noexcept = default;
};

}  // namespace dgraph
