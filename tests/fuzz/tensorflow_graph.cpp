// TensorFlow's GraphDef: the bytes of a .pb file, read within small limits, imported, written and read again.

#include <dgraph/interop/tensorflow_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <dgraph/ops/standard.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dgraph;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const GraphDef def =
        read_tensorflow_graph(bytes, {.nodes = 2000, .memory = std::size_t{1} << 22});
    const GraphDef again = read_tensorflow_graph(write_tensorflow_graph(def));
    if (again.nodes.size() != def.nodes.size()) std::abort();
    BasicGraph<StandardOps> graph;
    import_tensorflow_graph(graph, def);
    if (graph.size() != def.nodes.size()) std::abort();
  } catch (const Error& error) {
    if (error.code() == Code::Internal) std::abort();
  }
  return 0;
}
