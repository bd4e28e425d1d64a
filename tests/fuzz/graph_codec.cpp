// Graphs. Input: number of nodes in 2 bytes; number of constants' bodies, the size of each in 2
// bytes, these bodies; the rest.

#include <dgraph/wire/graph_codec.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "../wire/wire_ops.hpp"
#include "input.hpp"

namespace {

const dgraph::OpDef* find_op(std::string_view name) {
  return dgraph::find_signature<dgraph::test::WireOps>(name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dgraph;
  fuzz::Input input(data, size);
  GraphDelta delta;
  delta.to = input.number();
  delta.bodies = input.bodies();
  delta.bytes = input.rest();
  GraphCore graph;
  try {
    wire::decode_graph(graph, delta, &find_op);
  } catch (const Error& error) {
    if (error.code() == Code::Internal) std::abort();
    return 0;
  }
  GraphCore again;
  wire::decode_graph(again, wire::encode_graph(graph, 0, graph.size()), &find_op);
  if (again.size() != graph.size()) std::abort();
  return 0;
}
