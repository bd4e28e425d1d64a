#pragma once
// Graphs on the wire: tables of what nodes share (op types, devices, attributes, shapes), then each
// node as ids (D3, D4).

#include <cstdint>

#include <dgraph/graph/core.hpp>
#include <dgraph/graph/op_set.hpp>
#include <dgraph/wire/messages.hpp>

namespace dgraph::wire {

/// Nodes [from, to) with what the receiver of [0, from) lacks; source locations stay here. Large
/// constants are shared, not copied. `to` is at most `graph.size()`.
GraphDelta encode_graph(const GraphCore& graph, std::uint64_t from, std::uint64_t to);

/// Adds the nodes of the delta to a graph of `delta.from` nodes; ids, names and shapes are those of
/// the sender. Throws InvalidArgument that lists all op types which `ops` lacks or knows with
/// another signature (nothing is added then), FailedPrecondition where `into` has not `delta.from`
/// nodes, DataLoss for malformed bytes, and what `GraphCore::add` throws; some nodes may then have
/// been added. Memory taken is bounded by the bytes that came.
void decode_graph(GraphCore& into, const GraphDelta& delta, OpLookup ops);

}  // namespace dgraph::wire

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/wire/impl/graph_codec.ipp>
#endif
